//===- Folds.cpp - folders and canonicalisation -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Only what is true in every execution: an op that orders something is removed
// only where what it orders is empty.
//
//===----------------------------------------------------------------------===//

#include "dialect/Gin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

static IntegerAttr indexAttr(MLIRContext *context, int64_t value) {
  return IntegerAttr::get(IndexType::get(context), value);
}

OpFoldResult NumRanksOp::fold(FoldAdaptor) {
  Attribute team = getTeamAttr();
  if (auto grid = dyn_cast_or_null<GridAttr>(team))
    if (grid.isStatic())
      return indexAttr(getContext(), grid.getNumRanks());
  if (auto some = dyn_cast_or_null<TeamAttr>(team))
    if (some.getKind() == TeamKind::Axis) {
      int64_t extent = some.getGrid().getShape()[some.getAxis()];
      if (!ShapedType::isDynamic(extent))
        return indexAttr(getContext(), extent);
    }
  return {};
}

OpFoldResult WindowDimOp::fold(FoldAdaptor) {
  int64_t extent =
      cast<MemRefType>(getWindow().getType()).getDimSize(getDim());
  if (ShapedType::isDynamic(extent))
    return {};
  return indexAttr(getContext(), extent);
}

/// neighbor 0 ==> rank, and neighbor of a constant ==> its literal.
static LogicalResult canonicalizeNeighbor(NeighborOp op,
                                          PatternRewriter &rewriter) {
  std::optional<int64_t> distance = getConstantIntValue(op.getMixedDistance());
  if (!distance)
    return rewriter.notifyMatchFailure(op, "the distance is not known");
  if (*distance == 0) {
    rewriter.replaceOpWithNewOp<RankIdOp>(op, rewriter.getIndexType(),
                                        op.getTeamAttr());
    return success();
  }
  if (!op.getDistance())
    return rewriter.notifyMatchFailure(op, "the distance is a literal already");
  rewriter.replaceOpWithNewOp<NeighborOp>(
      op, OpFoldResult(rewriter.getI64IntegerAttr(*distance)),
      op.getTeamAttr());
  return success();
}

void NeighborOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *) {
  patterns.add(canonicalizeNeighbor);
}

//===----------------------------------------------------------------------===//
// Transfers and completion
//===----------------------------------------------------------------------===//

/// A put of no elements that signals nobody does nothing.
static LogicalResult eraseEmptyPut(PutOp op, PatternRewriter &rewriter) {
  auto source = cast<MemRefType>(op.getSource().getType());
  if (!llvm::is_contained(source.getShape(), 0) || op.getBank())
    return rewriter.notifyMatchFailure(op, "moves elements, or signals");
  if (op.getToken())
    rewriter.replaceOpWithNewOp<ReadyTokenOp>(op, op.getToken().getType());
  else
    rewriter.eraseOp(op);
  return success();
}

void PutOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *) {
  patterns.add(eraseEmptyPut);
}

/// Drops tokens that are ready and those that stand twice; an await of none goes.
static LogicalResult simplifyAwait(AwaitOp op, PatternRewriter &rewriter) {
  llvm::SmallSetVector<Value, 4> tokens;
  for (Value token : op.getTokens())
    if (!token.getDefiningOp<ReadyTokenOp>())
      tokens.insert(token);
  if (tokens.empty()) {
    rewriter.eraseOp(op);
    return success();
  }
  if (tokens.size() == op.getTokens().size())
    return rewriter.notifyMatchFailure(op, "all tokens differ and may be pending");
  rewriter.replaceOpWithNewOp<AwaitOp>(op, tokens.getArrayRef());
  return success();
}

void AwaitOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *) {
  patterns.add(simplifyAwait);
}

/// A flush right after another has nothing left to complete.
static LogicalResult eraseSecondFlush(FlushOp op, PatternRewriter &rewriter) {
  if (!isa_and_nonnull<FlushOp>(op->getPrevNode()))
    return rewriter.notifyMatchFailure(op, "no flush stands before it");
  rewriter.eraseOp(op);
  return success();
}

void FlushOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *) {
  patterns.add(eraseSecondFlush);
}

/// A wait for nothing neither blocks nor acquires (rule 5 with n < 1).
static LogicalResult eraseEmptyWait(WaitOp op, PatternRewriter &rewriter) {
  std::optional<int64_t> count = getConstantIntValue(op.getMixedCount());
  if (!count || *count > 0)
    return rewriter.notifyMatchFailure(op, "may wait for an arrival");
  if (op.getArrived())
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                   rewriter.getBoolAttr(true));
  else
    rewriter.eraseOp(op);
  return success();
}

void WaitOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *) {
  patterns.add(eraseEmptyWait);
}
