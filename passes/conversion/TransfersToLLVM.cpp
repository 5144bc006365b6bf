//===- TransfersToLLVM.cpp - puts, gets and their tokens --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ContractCalls.h"

using namespace mlir;
using namespace gin;

/// The context, 0 where none is given.
template <typename OpTy>
static Value contextOf(ContractCall &call, OpTy op) {
  return call.constant(64, op.getCtx().value_or(0));
}

/// The element type of a place, as the contract numbers it.
static Value typeOf(ContractCall &call, Value memref) {
  return call.constant(
      32, contractType(cast<MemRefType>(memref.getType()).getElementType()));
}

/// Replaces a transfer by its call; its token may be nobody's.
template <typename OpTy>
static void replaceTransfer(OpTy op, Value token,
                            ConversionPatternRewriter &rewriter) {
  if (op->getNumResults() == 0)
    rewriter.eraseOp(op);
  else
    rewriter.replaceOp(op, token);
}

namespace {
struct LowerPut : ConvertOpToLLVMPattern<PutOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(PutOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    int64_t flags = op.getAccumulate() ? 1 : 0; // GIN_PUT_ACCUMULATE
    Value token =
        call.call("gin_put", call.intType(64),
                  {call.site(), call.team(op.getTeamAttr()),
                   call.index(op.getMixedPeer()), contextOf(call, op),
                   call.place(op.getSource(), "source"),
                   call.place(op.getWindow(), op.getMixedIndices(), "target"),
                   typeOf(call, op.getWindow()), call.constant(32, flags),
                   call.slot(op), call.index(op.getMixedWeight())});
    replaceTransfer(op, token, rewriter);
    return success();
  }
};

struct LowerPutValue : ConvertOpToLLVMPattern<PutValueOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(PutValueOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    Value token =
        call.call("gin_put_value", call.intType(64),
                  {call.site(), call.team(op.getTeamAttr()),
                   call.index(op.getMixedPeer()), contextOf(call, op),
                   call.toBits(adaptor.getValue()),
                   call.place(op.getWindow(), op.getMixedIndices(), "target"),
                   typeOf(call, op.getWindow()), call.slot(op),
                   call.index(op.getMixedWeight())});
    replaceTransfer(op, token, rewriter);
    return success();
  }
};

struct LowerGet : ConvertOpToLLVMPattern<GetOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(GetOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    Value token = call.call(
        "gin_get", call.intType(64),
        {call.site(), call.team(op.getTeamAttr()),
         call.index(op.getMixedPeer()), contextOf(call, op),
         call.place(op.getWindow(), op.getMixedIndices(), "source"),
         call.place(op.getTarget(), "target"), typeOf(call, op.getWindow())});
    replaceTransfer(op, token, rewriter);
    return success();
  }
};

struct LowerAtomicAdd : ConvertOpToLLVMPattern<AtomicAddOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(AtomicAddOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    Value token =
        call.call("gin_atomic_add", call.intType(64),
                  {call.site(), call.team(op.getTeamAttr()),
                   call.index(op.getMixedPeer()), contextOf(call, op),
                   call.toBits(adaptor.getValue()),
                   call.place(op.getWindow(), op.getMixedIndices(), "target"),
                   typeOf(call, op.getWindow())});
    replaceTransfer(op, token, rewriter);
    return success();
  }
};

struct LowerAwait : ConvertOpToLLVMPattern<AwaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(AwaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    for (Value token : adaptor.getTokens())
      call.call("gin_await", Type(), {call.site(), token});
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerFlush : ConvertOpToLLVMPattern<FlushOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(FlushOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    call.call("gin_flush", Type(), {call.site()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerReadyToken : ConvertOpToLLVMPattern<ReadyTokenOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ReadyTokenOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    rewriter.replaceOp(op, call.constant(64, 0));
    return success();
  }
};
} // namespace

void gin::populateTransferPatterns(const LLVMTypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<LowerPut, LowerPutValue, LowerGet, LowerAtomicAdd, LowerAwait,
               LowerFlush, LowerReadyToken>(converter);
}
