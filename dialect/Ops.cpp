//===- Ops.cpp - builders and verifiers of the program level ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialect/Gin.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// Operands that are values or literals
//===----------------------------------------------------------------------===//

static OpFoldResult mixed(Value dynamic, IntegerAttr literal) {
  return literal ? OpFoldResult(literal) : OpFoldResult(dynamic);
}

static OpFoldResult orOne(OpFoldResult weight, MLIRContext *context) {
  return weight ? weight : Builder(context).getI64IntegerAttr(1);
}

/// Splits `value` into an operand and a literal, either of which may be null.
static std::pair<Value, IntegerAttr> split(Builder &builder,
                                           OpFoldResult value) {
  if (auto attr = dyn_cast_if_present<Attribute>(value))
    return {Value(),
            builder.getI64IntegerAttr(cast<IntegerAttr>(attr).getInt())};
  return {dyn_cast_if_present<Value>(value), IntegerAttr()};
}

static LogicalResult verifyMixed(Operation *op, StringRef what, Value dynamic,
                                 IntegerAttr literal) {
  if (static_cast<bool>(dynamic) == static_cast<bool>(literal))
    return op->emitOpError() << "needs its " << what
                             << " either as a value or as a literal";
  return success();
}

static LogicalResult verifyPeer(Operation *op, Value dynamic,
                                IntegerAttr literal) {
  if (failed(verifyMixed(op, "peer", dynamic, literal)))
    return failure();
  if (literal && literal.getInt() < 0)
    return op->emitOpError() << "peer " << literal.getInt()
                             << " is negative; ranks count from 0";
  return success();
}

static LogicalResult verifyContext(Operation *op, IntegerAttr context) {
  if (context && context.getInt() < 0)
    return op->emitOpError() << "context " << context.getInt()
                             << " is negative; contexts count from 0";
  return success();
}

static LogicalResult verifyWeight(Operation *op, Value dynamic,
                                  IntegerAttr literal) {
  if (dynamic && literal)
    return op->emitOpError("needs its weight either as a value or as a literal");
  if (literal && literal.getInt() < 1)
    return op->emitOpError() << "weight " << literal.getInt()
                             << " is less than 1; signals only grow";
  return success();
}

/// Verifies the indices of a slot against the bank's extents.
static LogicalResult verifySlot(Operation *op, SignalsType bank,
                                ArrayRef<int64_t> indices) {
  if (static_cast<int64_t>(indices.size()) != bank.getRank())
    return op->emitOpError() << "names a slot by " << indices.size()
                             << " indices, but the bank " << bank << " has "
                             << bank.getRank() << " dimensions";
  for (auto [dim, index] : llvm::enumerate(indices)) {
    int64_t extent = bank.getShape()[dim];
    if (ShapedType::isDynamic(index))
      continue;
    if (index < 0 || (!ShapedType::isDynamic(extent) && index >= extent))
      return op->emitOpError()
             << "slot index " << index << " in dimension " << dim
             << " is out of the range of the bank " << bank;
  }
  return success();
}

static LogicalResult verifyBundle(Operation *op, Value bank,
                                  ArrayRef<int64_t> slot, Value weight,
                                  IntegerAttr staticWeight) {
  if (bank)
    return failure(failed(verifySlot(op, cast<SignalsType>(bank.getType()), slot)) ||
                   failed(verifyWeight(op, weight, staticWeight)));
  if (!slot.empty() || weight || staticWeight)
    return op->emitOpError("has a slot or a weight, but no bank to signal");
  return success();
}

/// Verifies a place of shape `block` at `indices` of `window`.
static LogicalResult verifyPlace(Operation *op, MemRefType window,
                                 ArrayRef<int64_t> indices,
                                 ArrayRef<int64_t> block) {
  int64_t rank = window.getRank();
  if (static_cast<int64_t>(indices.size()) != rank)
    return op->emitOpError() << "names a place by " << indices.size()
                             << " indices, but the window " << window << " has "
                             << rank << " dimensions";
  int64_t leading = rank - static_cast<int64_t>(block.size());
  if (leading < 0)
    return op->emitOpError()
           << "moves a block of " << block.size()
           << " dimensions, more than the window " << window << " has";
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t index = indices[dim], extent = window.getDimSize(dim);
    int64_t size = dim < leading ? 1 : block[dim - leading];
    if (!ShapedType::isDynamic(index) && index < 0)
      return op->emitOpError() << "index " << index << " in dimension " << dim
                               << " is negative";
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(extent))
      continue;
    int64_t first = ShapedType::isDynamic(index) ? 0 : index;
    if (first > extent || size > extent - first)
      return op->emitOpError()
             << "reaches past the end of the window " << window
             << " in dimension " << dim << ": index " << first << " and extent "
             << size << " exceed " << extent;
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

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

namespace {
/// The operands that put, put_value and get build alike.
struct RemoteParts {
  SmallVector<Value> indices, slot;
  SmallVector<int64_t> staticIndices, staticSlot;
  std::pair<Value, IntegerAttr> peer, weight;
  IntegerAttr context;
  SmallVector<Type> results;

  RemoteParts(OpBuilder &builder, ArrayRef<OpFoldResult> mixedIndices,
              OpFoldResult mixedPeer, const RemoteOptions &options) {
    dispatchIndexOpFoldResults(mixedIndices, indices, staticIndices);
    dispatchIndexOpFoldResults(options.slot, slot, staticSlot);
    peer = split(builder, mixedPeer);
    weight = split(builder, options.weight);
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
  build(builder, state, parts.results, source, window, parts.indices,
        builder.getDenseI64ArrayAttr(parts.staticIndices), parts.peer.first,
        parts.peer.second, options.team, parts.context,
        options.accumulate ? builder.getUnitAttr() : UnitAttr(), options.bank,
        parts.slot, builder.getDenseI64ArrayAttr(parts.staticSlot),
        parts.weight.first, parts.weight.second);
}

void PutValueOp::build(OpBuilder &builder, OperationState &state, Value value,
                       Value window, ArrayRef<OpFoldResult> indices,
                       OpFoldResult peer, const RemoteOptions &options) {
  assert(!options.accumulate && "a put_value does not accumulate");
  RemoteParts parts(builder, indices, peer, options);
  build(builder, state, parts.results, value, window, parts.indices,
        builder.getDenseI64ArrayAttr(parts.staticIndices), parts.peer.first,
        parts.peer.second, options.team, parts.context, options.bank,
        parts.slot, builder.getDenseI64ArrayAttr(parts.staticSlot),
        parts.weight.first, parts.weight.second);
}

void GetOp::build(OpBuilder &builder, OperationState &state, Value window,
                  ArrayRef<OpFoldResult> indices, OpFoldResult peer,
                  Value target, const RemoteOptions &options) {
  assert(!options.accumulate && !options.bank && "a get only reads");
  RemoteParts parts(builder, indices, peer, options);
  build(builder, state, parts.results, window, parts.indices,
        builder.getDenseI64ArrayAttr(parts.staticIndices), parts.peer.first,
        parts.peer.second, options.team, parts.context, target);
}

SmallVector<OpFoldResult> PutOp::getMixedIndices() {
  Builder builder(getContext());
  return getMixedValues(getStaticIndices(), getIndices(), builder);
}
SmallVector<OpFoldResult> PutValueOp::getMixedIndices() {
  Builder builder(getContext());
  return getMixedValues(getStaticIndices(), getIndices(), builder);
}
SmallVector<OpFoldResult> GetOp::getMixedIndices() {
  Builder builder(getContext());
  return getMixedValues(getStaticIndices(), getIndices(), builder);
}
SmallVector<OpFoldResult> AtomicAddOp::getMixedIndices() {
  Builder builder(getContext());
  return getMixedValues(getStaticIndices(), getIndices(), builder);
}

OpFoldResult PutOp::getMixedWeight() {
  return orOne(mixed(getWeight(), getStaticWeightAttr()), getContext());
}
OpFoldResult PutValueOp::getMixedWeight() {
  return orOne(mixed(getWeight(), getStaticWeightAttr()), getContext());
}
OpFoldResult SignalOp::getMixedWeight() {
  return orOne(mixed(getWeight(), getStaticWeightAttr()), getContext());
}

/// What all transfers have to keep: peer, context, place and element type.
template <typename OpTy>
static LogicalResult verifyTransfer(OpTy op, Type element,
                                    ArrayRef<int64_t> block) {
  auto window = cast<MemRefType>(op.getWindow().getType());
  return failure(
      failed(verifyElementTypes(op, element, window)) ||
      failed(verifyPeer(op, op.getPeer(), op.getStaticPeerAttr())) ||
      failed(verifyContext(op, op.getCtxAttr())) ||
      failed(verifyPlace(op, window, op.getStaticIndices(), block)));
}

LogicalResult PutOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  if (failed(verifyTransfer(*this, source.getElementType(), source.getShape())))
    return failure();
  return verifyBundle(*this, getBank(), getStaticSlot(), getWeight(),
                      getStaticWeightAttr());
}

LogicalResult PutValueOp::verify() {
  if (failed(verifyTransfer(*this, getValue().getType(), {})))
    return failure();
  return verifyBundle(*this, getBank(), getStaticSlot(), getWeight(),
                      getStaticWeightAttr());
}

LogicalResult GetOp::verify() {
  auto target = cast<MemRefType>(getTarget().getType());
  return verifyTransfer(*this, target.getElementType(), target.getShape());
}

LogicalResult AtomicAddOp::verify() {
  return verifyTransfer(*this, getValue().getType(), {});
}

//===----------------------------------------------------------------------===//
// Ranks and windows
//===----------------------------------------------------------------------===//

void NeighborOp::build(OpBuilder &builder, OperationState &state,
                       OpFoldResult distance, Attribute team) {
  auto [dynamic, literal] = split(builder, distance);
  build(builder, state, builder.getIndexType(), dynamic, literal, team);
}

OpFoldResult NeighborOp::getMixedDistance() {
  return mixed(getDistance(), getStaticDistanceAttr());
}

LogicalResult NeighborOp::verify() {
  return verifyMixed(*this, "distance", getDistance(), getStaticDistanceAttr());
}

LogicalResult CoordsOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location>,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  types.assign(adaptor.getGrid().getRank(), IndexType::get(context));
  return success();
}

LogicalResult CoordsOp::verify() {
  if (static_cast<int64_t>(getNumResults()) != getGrid().getRank())
    return emitOpError() << "has " << getNumResults()
                         << " results, but the grid has " << getGrid().getRank()
                         << " dimensions";
  return success();
}

void WindowDimOp::build(OpBuilder &builder, OperationState &state, Value window,
                        int64_t dim, OpFoldResult peer, Attribute team) {
  auto [dynamic, literal] = split(builder, peer);
  build(builder, state, builder.getIndexType(), window,
        builder.getI64IntegerAttr(dim), dynamic, literal, team);
}

LogicalResult WindowDimOp::verify() {
  auto window = cast<MemRefType>(getWindow().getType());
  if (static_cast<int64_t>(getDim()) < 0 ||
      static_cast<int64_t>(getDim()) >= window.getRank())
    return emitOpError() << "dimension " << static_cast<int64_t>(getDim())
                         << " is not one of the window " << window;
  return verifyPeer(*this, getPeer(), getStaticPeerAttr());
}

void PeerViewOp::build(OpBuilder &builder, OperationState &state, Value window,
                       OpFoldResult peer, Attribute team) {
  auto [dynamic, literal] = split(builder, peer);
  auto type = cast<MemRefType>(window.getType());
  auto view = MemRefType::get(type.getShape(), type.getElementType(),
                              type.getLayout(),
                              PeerAttr::get(builder.getContext()));
  build(builder, state, view, window, dynamic, literal, team);
}

LogicalResult PeerViewOp::verify() {
  auto window = cast<MemRefType>(getWindow().getType());
  auto view = cast<MemRefType>(getView().getType());
  if (window.getShape() != view.getShape() ||
      window.getElementType() != view.getElementType() ||
      window.getLayout() != view.getLayout())
    return emitOpError() << "views " << window << " as " << view
                         << ", which differs in more than the memory space";
  return verifyPeer(*this, getPeer(), getStaticPeerAttr());
}

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

void SignalOp::build(OpBuilder &builder, OperationState &state, Value bank,
                     ArrayRef<OpFoldResult> slot, OpFoldResult peer,
                     Attribute team, OpFoldResult weight, bool relaxed) {
  SmallVector<Value> dynamicSlot;
  SmallVector<int64_t> staticSlot;
  dispatchIndexOpFoldResults(slot, dynamicSlot, staticSlot);
  auto [dynamicPeer, literalPeer] = split(builder, peer);
  auto [dynamicWeight, literalWeight] = split(builder, weight);
  build(builder, state, TypeRange(), bank, dynamicSlot,
        builder.getDenseI64ArrayAttr(staticSlot), dynamicPeer, literalPeer,
        team, /*ctx=*/IntegerAttr(), dynamicWeight, literalWeight,
        relaxed ? builder.getUnitAttr() : UnitAttr());
}

LogicalResult SignalOp::verify() {
  return failure(
      failed(verifySlot(*this, getBank().getType(), getStaticSlot())) ||
      failed(verifyPeer(*this, getPeer(), getStaticPeerAttr())) ||
      failed(verifyContext(*this, getCtxAttr())) ||
      failed(verifyWeight(*this, getWeight(), getStaticWeightAttr())));
}

void WaitOp::build(OpBuilder &builder, OperationState &state, Value bank,
                   ArrayRef<OpFoldResult> slot, OpFoldResult count) {
  SmallVector<Value> dynamicSlot;
  SmallVector<int64_t> staticSlot;
  dispatchIndexOpFoldResults(slot, dynamicSlot, staticSlot);
  auto [dynamic, literal] = split(builder, count);
  build(builder, state, TypeRange(), bank, dynamicSlot,
        builder.getDenseI64ArrayAttr(staticSlot), dynamic, literal, Value(),
        IntegerAttr());
}

OpFoldResult WaitOp::getMixedCount() {
  return mixed(getCount(), getStaticCountAttr());
}
OpFoldResult WaitOp::getMixedTimeout() {
  return mixed(getTimeout(), getStaticTimeoutAttr());
}
OpFoldResult TestOp::getMixedCount() {
  return mixed(getCount(), getStaticCountAttr());
}

LogicalResult WaitOp::verify() {
  if (failed(verifySlot(*this, getBank().getType(), getStaticSlot())) ||
      failed(verifyMixed(*this, "count", getCount(), getStaticCountAttr())))
    return failure();
  if (getTimeout() && getStaticTimeoutAttr())
    return emitOpError("needs its time-out either as a value or as a literal");
  if (getStaticTimeoutAttr() && getStaticTimeoutAttr().getInt() < 0)
    return emitOpError() << "time-out " << getStaticTimeoutAttr().getInt()
                         << " ns is negative; leave it out to wait for ever";
  if (getArrived() && !getMixedTimeout())
    return emitOpError(
        "has a result but no time-out, so the result could only be true; add "
        "`timeout`, or drop the result");
  return success();
}

LogicalResult TestOp::verify() {
  if (failed(verifySlot(*this, getBank().getType(), getStaticSlot())))
    return failure();
  return verifyMixed(*this, "count", getCount(), getStaticCountAttr());
}

LogicalResult ReadOp::verify() {
  return verifySlot(*this, getBank().getType(), getStaticSlot());
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

LogicalResult SpecializeOp::verify() {
  size_t count = getRoles().size();
  if (count == 0)
    return emitOpError("needs at least one role");
  if (getNames().size() != count || getCtas().size() != count ||
      getWarps().size() != count)
    return emitOpError()
           << "has " << count
           << " roles, but names, ctas and warps for another number";
  llvm::StringSet<> seen;
  for (auto [name, ctas, warps] : llvm::zip_equal(
           getNames().getAsRange<StringAttr>(), getCtas(), getWarps())) {
    if (name.empty())
      return emitOpError("has a role whose name is empty");
    if (!seen.insert(name.getValue()).second)
      return emitOpError() << "has two roles named " << name;
    if (ctas < 0 || warps < 0 || (ctas && warps))
      return emitOpError() << "role " << name
                           << " has either CTAs or warps, at least 1, or none";
  }
  return success();
}

LogicalResult SpecializeOp::verifyRegions() {
  // Tokens are positions in their agent's queue: another agent cannot await them.
  for (Region &role : getRoles()) {
    WalkResult result = role.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        if (isa<TokenType>(operand.getType()) &&
            !role.isAncestor(operand.getParentRegion())) {
          nested->emitOpError("uses a token of another agent; await it before "
                              "gin.specialize")
              .attachNote(operand.getLoc())
              << "the token is made here";
          return WalkResult::interrupt();
        }
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Execution level
//===----------------------------------------------------------------------===//

LogicalResult ForkOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *body =
      symbols.lookupNearestSymbolFrom(getOperation(), getBodyAttr());
  auto function = dyn_cast_or_null<FunctionOpInterface>(body);
  if (!function)
    return emitOpError() << "has no function " << getBodyAttr() << " to run";
  SmallVector<Type> wanted{IndexType::get(getContext())};
  llvm::append_range(wanted, getCaptures().getTypes());
  if (function.getArgumentTypes() != ArrayRef<Type>(wanted) ||
      !function.getResultTypes().empty())
    return emitOpError() << "runs " << getBodyAttr()
                         << ", whose type is not (index, captures...) -> ()";
  return success();
}
