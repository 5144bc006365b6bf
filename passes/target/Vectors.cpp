//===- Vectors.cpp - what kernels compute with vectors ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

/// Whether C++ computes with such elements in their own type, and not in a
/// wider one or by functions.
static bool isComputedAsIs(Type vector) {
  Type element = getElementTypeOrSelf(vector);
  return element.isF32() || element.isF64() || element.isInteger(32) ||
         element.isInteger(64) || element.isIndex();
}

static bool hasReduction(vector::ReductionOp reduction) {
  using Kind = vector::CombiningKind;
  // The accumulator comes first, which sums of floating-point numbers depend
  // on.
  return !reduction.getAcc() &&
         isComputedAsIs(reduction.getVector().getType()) &&
         llvm::is_contained({Kind::ADD, Kind::MUL, Kind::MINSI, Kind::MAXSI,
                             Kind::MINIMUMF, Kind::MAXIMUMF},
                            reduction.getKind());
}

bool gin::needsScalars(Operation *op) {
  auto isVector = [](Type type) { return isa<VectorType>(type); };
  if (llvm::none_of(op->getOperandTypes(), isVector) &&
      llvm::none_of(op->getResultTypes(), isVector))
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<arith::AddFOp, arith::AddIOp, arith::DivFOp, arith::DivSIOp,
            arith::MulFOp, arith::MulIOp, arith::SubFOp, arith::SubIOp,
            vector::FMAOp>([](Operation *native) {
        return !isComputedAsIs(native->getResult(0).getType());
      })
      .Case([](vector::ReductionOp reduction) {
        return !hasReduction(reduction);
      })
      .Case([&](arith::SelectOp select) { // one of two vectors, or each element
        return isVector(select.getCondition().getType());
      })
      .Case([](vector::BitCastOp cast) { // not of one element to several
        return cast.getSourceVectorType().getShape() ==
               cast.getResultVectorType().getShape();
      })
      .Case<vector::DeinterleaveOp, vector::InterleaveOp, vector::ShuffleOp,
            vector::ToElementsOp>([](Operation *) { return true; })
      .Default([](Operation *other) {
        return OpTrait::hasElementwiseMappableTraits(other);
      });
}
