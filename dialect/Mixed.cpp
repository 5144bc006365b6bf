//===- Mixed.cpp - operands that are values or literals ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

using namespace mlir;
using namespace gin;

OpFoldResult gin::getMixed(Value dynamic, IntegerAttr literal) {
  return literal ? OpFoldResult(literal) : OpFoldResult(dynamic);
}

SplitMixed::SplitMixed(Builder &builder, OpFoldResult mixed)
    : dynamic(dyn_cast_if_present<Value>(mixed)) {
  if (auto attr = dyn_cast_if_present<Attribute>(mixed))
    literal = builder.getI64IntegerAttr(cast<IntegerAttr>(attr).getInt());
}

SplitMixedList::SplitMixedList(Builder &builder, ArrayRef<OpFoldResult> mixed) {
  SmallVector<int64_t> values;
  dispatchIndexOpFoldResults(mixed, dynamic, values);
  literals = builder.getDenseI64ArrayAttr(values);
}

LogicalResult gin::verifyMixed(Operation *op, StringRef what, Value dynamic,
                               IntegerAttr literal) {
  if (static_cast<bool>(dynamic) == static_cast<bool>(literal))
    return op->emitOpError()
           << "needs its " << what << " either as a value or as a literal";
  return success();
}

LogicalResult gin::verifyMixedList(Operation *op, StringRef what,
                                   ValueRange dynamic,
                                   ArrayRef<int64_t> literals) {
  size_t marks = llvm::count_if(literals, ShapedType::isDynamic);
  if (marks != dynamic.size())
    return op->emitOpError()
           << "has " << dynamic.size() << " values for its " << what << ", but "
           << marks << " places for them among the literals";
  return success();
}

//===----------------------------------------------------------------------===//
// Peers and contexts
//===----------------------------------------------------------------------===//

bool gin::isPeerLiteral(int64_t peer, Attribute team) {
  std::optional<int64_t> ranks = getStaticNumRanks(team);
  return peer >= 0 && (!ranks || peer < *ranks);
}

LogicalResult gin::verifyPeer(Operation *op, Value dynamic, IntegerAttr literal,
                              Attribute team) {
  if (failed(verifyMixed(op, "peer", dynamic, literal)))
    return failure();
  if (!literal || isPeerLiteral(literal.getInt(), team))
    return success();
  if (literal.getInt() < 0)
    return op->emitOpError()
           << "peer " << literal.getInt() << " is negative; ranks count from 0";
  return op->emitOpError() << "peer " << literal.getInt()
                           << " is not in the team " << team << " of "
                           << *getStaticNumRanks(team)
                           << " ranks; peers are relative to the team";
}

LogicalResult gin::verifyContext(Operation *op, IntegerAttr context) {
  if (context && context.getInt() < 0)
    return op->emitOpError() << "context " << context.getInt()
                             << " is negative; contexts count from 0";
  return success();
}

//===----------------------------------------------------------------------===//
// Slots and weights
//===----------------------------------------------------------------------===//

bool gin::isSlotLiteral(int64_t index, int64_t extent) {
  return index >= 0 && (ShapedType::isDynamic(extent) || index < extent);
}

LogicalResult gin::verifySlot(Operation *op, Value bank, ValueRange dynamic,
                              ArrayRef<int64_t> literals) {
  auto type = cast<SignalsType>(bank.getType());
  if (static_cast<int64_t>(literals.size()) != type.getRank())
    return op->emitOpError()
           << "names a slot by " << literals.size() << " indices, but the bank "
           << type << " has " << type.getRank() << " dimensions";
  if (failed(verifyMixedList(op, "slot", dynamic, literals)))
    return failure();
  for (auto [dim, index] : llvm::enumerate(literals))
    if (!ShapedType::isDynamic(index) &&
        !isSlotLiteral(index, type.getShape()[dim]))
      return op->emitOpError()
             << "slot index " << index << " in dimension " << dim
             << " is out of the range of the bank " << type;
  return success();
}

LogicalResult gin::verifyWeight(Operation *op, Value dynamic,
                                IntegerAttr literal) {
  if (dynamic && literal)
    return op->emitOpError(
        "needs its weight either as a value or as a literal");
  if (literal && !isWeightLiteral(literal.getInt()))
    return op->emitOpError() << "weight " << literal.getInt()
                             << " is less than 1; signals only grow";
  return success();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

bool gin::isPlaceLiteral(int64_t index, int64_t size, int64_t extent) {
  if (index < 0)
    return false;
  if (ShapedType::isDynamic(extent))
    return true;
  // An empty block may stand at the end.
  int64_t needed = ShapedType::isDynamic(size) ? 0 : size;
  return index <= extent && needed <= extent - index;
}

int64_t gin::getBlockExtent(ArrayRef<int64_t> block, int64_t rank,
                            int64_t dim) {
  int64_t leading = rank - static_cast<int64_t>(block.size());
  return dim < leading ? 1 : block[dim - leading];
}
