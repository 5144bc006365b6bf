//===- InternalArguments.cpp - banks and scratch windows --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "dialect/Gin.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/Support/MathExtras.h"

using namespace ginc;
using namespace mlir;

using Kind = Argument::Kind;

/// The sizes that `?` in the types of the arguments stand for on a rank, in
/// order, leaving out what is scratch.
std::vector<int64_t> Arguments::dynamicSizes(int64_t rank) const {
  std::vector<int64_t> dynamic;
  for (const Argument &argument : list) {
    if (!argument.isArray())
      continue;
    for (auto [known, extent] :
         llvm::zip(staticShape(argument.type), argument.shapes[rank]))
      if (ShapedType::isDynamic(known))
        dynamic.push_back(extent);
  }
  return dynamic;
}

/// The value of an affine expression, or none where it has none in 64 bits.
static std::optional<int64_t> evaluate(AffineExpr expr,
                                       ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<int64_t> left = evaluate(binary.getLHS(), symbols);
  std::optional<int64_t> right = evaluate(binary.getRHS(), symbols);
  if (!left || !right)
    return std::nullopt;
  int64_t value;
  if (expr.getKind() == AffineExprKind::Add)
    return llvm::AddOverflow(*left, *right, value) ? std::nullopt
                                                   : std::optional(value);
  if (expr.getKind() == AffineExprKind::Mul)
    return llvm::MulOverflow(*left, *right, value) ? std::nullopt
                                                   : std::optional(value);
  if (*right <= 0)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return llvm::divideFloorSigned(*left, *right);
  if (expr.getKind() == AffineExprKind::CeilDiv)
    return llvm::divideCeilSigned(*left, *right);
  return llvm::mod(*left, *right);
}

LogicalResult Arguments::shapeFromMap(Argument &argument, AffineMap map) {
  ArrayRef<int64_t> known = staticShape(argument.type);
  for (int64_t rank = 0; rank < ranks; ++rank) {
    std::vector<int64_t> symbols = {ranks};
    llvm::append_range(symbols, dynamicSizes(rank));
    if (symbols.size() < map.getNumSymbols())
      return emitError(argument.location)
             << "'" << gin::kSizesAttr << "' of " << argument.describe()
             << " takes " << map.getNumSymbols()
             << " sizes, but there are the number of ranks and "
             << symbols.size() - 1 << " dynamic sizes";
    std::vector<int64_t> shape;
    ArrayRef<AffineExpr> result = map.getResults();
    for (int64_t extent : known) {
      if (ShapedType::isDynamic(extent)) {
        std::optional<int64_t> value = evaluate(result.front(), symbols);
        if (!value)
          return emitError(argument.location)
                 << "'" << gin::kSizesAttr << "' of " << argument.describe()
                 << " has no value on rank " << rank << " of " << ranks
                 << ": it needs more than 64 bits, or divides by 0 or less";
        extent = *value;
        result = result.drop_front();
      }
      if (extent < 0)
        return emitError(argument.location)
               << "'" << gin::kSizesAttr << "' of " << argument.describe()
               << " gives the negative extent " << extent << " on rank "
               << rank;
      shape.push_back(extent);
    }
    argument.shapes.push_back(std::move(shape));
  }
  return success();
}

LogicalResult Arguments::planInternal(func::FuncOp entry, unsigned index) {
  Argument &argument = list[index];
  auto sized = settings.dims.find(argument.name);
  auto map = entry.getArgAttrOfType<AffineMapAttr>(index, gin::kSizesAttr);
  ArrayRef<int64_t> known = staticShape(argument.type);
  LogicalResult shaped = success();
  if (map && llvm::any_of(known, ShapedType::isDynamic))
    shaped = shapeFromMap(argument, map.getValue());
  else if (sized != settings.dims.end())
    shaped = shapeFromSizes(argument, sized->second);
  else if (llvm::none_of(known, ShapedType::isDynamic))
    argument.shapes.assign(ranks, known.vec());
  else
    return emitError(argument.location)
           << argument.describe() << " is " << argument.type
           << ", whose sizes nothing gives; add '" << gin::kSizesAttr
           << "' or pass --dims " << argument.name << "=<extents>";
  if (failed(shaped))
    return failure();
  if (map && sized != settings.dims.end()) {
    // It may say the same, but not something else.
    Argument given(argument);
    given.shapes.clear();
    if (failed(shapeFromSizes(given, sized->second)))
      return failure();
    for (auto [rank, shapes] :
         llvm::enumerate(llvm::zip(argument.shapes, given.shapes)))
      if (auto [shape, other] = shapes; shape != other)
        return settings.error(sized->second, sizes,
                              "'" + gin::kSizesAttr + "' of %" + argument.name +
                                  " says that its shape is " +
                                  formatShape(shape) + " on rank " +
                                  Twine(rank) + ", not " + formatShape(other));
  }
  if (argument.kind != Kind::Bank)
    return checkWindow(argument);
  // Banks are alike on all ranks.
  std::vector<int64_t> largest = argument.shapes.front();
  for (const std::vector<int64_t> &shape : argument.shapes)
    for (auto [extent, other] : llvm::zip(largest, shape))
      extent = std::max(extent, other);
  argument.shapes = {largest};
  return success();
}
