//===- MemoryToLLVM.cpp - accesses of windows, assertions -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ContractCalls.h"

#include "passes/analysis/Communication.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace gin;

/// Above upstream's patterns for the same ops.
static constexpr unsigned kBenefit = 10;

/// The window's record: the allocated pointer of every memref in it.
static Value recordOf(Value descriptor, Location loc,
                      ConversionPatternRewriter &rewriter) {
  return MemRefDescriptor(descriptor).allocatedPtr(rewriter, loc);
}

namespace {
struct LowerWeakLoad : ConvertOpToLLVMPattern<memref::LoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(memref::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(kWeakAttr))
      return rewriter.notifyMatchFailure(op, "a plain load");
    ContractCall call(op, rewriter, *getTypeConverter());
    Location loc = op.getLoc();
    Value address =
        getStridedElementPtr(rewriter, loc, op.getMemRefType(),
                             adaptor.getMemref(), adaptor.getIndices());
    Type element = op.getMemRefType().getElementType();
    Value load =
        call.call("gin_load_begin", call.intType(64),
                  {call.site(), recordOf(adaptor.getMemref(), loc, rewriter),
                   address, call.constant(32, memoryBits(element))});
    Value bits = call.call("gin_load_end", call.intType(64), {load});
    rewriter.replaceOp(
        op, call.fromBits(bits, getTypeConverter()->convertType(element)));
    return success();
  }
};

struct LowerWeakStore : ConvertOpToLLVMPattern<memref::StoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(memref::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(kWeakAttr))
      return rewriter.notifyMatchFailure(op, "a plain store");
    ContractCall call(op, rewriter, *getTypeConverter());
    Location loc = op.getLoc();
    Value address =
        getStridedElementPtr(rewriter, loc, op.getMemRefType(),
                             adaptor.getMemref(), adaptor.getIndices());
    Type element = op.getMemRefType().getElementType();
    call.call("gin_store", Type(),
              {call.site(), recordOf(adaptor.getMemref(), loc, rewriter),
               address, call.toBits(adaptor.getValue()),
               call.constant(32, memoryBits(element))});
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerAtomic : ConvertOpToLLVMPattern<memref::AtomicRMWOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(memref::AtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isShared(op.getMemref().getType()))
      return rewriter.notifyMatchFailure(op, "not on a window");
    if (op.getKind() != arith::AtomicRMWKind::addi &&
        op.getKind() != arith::AtomicRMWKind::addf)
      return rewriter.notifyMatchFailure(op, "not an addition");
    ContractCall call(op, rewriter, *getTypeConverter());
    Location loc = op.getLoc();
    Value address =
        getStridedElementPtr(rewriter, loc, op.getMemRefType(),
                             adaptor.getMemref(), adaptor.getIndices());
    Type element = op.getMemRefType().getElementType();
    SmallVector<Value> operands = {call.site(),
                                   recordOf(adaptor.getMemref(), loc, rewriter),
                                   address, call.toBits(adaptor.getValue()),
                                   call.constant(32, contractType(element))};
    if (op.use_empty()) {
      call.call("gin_local_atomic_add", Type(), operands);
      rewriter.eraseOp(op);
      return success();
    }
    Value bits =
        call.call("gin_local_atomic_fetch_add", call.intType(64), operands);
    rewriter.replaceOp(
        op, call.fromBits(bits, getTypeConverter()->convertType(element)));
    return success();
  }
};

struct LowerPeerView : ConvertOpToLLVMPattern<PeerViewOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(PeerViewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    Type descriptor = getTypeConverter()->convertType(op.getType());
    Value view = call.stackSlot(descriptor, "view");
    call.call("gin_peer_view", Type(),
              {call.site(), call.team(op.getTeamAttr()),
               call.index(op.getMixedPeer()),
               call.onStack(adaptor.getWindow(), "window"),
               call.constant(64, op.getWindow().getType().getRank()), view});
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, descriptor, view);
    return success();
  }
};

struct LowerDrain : ConvertOpToLLVMPattern<DrainOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(DrainOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    call.call("gin_drain", Type(), {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerAssert : ConvertOpToLLVMPattern<cf::AssertOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(cf::AssertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, Block::iterator(op));
    Block *failed = rewriter.createBlock(before->getParent());
    ContractCall call(op, rewriter, *getTypeConverter());
    call.call("gin_fail", Type(), {call.site(), call.string(op.getMsg())});
    // It does not come back.
    LLVM::UnreachableOp::create(rewriter, loc);

    rewriter.setInsertionPointToEnd(before);
    rewriter.replaceOpWithNewOp<LLVM::CondBrOp>(op, adaptor.getArg(), after,
                                                failed);
    return success();
  }
};
} // namespace

void gin::populateMemoryPatterns(const LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<LowerWeakLoad, LowerWeakStore, LowerAtomic, LowerAssert>(
      converter, kBenefit);
  patterns.add<LowerPeerView, LowerDrain>(converter);
}
