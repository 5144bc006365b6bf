//===- DecomposeCollectivesArithmetic.cpp - elements ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DecomposeCollectives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace gin;

bool gin::isNarrowFloat(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
}

Type gin::computeType(Type type) {
  return isNarrowFloat(type) ? Float32Type::get(type.getContext()) : type;
}

Value gin::widen(ImplicitLocOpBuilder &b, Value element) {
  return isNarrowFloat(element.getType())
             ? arith::ExtFOp::create(b, b.getF32Type(), element).getResult()
             : element;
}

Value gin::narrow(ImplicitLocOpBuilder &b, Value wide, Type type) {
  return wide.getType() == type
             ? wide
             : arith::TruncFOp::create(b, type, wide).getResult();
}

Value gin::combine(ImplicitLocOpBuilder &b, ReduceKind kind, Value left,
                   Value right) {
  bool isFloat = isa<FloatType>(left.getType());
  switch (kind) {
  case ReduceKind::Sum:
    return isFloat ? arith::AddFOp::create(b, left, right).getResult()
                   : arith::AddIOp::create(b, left, right).getResult();
  case ReduceKind::Prod:
    return multiply(b, left, right);
  // A NaN wins over numbers, wherever in the order it comes.
  case ReduceKind::Max:
    return isFloat ? arith::MaximumFOp::create(b, left, right).getResult()
                   : arith::MaxSIOp::create(b, left, right).getResult();
  case ReduceKind::Min:
    return isFloat ? arith::MinimumFOp::create(b, left, right).getResult()
                   : arith::MinSIOp::create(b, left, right).getResult();
  }
  llvm_unreachable("all kinds are handled");
}

Value gin::multiply(ImplicitLocOpBuilder &b, Value left, Value right) {
  return isa<FloatType>(left.getType())
             ? arith::MulFOp::create(b, left, right).getResult()
             : arith::MulIOp::create(b, left, right).getResult();
}

void CollectiveEmitter::map(ValueRange sources, Value target,
                            ElementBody body) {
  int64_t rank = cast<MemRefType>(target.getType()).getRank();
  SmallVector<AffineMap> maps(sources.size() + 1,
                              b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  linalg::GenericOp::create(
      b, sources, ValueRange(target), maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange elements) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(nested.getInsertionBlock(),
                            nested.getInsertionPoint());
        Value result = body(elements.take_front(sources.size()));
        linalg::YieldOp::create(b, result);
      });
}

void CollectiveEmitter::fill(Value target, TypedAttr value) {
  linalg::FillOp::create(b, ValueRange(arith::ConstantOp::create(b, value)),
                         ValueRange(target));
}

void CollectiveEmitter::reduce(ReduceKind kind, Value left, Value right,
                               Value target) {
  Type element = cast<MemRefType>(target.getType()).getElementType();
  map({left, right}, target, [&](ValueRange elements) {
    return narrow(
        b, combine(b, kind, widen(b, elements[0]), widen(b, elements[1])),
        element);
  });
}
