//===- TransferOps.cpp - builders and verifiers of transfers ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

namespace {
/// What transfers build alike.
struct RemoteParts {
  SplitMixedList indices, slot;
  SplitMixed peer, weight;
  IntegerAttr context;
  SmallVector<Type> results;

  RemoteParts(OpBuilder &builder, ArrayRef<OpFoldResult> mixedIndices,
              OpFoldResult mixedPeer, const RemoteOptions &options)
      : indices(builder, mixedIndices), slot(builder, options.slot),
        peer(builder, mixedPeer), weight(builder, options.weight) {
    if (options.context)
      context = builder.getI64IntegerAttr(*options.context);
    if (options.token)
      results.push_back(TokenType::get(builder.getContext()));
  }
};
} // namespace

void PutOp::build(OpBuilder &builder, OperationState &state, Value source,
                  Value window, ArrayRef<OpFoldResult> indices,
                  OpFoldResult peer, const RemoteOptions &options) {
  RemoteParts parts(builder, indices, peer, options);
  build(builder, state, parts.results, source, window, parts.indices.dynamic,
        parts.indices.literals, parts.peer.dynamic, parts.peer.literal,
        options.team, parts.context,
        options.accumulate ? builder.getUnitAttr() : UnitAttr(), options.bank,
        parts.slot.dynamic, parts.slot.literals, parts.weight.dynamic,
        parts.weight.literal);
}

void PutValueOp::build(OpBuilder &builder, OperationState &state, Value value,
                       Value window, ArrayRef<OpFoldResult> indices,
                       OpFoldResult peer, const RemoteOptions &options) {
  assert(!options.accumulate && "a put_value does not accumulate");
  RemoteParts parts(builder, indices, peer, options);
  build(builder, state, parts.results, value, window, parts.indices.dynamic,
        parts.indices.literals, parts.peer.dynamic, parts.peer.literal,
        options.team, parts.context, options.bank, parts.slot.dynamic,
        parts.slot.literals, parts.weight.dynamic, parts.weight.literal);
}

void GetOp::build(OpBuilder &builder, OperationState &state, Value window,
                  ArrayRef<OpFoldResult> indices, OpFoldResult peer,
                  Value target, const RemoteOptions &options) {
  assert(!options.accumulate && !options.bank && "a get only reads");
  RemoteParts parts(builder, indices, peer, options);
  build(builder, state, parts.results, window, parts.indices.dynamic,
        parts.indices.literals, parts.peer.dynamic, parts.peer.literal,
        options.team, parts.context, target);
}

void AtomicAddOp::build(OpBuilder &builder, OperationState &state, Value value,
                        Value window, ArrayRef<OpFoldResult> indices,
                        OpFoldResult peer, const RemoteOptions &options) {
  assert(!options.accumulate && !options.bank && !options.token &&
         "an atomic addition has no signal and no token");
  RemoteParts parts(builder, indices, peer, options);
  build(builder, state, parts.results, value, window, parts.indices.dynamic,
        parts.indices.literals, parts.peer.dynamic, parts.peer.literal,
        options.team, parts.context);
}

void PeerViewOp::build(OpBuilder &builder, OperationState &state, Value window,
                       OpFoldResult peer, Attribute team) {
  SplitMixed split(builder, peer);
  auto type = cast<MemRefType>(window.getType());
  auto view =
      MemRefType::get(type.getShape(), type.getElementType(), type.getLayout(),
                      PeerAttr::get(builder.getContext()));
  build(builder, state, view, window, split.dynamic, split.literal, team);
}

//===----------------------------------------------------------------------===//
// Operands that are values or literals
//===----------------------------------------------------------------------===//

template <typename OpTy>
static SmallVector<OpFoldResult> mixedIndices(OpTy op) {
  Builder builder(op.getContext());
  return getMixedValues(op.getStaticIndices(), op.getIndices(), builder);
}
SmallVector<OpFoldResult> PutOp::getMixedIndices() {
  return mixedIndices(*this);
}
SmallVector<OpFoldResult> PutValueOp::getMixedIndices() {
  return mixedIndices(*this);
}
SmallVector<OpFoldResult> GetOp::getMixedIndices() {
  return mixedIndices(*this);
}
SmallVector<OpFoldResult> AtomicAddOp::getMixedIndices() {
  return mixedIndices(*this);
}

template <typename OpTy>
static OpFoldResult mixedWeight(OpTy op) {
  OpFoldResult weight = getMixed(op.getWeight(), op.getStaticWeightAttr());
  return weight ? weight : Builder(op.getContext()).getI64IntegerAttr(1);
}
OpFoldResult PutOp::getMixedWeight() { return mixedWeight(*this); }
OpFoldResult PutValueOp::getMixedWeight() { return mixedWeight(*this); }

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// Verifies a place of shape `block` at `literals` of `window`.
static LogicalResult verifyPlace(Operation *op, MemRefType window,
                                 ArrayRef<int64_t> literals,
                                 ArrayRef<int64_t> block) {
  int64_t rank = window.getRank();
  if (static_cast<int64_t>(literals.size()) != rank)
    return op->emitOpError() << "names a place by " << literals.size()
                             << " indices, but the window " << window << " has "
                             << rank << " dimensions";
  if (static_cast<int64_t>(block.size()) > rank)
    return op->emitOpError()
           << "moves a block of " << block.size()
           << " dimensions, more than the window " << window << " has";
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t size = getBlockExtent(block, rank, dim);
    int64_t extent = window.getDimSize(dim);
    // Without a literal the block could at best begin at 0.
    int64_t index = ShapedType::isDynamic(literals[dim]) ? 0 : literals[dim];
    if (isPlaceLiteral(index, size, extent))
      continue;
    if (index < 0)
      return op->emitOpError()
             << "index " << index << " in dimension " << dim << " is negative";
    InFlightDiagnostic error =
        op->emitOpError() << "reaches past the end of the window " << window
                          << " in dimension " << dim << ": index " << index;
    if (!ShapedType::isDynamic(size))
      error << " and extent " << size << " exceed " << extent;
    else
      error << " exceeds " << extent;
    return error;
  }
  return success();
}

static LogicalResult verifyElementTypes(Operation *op, Type local,
                                        MemRefType window) {
  if (local == window.getElementType())
    return success();
  return op->emitOpError() << "moves elements of type " << local
                           << ", but the window has "
                           << window.getElementType();
}

/// Verifies what all transfers have: element type, peer, context and place.
template <typename OpTy>
static LogicalResult verifyTransfer(OpTy op, Type element,
                                    ArrayRef<int64_t> block) {
  auto window = cast<MemRefType>(op.getWindow().getType());
  return failure(
      failed(verifyElementTypes(op, element, window)) ||
      failed(verifyPeer(op, op.getPeer(), op.getStaticPeerAttr(),
                        op.getTeamAttr())) ||
      failed(verifyContext(op, op.getCtxAttr())) ||
      failed(verifyPlace(op, window, op.getStaticIndices(), block)) ||
      failed(verifyMixedList(op, "indices", op.getIndices(),
                             op.getStaticIndices())));
}

/// Verifies a bundled signal.
template <typename OpTy>
static LogicalResult verifyBundle(OpTy op) {
  if (op.getBank())
    return failure(
        failed(
            verifySlot(op, op.getBank(), op.getSlot(), op.getStaticSlot())) ||
        failed(verifyWeight(op, op.getWeight(), op.getStaticWeightAttr())));
  if (!op.getStaticSlot().empty() || !op.getSlot().empty() || op.getWeight() ||
      op.getStaticWeightAttr())
    return op.emitOpError("has a slot or a weight, but no bank to signal");
  return success();
}

LogicalResult PutOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  return failure(failed(verifyTransfer(*this, source.getElementType(),
                                       source.getShape())) ||
                 failed(verifyBundle(*this)));
}

LogicalResult PutValueOp::verify() {
  return failure(failed(verifyTransfer(*this, getValue().getType(), {})) ||
                 failed(verifyBundle(*this)));
}

LogicalResult GetOp::verify() {
  auto target = cast<MemRefType>(getTarget().getType());
  return verifyTransfer(*this, target.getElementType(), target.getShape());
}

LogicalResult AtomicAddOp::verify() {
  return verifyTransfer(*this, getValue().getType(), {});
}

LogicalResult PeerViewOp::verify() {
  auto window = cast<MemRefType>(getWindow().getType());
  auto view = cast<MemRefType>(getView().getType());
  if (window.getShape() != view.getShape() ||
      window.getElementType() != view.getElementType() ||
      window.getLayout() != view.getLayout())
    return emitOpError() << "views " << window << " as " << view
                         << ", which differs in more than the memory space";
  return verifyPeer(*this, getPeer(), getStaticPeerAttr(), getTeamAttr());
}
