//===- DecomposeCollectivesSizes.cpp - extents by arguments -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Upstream's value bounds know affine expressions only. Here products and
// quotients of sizes are welcome: `gin.sizes` is evaluated, not analysed.
//
//===----------------------------------------------------------------------===//

#include "DecomposeCollectives.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace gin;

Value gin::rootOf(Value window) {
  while (auto view = window.getDefiningOp<ViewLikeOpInterface>())
    window = view.getViewSource();
  return window;
}

static bool isWorld(Attribute team) {
  auto some = dyn_cast_or_null<TeamAttr>(team);
  return !team || isa<GridAttr>(team) ||
         (some && some.getKind() == TeamKind::World);
}

/// The number of ranks that `team` has whenever the program can run, or none.
static std::optional<int64_t> staticRanks(Attribute team) {
  if (auto grid = dyn_cast_or_null<GridAttr>(team); grid && grid.isStatic())
    return grid.getNumRanks();
  auto some = dyn_cast_or_null<TeamAttr>(team);
  if (!some || some.getKind() != TeamKind::Axis)
    return std::nullopt;
  int64_t extent = some.getGrid().getShape()[some.getAxis()];
  return ShapedType::isDynamic(extent) ? std::nullopt : std::optional(extent);
}

AffineExpr SizeTracer::constant(int64_t value) {
  return getAffineConstantExpr(value, function.getContext());
}

AffineExpr SizeTracer::ranks(Attribute team) {
  if (std::optional<int64_t> known = staticRanks(team))
    return constant(*known);
  return getAffineSymbolExpr(0, function.getContext());
}

bool SizeTracer::knowsRanks(Attribute team) {
  return isWorld(team) || staticRanks(team);
}

AffineExpr SizeTracer::extent(Value memref, int64_t dim, bool exact) {
  int64_t known = cast<MemRefType>(memref.getType()).getDimSize(dim);
  if (!ShapedType::isDynamic(known))
    return constant(known);
  if (auto argument = dyn_cast<BlockArgument>(memref))
    return argument.getOwner() == &function.front()
               ? argumentExtent(argument, dim)
               : AffineExpr();
  return viewExtent(memref.getDefiningOp(), dim, exact);
}

bool SizeTracer::isScratch(BlockArgument argument) {
  return static_cast<bool>(
      function.getArgAttr(argument.getArgNumber(), kScratchAttr));
}

bool SizeTracer::isAlike(AffineExpr extent) {
  SmallVector<bool> symbols = {true}; // the number of ranks
  for (BlockArgument argument : function.getArguments())
    if (auto memref = dyn_cast<MemRefType>(argument.getType());
        memref && !isScratch(argument))
      for (auto [dim, known] : llvm::enumerate(memref.getShape()))
        if (ShapedType::isDynamic(known))
          symbols.push_back(isWindow(memref) && dim > 0);
  WalkResult result = extent.walk([&](AffineExpr part) {
    auto symbol = dyn_cast<AffineSymbolExpr>(part);
    return symbol && (symbol.getPosition() >= symbols.size() ||
                      !symbols[symbol.getPosition()])
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

AffineExpr SizeTracer::argumentExtent(BlockArgument argument, int64_t dim) {
  auto type = cast<MemRefType>(argument.getType());
  unsigned position = type.getDynamicDimIndex(dim);
  if (isScratch(argument)) {
    auto map = function.getArgAttrOfType<AffineMapAttr>(argument.getArgNumber(),
                                                        kSizesAttr);
    return map ? map.getValue().getResult(position) : AffineExpr();
  }
  position += 1; // after the number of ranks
  for (BlockArgument earlier :
       function.getArguments().take_front(argument.getArgNumber()))
    if (auto memref = dyn_cast<MemRefType>(earlier.getType());
        memref && !isScratch(earlier))
      position += memref.getNumDynamicDims();
  return getAffineSymbolExpr(position, function.getContext());
}

AffineExpr SizeTracer::viewExtent(Operation *view, int64_t dim, bool exact) {
  if (auto subview = dyn_cast<memref::SubViewOp>(view)) {
    llvm::SmallBitVector dropped = subview.getDroppedDims();
    for (auto [position, size] : llvm::enumerate(subview.getMixedSizes()))
      if (!dropped.test(position) && dim-- == 0)
        return index(size, exact);
    return {};
  }
  if (auto cast = dyn_cast<memref::CastOp>(view))
    return isa<MemRefType>(cast.getSource().getType())
               ? extent(cast.getSource(), dim, exact)
               : AffineExpr();
  if (auto aligned = dyn_cast<memref::AssumeAlignmentOp>(view))
    return extent(aligned.getMemref(), dim, exact);
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(view))
    return index(expand.getMixedOutputShape()[dim], exact);
  if (auto transpose = dyn_cast<memref::TransposeOp>(view))
    return extent(transpose.getIn(),
                  transpose.getPermutation().getDimPosition(dim), exact);
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(view)) {
    AffineExpr product = constant(1);
    const ReassociationIndices sources =
        collapse.getReassociationIndices()[dim];
    for (int64_t from : sources) {
      AffineExpr factor = extent(collapse.getSrc(), from, exact);
      if (!factor)
        return {};
      product = product * factor;
    }
    return product;
  }
  return {};
}

AffineExpr SizeTracer::index(OpFoldResult value, bool exact) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return constant(*known);
  Operation *op = cast<Value>(value).getDefiningOp();
  if (!op)
    return {};
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> position = dim.getConstantIndex();
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    return position && type && *position < type.getRank()
               ? extent(dim.getSource(), *position, exact)
               : AffineExpr();
  }
  if (auto count = dyn_cast<NumRanksOp>(op))
    return knowsRanks(count.getTeamAttr()) || !exact
               ? ranks(count.getTeamAttr())
               : AffineExpr();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<AffineExpr> operands;
    for (Value operand : apply.getMapOperands())
      if (!(operands.emplace_back(index(operand, /*exact=*/true))))
        return {};
    auto [dims, symbols] = std::pair(
        ArrayRef(operands).take_front(apply.getAffineMap().getNumDims()),
        ArrayRef(operands).drop_front(apply.getAffineMap().getNumDims()));
    return apply.getAffineMap().getResult(0).replaceDimsAndSymbols(dims,
                                                                   symbols);
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return index(op->getOperand(0), exact);
  return op->getNumOperands() == 2 ? binary(op, exact) : AffineExpr();
}

AffineExpr SizeTracer::binary(Operation *op, bool exact) {
  // Of two bounds either will do, a constant above all.
  if (isa<arith::MinUIOp, arith::MinSIOp>(op)) {
    AffineExpr left = index(op->getOperand(0), /*exact=*/false);
    AffineExpr right = index(op->getOperand(1), /*exact=*/false);
    if (exact)
      return {};
    return left && (!right || isa<AffineConstantExpr>(left)) ? left : right;
  }
  // Sizes are not negative, so sums and quotients grow with their left operand.
  bool isSum = isa<arith::AddIOp>(op);
  bool isMonotone =
      isSum ||
      isa<arith::SubIOp, arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp,
          arith::CeilDivUIOp, arith::CeilDivSIOp>(op);
  AffineExpr left = index(op->getOperand(0), exact || !isMonotone);
  AffineExpr right = index(op->getOperand(1), exact || !isSum);
  if (!left || !right)
    return {};
  if (isSum)
    return left + right;
  if (isa<arith::SubIOp>(op))
    return left - right;
  if (isa<arith::MulIOp>(op))
    return left * right;
  // A divisor of 0 has no value here nor there.
  if (isa<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(op))
    return left.floorDiv(right);
  if (isa<arith::CeilDivUIOp, arith::CeilDivSIOp>(op))
    return left.ceilDiv(right);
  if (isa<arith::RemUIOp, arith::RemSIOp>(op))
    return left % right;
  return {};
}
