//===- SignalsToLLVM.cpp - signals, waits and barriers ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ContractCalls.h"

using namespace mlir;
using namespace gin;

/// The contract's int32_t truth value as an i1.
static Value toBool(Value value, Location loc,
                    ConversionPatternRewriter &rewriter) {
  Value zero =
      LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
  return LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ne, value,
                              zero);
}

namespace {
struct LowerSignal : ConvertOpToLLVMPattern<SignalOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(SignalOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    int64_t flags = op.getRelaxed() ? 1 : 0; // GIN_SIGNAL_RELAXED
    call.call("gin_signal", Type(),
              {call.site(), call.team(op.getTeamAttr()),
               call.index(op.getMixedPeer()),
               call.constant(64, op.getCtx().value_or(0)), call.slot(op),
               call.index(op.getMixedWeight()), call.constant(32, flags)});
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerWait : ConvertOpToLLVMPattern<WaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(WaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    // Without a result, nobody could handle a time-out.
    int64_t must = op->getNumResults() == 0 ? 1 : 0;
    Value arrived =
        call.call("gin_wait", call.intType(32),
                  {call.site(), call.slot(op), call.index(op.getMixedCount()),
                   call.index(op.getMixedTimeout(), /*otherwise=*/-1),
                   call.constant(32, must)});
    if (must)
      rewriter.eraseOp(op);
    else
      rewriter.replaceOp(op, toBool(arrived, op.getLoc(), rewriter));
    return success();
  }
};

struct LowerTest : ConvertOpToLLVMPattern<TestOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(TestOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    Value arrived =
        call.call("gin_test", call.intType(32),
                  {call.site(), call.slot(op), call.index(op.getMixedCount())});
    rewriter.replaceOp(op, toBool(arrived, op.getLoc(), rewriter));
    return success();
  }
};

struct LowerRead : ConvertOpToLLVMPattern<ReadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ReadOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    rewriter.replaceOp(op, call.call("gin_read", call.intType(64),
                                     {call.site(), call.slot(op)}));
    return success();
  }
};

struct LowerBarrier : ConvertOpToLLVMPattern<BarrierOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(BarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    int64_t flags = op.getGlobal() ? 1 : 0; // GIN_BARRIER_GLOBAL
    call.call(
        "gin_barrier", Type(),
        {call.site(), call.team(op.getTeamAttr()), call.constant(32, flags)});
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void gin::populateSignalPatterns(const LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<LowerSignal, LowerWait, LowerTest, LowerRead, LowerBarrier>(
      converter);
}
