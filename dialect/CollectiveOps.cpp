//===- CollectiveOps.cpp - effects and verifiers of collectives -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialect/Gin.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gin;

bool gin::isCollective(Operation *op) {
  return isa<AllGatherOp, AllToAllOp, AllReduceOp, ReduceScatterOp, DispatchOp,
             CombineOp>(op);
}

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

/// A collective communicates whether it is on memrefs or tensors, so it always
/// reads and writes unnamed memory; and its own operands where they are memory.
static void collectiveEffects(DestinationStyleOpInterface op,
                              Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (op.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

void AllGatherOp::getEffects(Effects &effects) {
  collectiveEffects(*this, effects);
}
void AllToAllOp::getEffects(Effects &effects) {
  collectiveEffects(*this, effects);
}
void AllReduceOp::getEffects(Effects &effects) {
  collectiveEffects(*this, effects);
}
void ReduceScatterOp::getEffects(Effects &effects) {
  collectiveEffects(*this, effects);
}
void DispatchOp::getEffects(Effects &effects) {
  collectiveEffects(*this, effects);
}
void CombineOp::getEffects(Effects &effects) {
  collectiveEffects(*this, effects);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// Verifies that the operands are of one kind, and that what is written is a
/// whole window and, unless `inPlace`, no other operand of the op.
static LogicalResult verifyForms(DestinationStyleOpInterface op,
                                 bool inPlace = false) {
  bool tensors = isa<TensorType>(op->getOperand(0).getType());
  for (Type type : op->getOperandTypes())
    if (isa<TensorType>(type) != tensors)
      return op->emitOpError(
          "has both tensors and windows; give one kind of operand");
  if (tensors)
    return success();
  if (op->getNumResults() != 0)
    return op->emitOpError("has a result, but writes into a window; drop the "
                           "result");
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (!cast<MemRefType>(init.get().getType()).getLayout().isIdentity())
      return op->emitOpError() << "writes into " << init.get().getType()
                               << ", which is not a whole window";
    for (OpOperand &other : op->getOpOperands())
      if (!inPlace && &other != &init && other.get() == init.get())
        return op->emitOpError()
               << "has one window as operands " << other.getOperandNumber()
               << " and " << init.getOperandNumber()
               << "; peers write the latter while the former is in use";
  }
  return success();
}

static bool compatible(int64_t a, int64_t b) {
  return ShapedType::isDynamic(a) || ShapedType::isDynamic(b) || a == b;
}

/// A shape as it is written in types.
static std::string printShape(ArrayRef<int64_t> shape) {
  auto extents = llvm::map_range(shape, [](int64_t extent) {
    return ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
  });
  return llvm::join(extents, "x");
}

/// Verifies that `type` has the shape `wanted` and, unless null, the element
/// type `element`. `shapeText` is how the documentation writes that shape.
static LogicalResult verifyShape(Operation *op, StringRef name, Value value,
                                 ArrayRef<int64_t> wanted, Type element,
                                 StringRef shapeText) {
  auto type = cast<ShapedType>(value.getType());
  if (type.getRank() != static_cast<int64_t>(wanted.size()) ||
      !llvm::all_of(llvm::zip_equal(type.getShape(), wanted), [](auto pair) {
        return compatible(std::get<0>(pair), std::get<1>(pair));
      }))
    return op->emitOpError() << name << " is " << type << ", which is not "
                             << shapeText << ", " << printShape(wanted);
  if (element && type.getElementType() != element)
    return op->emitOpError() << name << " has elements of type "
                             << type.getElementType() << ", not " << element;
  return success();
}

/// The number of ranks as an extent of a shape.
static int64_t rankExtent(Attribute team) {
  return getStaticNumRanks(team).value_or(ShapedType::kDynamic);
}

template <typename OpTy>
static SmallVector<int64_t> blockedShape(OpTy op, Value block) {
  SmallVector<int64_t> shape{rankExtent(op.getTeamAttr())};
  llvm::append_range(shape, cast<ShapedType>(block.getType()).getShape());
  return shape;
}

template <typename OpTy>
static Type elementOf(OpTy value) {
  return cast<ShapedType>(value.getType()).getElementType();
}

LogicalResult AllGatherOp::verify() {
  if (failed(verifyForms(*this)))
    return failure();
  return verifyShape(*this, "result", getInit(),
                     blockedShape(*this, getInput()), elementOf(getInput()),
                     "ranks x the input's shape");
}

LogicalResult AllToAllOp::verify() {
  if (failed(verifyForms(*this)))
    return failure();
  auto input = cast<ShapedType>(getInput().getType());
  if (input.getRank() < 1)
    return emitOpError("input has no dimension for the ranks");
  SmallVector<int64_t> shape(input.getShape());
  int64_t ranks = rankExtent(getTeamAttr());
  if (!compatible(shape[0], ranks))
    return emitOpError() << "input has " << shape[0]
                         << " blocks, but the team has " << ranks << " ranks";
  return verifyShape(*this, "result", getInit(), shape, elementOf(getInput()),
                     "the input's shape");
}

LogicalResult AllReduceOp::verify() {
  if (failed(verifyForms(*this, /*inPlace=*/true)))
    return failure();
  return verifyShape(*this, "result", getInit(),
                     cast<ShapedType>(getInput().getType()).getShape(),
                     elementOf(getInput()), "the input's shape");
}

LogicalResult ReduceScatterOp::verify() {
  if (failed(verifyForms(*this)))
    return failure();
  return verifyShape(*this, "input", getInput(), blockedShape(*this, getInit()),
                     elementOf(getInit()), "ranks x the result's shape");
}

/// What dispatch and combine share: experts, positions and the blocks by rank,
/// local expert and capacity.
static LogicalResult verifyRouting(Operation *op, Attribute team, Value experts,
                                   Value positions, StringRef blocksName,
                                   Value blocks, StringRef tokensName,
                                   Value tokens) {
  auto choice = cast<ShapedType>(experts.getType());
  if (choice.getRank() != 2 || !(choice.getElementType().isInteger(32) ||
                                 choice.getElementType().isInteger(64)))
    return op->emitOpError() << "experts is " << choice
                             << ", which is not tokens x choices of i32 or i64";
  auto token = cast<ShapedType>(tokens.getType());
  if (token.getRank() != 2 ||
      !compatible(token.getDimSize(0), choice.getDimSize(0)))
    return op->emitOpError() << tokensName << " is " << token
                             << ", which is not tokens x elements, "
                             << printShape(choice.getShape().take_front())
                             << " tokens as in experts";
  Type i32 = IntegerType::get(op->getContext(), 32);
  if (failed(verifyShape(op, "positions", positions, choice.getShape(), i32,
                         "tokens x choices")))
    return failure();
  int64_t any = ShapedType::kDynamic;
  return verifyShape(
      op, blocksName, blocks, {rankExtent(team), any, any, token.getDimSize(1)},
      token.getElementType(), "ranks x local experts x capacity x elements");
}

LogicalResult DispatchOp::verify() {
  if (failed(verifyForms(*this)) ||
      failed(verifyRouting(*this, getTeamAttr(), getExperts(), getPositions(),
                           "received", getReceived(), "tokens", getTokens())))
    return failure();
  auto received = cast<ShapedType>(getReceived().getType());
  return verifyShape(
      *this, "counts", getCounts(), received.getShape().take_front(2),
      IntegerType::get(getContext(), 32), "ranks x local experts");
}

LogicalResult CombineOp::verify() {
  if (failed(verifyForms(*this)) ||
      failed(verifyRouting(*this, getTeamAttr(), getExperts(), getPositions(),
                           "outputs", getOutputs(), "result", getInit())))
    return failure();
  return verifyShape(*this, "weights", getWeights(),
                     cast<ShapedType>(getExperts().getType()).getShape(),
                     elementOf(getInit()), "tokens x choices");
}
