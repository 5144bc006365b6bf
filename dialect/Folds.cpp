//===- Folds.cpp - folders and canonicalisation -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Only what is true in every execution: an op that orders something is removed
// only where what it orders is empty.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// What several ops share
//===----------------------------------------------------------------------===//

static IntegerAttr indexAttr(MLIRContext *context, int64_t value) {
  return IntegerAttr::get(IndexType::get(context), value);
}

/// The world is the default.
template <typename OpTy>
static LogicalResult dropWorldTeam(OpTy op, PatternRewriter &rewriter) {
  auto team = dyn_cast_or_null<TeamAttr>(op.getTeamAttr());
  if (!team || team.getKind() != TeamKind::World)
    return rewriter.notifyMatchFailure(op, "the team is not the world");
  rewriter.modifyOpInPlace(op, [&] { op.removeTeamAttr(); });
  return success();
}

/// Nobody awaits a token without uses; a flush or the end of the launch does
/// not need it.
template <typename OpTy>
static LogicalResult dropUnusedToken(OpTy op, PatternRewriter &rewriter) {
  if (!op.getToken() || !op.getToken().use_empty())
    return rewriter.notifyMatchFailure(op, "has no token that is unused");
  OperationState state(op.getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.getOrAddProperties<typename OpTy::Properties>() = op.getProperties();
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  rewriter.create(state);
  rewriter.eraseOp(op);
  return success();
}

/// Replaces a transfer that has no effect.
template <typename OpTy>
static LogicalResult eraseTransfer(OpTy op, PatternRewriter &rewriter) {
  if (op.getToken())
    rewriter.replaceOpWithNewOp<ReadyTokenOp>(op, op.getToken().getType());
  else
    rewriter.eraseOp(op);
  return success();
}

static bool isEmpty(Value memref) {
  return llvm::is_contained(cast<MemRefType>(memref.getType()).getShape(), 0);
}

//===----------------------------------------------------------------------===//
// Constants become literals
//===----------------------------------------------------------------------===//
//
// Each function changes one part of an op and says whether it did. A constant
// that no literal may be stays: it is an error where it is executed, and only
// there.

template <typename OpTy>
static bool makePeerLiteral(OpTy op) {
  std::optional<int64_t> peer = getConstantIntValue(op.getPeer());
  if (!peer || !isPeerLiteral(*peer, op.getTeamAttr()))
    return false;
  op.getPeerMutable().clear();
  op.setStaticPeer(*peer);
  return true;
}

template <typename OpTy>
static bool makeWeightLiteral(OpTy op) {
  std::optional<int64_t> weight = getConstantIntValue(op.getWeight());
  if (!weight || !isWeightLiteral(*weight))
    return false;
  op.getWeightMutable().clear();
  op.setStaticWeight(*weight);
  return true;
}

template <typename OpTy>
static bool makeCountLiteral(OpTy op) {
  std::optional<int64_t> count = getConstantIntValue(op.getCount());
  if (!count)
    return false;
  op.getCountMutable().clear();
  op.setStaticCount(*count);
  return true;
}

static bool makeTimeoutLiteral(WaitOp op) {
  std::optional<int64_t> timeout = getConstantIntValue(op.getTimeout());
  if (!timeout || !isTimeoutLiteral(*timeout))
    return false;
  op.getTimeoutMutable().clear();
  op.setStaticTimeout(*timeout);
  return true;
}

/// Moves constants from `operands` to `literals` where `isAllowed`.
static bool
makeListLiterals(MutableOperandRange operands,
                 SmallVectorImpl<int64_t> &literals,
                 function_ref<bool(size_t dim, int64_t value)> isAllowed) {
  SmallVector<Value> kept;
  size_t next = 0;
  for (auto [dim, literal] : llvm::enumerate(literals)) {
    if (!ShapedType::isDynamic(literal))
      continue;
    Value operand = operands[next++].get();
    std::optional<int64_t> value = getConstantIntValue(operand);
    if (value && isAllowed(dim, *value))
      literal = *value;
    else
      kept.push_back(operand);
  }
  if (kept.size() == operands.size())
    return false;
  operands.assign(kept);
  return true;
}

template <typename OpTy>
static bool makeSlotLiterals(OpTy op) {
  if (!op.getBank())
    return false;
  ArrayRef<int64_t> shape =
      cast<SignalsType>(op.getBank().getType()).getShape();
  SmallVector<int64_t> literals(op.getStaticSlot());
  if (!makeListLiterals(op.getSlotMutable(), literals,
                        [&](size_t dim, int64_t value) {
                          return isSlotLiteral(value, shape[dim]);
                        }))
    return false;
  op.setStaticSlot(literals);
  return true;
}

/// Indices of a window at which a block of shape `block` stands.
template <typename OpTy>
static bool makeIndexLiterals(OpTy op, ArrayRef<int64_t> block) {
  auto window = cast<MemRefType>(op.getWindow().getType());
  SmallVector<int64_t> literals(op.getStaticIndices());
  if (!makeListLiterals(
          op.getIndicesMutable(), literals, [&](size_t dim, int64_t value) {
            return isPlaceLiteral(value,
                                  getBlockExtent(block, window.getRank(), dim),
                                  window.getDimSize(dim));
          }))
    return false;
  op.setStaticIndices(literals);
  return true;
}
static bool makeIndexLiterals(PutOp op) {
  return makeIndexLiterals(
      op, cast<MemRefType>(op.getSource().getType()).getShape());
}
static bool makeIndexLiterals(PutValueOp op) {
  return makeIndexLiterals(op, {});
}
static bool makeIndexLiterals(AtomicAddOp op) {
  return makeIndexLiterals(op, {});
}
static bool makeIndexLiterals(GetOp op) {
  return makeIndexLiterals(
      op, cast<MemRefType>(op.getTarget().getType()).getShape());
}

template <typename OpTy, bool (*...make)(OpTy)>
static LogicalResult makeLiterals(OpTy op, PatternRewriter &rewriter) {
  rewriter.startOpModification(op);
  bool changed = false;
  ((changed |= make(op)), ...);
  if (changed) {
    rewriter.finalizeOpModification(op);
    return success();
  }
  rewriter.cancelOpModification(op);
  return rewriter.notifyMatchFailure(op, "no operand is a constant");
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

OpFoldResult RankIdOp::fold(FoldAdaptor) {
  if (getStaticNumRanks(getTeamAttr()) == 1)
    return indexAttr(getContext(), 0);
  return {};
}

void RankIdOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *) {
  patterns.add(dropWorldTeam<RankIdOp>);
}

OpFoldResult NumRanksOp::fold(FoldAdaptor) {
  if (std::optional<int64_t> ranks = getStaticNumRanks(getTeamAttr()))
    return indexAttr(getContext(), *ranks);
  return {};
}

void NumRanksOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *) {
  patterns.add(dropWorldTeam<NumRanksOp>);
}

/// A neighbour all the way round is the rank itself.
static LogicalResult replaceOwnNeighbor(NeighborOp op,
                                        PatternRewriter &rewriter) {
  std::optional<int64_t> distance = getConstantIntValue(op.getMixedDistance());
  std::optional<int64_t> ranks = getStaticNumRanks(op.getTeamAttr());
  if (!distance || (ranks ? *distance % *ranks : *distance) != 0)
    return rewriter.notifyMatchFailure(op, "may be another rank");
  rewriter.replaceOpWithNewOp<RankIdOp>(op, op.getTeamAttr());
  return success();
}

static bool makeDistanceLiteral(NeighborOp op) {
  std::optional<int64_t> distance = getConstantIntValue(op.getDistance());
  if (!distance)
    return false;
  op.getDistanceMutable().clear();
  op.setStaticDistance(*distance);
  return true;
}

void NeighborOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *) {
  patterns.add(dropWorldTeam<NeighborOp>)
      .add(replaceOwnNeighbor)
      .add(makeLiterals<NeighborOp, makeDistanceLiteral>);
}

OpFoldResult WindowDimOp::fold(FoldAdaptor) {
  int64_t extent = cast<MemRefType>(getWindow().getType()).getDimSize(getDim());
  if (ShapedType::isDynamic(extent))
    return {};
  return indexAttr(getContext(), extent);
}

/// The own part, and all dimensions but the first, need no question to a peer.
static LogicalResult useOwnExtent(WindowDimOp op, PatternRewriter &rewriter) {
  auto rank = op.getPeer() ? op.getPeer().getDefiningOp<RankIdOp>() : nullptr;
  bool isOwn = rank && rank.getTeamAttr() == op.getTeamAttr();
  if (op.getDim() == 0 && !isOwn)
    return rewriter.notifyMatchFailure(op, "the peer's extent may differ");
  rewriter.replaceOpWithNewOp<memref::DimOp>(op, op.getWindow(), op.getDim());
  return success();
}

void WindowDimOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *) {
  patterns.add(dropWorldTeam<WindowDimOp>)
      .add(useOwnExtent)
      .add(makeLiterals<WindowDimOp, makePeerLiteral<WindowDimOp>>);
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// A put of no elements that signals nobody does nothing.
static LogicalResult eraseEmptyPut(PutOp op, PatternRewriter &rewriter) {
  if (!isEmpty(op.getSource()) || op.getBank())
    return rewriter.notifyMatchFailure(op, "moves elements, or signals");
  return eraseTransfer(op, rewriter);
}

void PutOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *) {
  patterns.add(dropWorldTeam<PutOp>)
      .add(dropUnusedToken<PutOp>)
      .add(eraseEmptyPut)
      .add(makeLiterals<PutOp, makeIndexLiterals, makePeerLiteral<PutOp>,
                        makeSlotLiterals<PutOp>, makeWeightLiteral<PutOp>>);
}

void PutValueOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *) {
  patterns.add(dropWorldTeam<PutValueOp>)
      .add(dropUnusedToken<PutValueOp>)
      .add(makeLiterals<
           PutValueOp, makeIndexLiterals, makePeerLiteral<PutValueOp>,
           makeSlotLiterals<PutValueOp>, makeWeightLiteral<PutValueOp>>);
}

static LogicalResult eraseEmptyGet(GetOp op, PatternRewriter &rewriter) {
  if (!isEmpty(op.getTarget()))
    return rewriter.notifyMatchFailure(op, "moves elements");
  return eraseTransfer(op, rewriter);
}

void GetOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *) {
  patterns.add(dropWorldTeam<GetOp>)
      .add(dropUnusedToken<GetOp>)
      .add(eraseEmptyGet)
      .add(makeLiterals<GetOp, makeIndexLiterals, makePeerLiteral<GetOp>>);
}

void AtomicAddOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *) {
  patterns.add(dropWorldTeam<AtomicAddOp>)
      .add(makeLiterals<AtomicAddOp, makeIndexLiterals,
                        makePeerLiteral<AtomicAddOp>>);
}

void PeerViewOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *) {
  patterns.add(dropWorldTeam<PeerViewOp>)
      .add(makeLiterals<PeerViewOp, makePeerLiteral<PeerViewOp>>);
}

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

void SignalOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *) {
  patterns.add(dropWorldTeam<SignalOp>)
      .add(
          makeLiterals<SignalOp, makeSlotLiterals<SignalOp>,
                       makePeerLiteral<SignalOp>, makeWeightLiteral<SignalOp>>);
}

/// A wait or test for nothing neither blocks nor acquires (rule 5 with n < 1).
template <typename OpTy>
static LogicalResult eraseEmptyWait(OpTy op, PatternRewriter &rewriter) {
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
  patterns.add(eraseEmptyWait<WaitOp>)
      .add(makeLiterals<WaitOp, makeSlotLiterals<WaitOp>,
                        makeCountLiteral<WaitOp>, makeTimeoutLiteral>);
}

void TestOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *) {
  patterns.add(eraseEmptyWait<TestOp>)
      .add(makeLiterals<TestOp, makeSlotLiterals<TestOp>,
                        makeCountLiteral<TestOp>>);
}

void ReadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *) {
  patterns.add(makeLiterals<ReadOp, makeSlotLiterals<ReadOp>>);
}

//===----------------------------------------------------------------------===//
// Completion and barriers
//===----------------------------------------------------------------------===//

/// Drops tokens that are ready and those that stand twice; an await of none
/// goes.
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
    return rewriter.notifyMatchFailure(op, "all differ and may be pending");
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

void BarrierOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *) {
  patterns.add(dropWorldTeam<BarrierOp>);
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

void AllGatherOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *) {
  patterns.add(dropWorldTeam<AllGatherOp>);
}

void AllToAllOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *) {
  patterns.add(dropWorldTeam<AllToAllOp>);
}

void AllReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *) {
  patterns.add(dropWorldTeam<AllReduceOp>);
}

void ReduceScatterOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                  MLIRContext *) {
  patterns.add(dropWorldTeam<ReduceScatterOp>);
}

void DispatchOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *) {
  patterns.add(dropWorldTeam<DispatchOp>);
}

void CombineOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *) {
  patterns.add(dropWorldTeam<CombineOp>);
}
