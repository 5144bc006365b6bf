//===- DecomposeCollectivesChecks.cpp - shapes at run time ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What verifiers demand of static shapes, for all others. An assertion says
// what is wrong in words alone: it has no operands that a message could name.
//
//===----------------------------------------------------------------------===//

#include "DecomposeCollectives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace gin;

bool gin::hasZero(Value memref) {
  return llvm::is_contained(cast<MemRefType>(memref.getType()).getShape(), 0);
}

static std::string describe(const CollectiveEmitter::Extent &extent) {
  return ("dimension " + Twine(extent.dim) + " of " + extent.what).str();
}

void CollectiveEmitter::check(arith::CmpIPredicate predicate, Value one,
                              Value other, const Twine &error) {
  // The verifier has compared what is known.
  if (one == other || (getConstantIntValue(one) && getConstantIntValue(other)))
    return;
  Value holds = arith::CmpIOp::create(b, predicate, one, other);
  cf::AssertOp::create(b, holds,
                       (op->getName().stripDialect() + ": " + error).str());
}

Value CollectiveEmitter::checkedSize(const Extent &extent) {
  Value &size = checked[{extent.memref, extent.dim}];
  if (size)
    return size;
  auto type = cast<MemRefType>(extent.memref.getType());
  return size = type.isDynamicDim(extent.dim)
                    ? make<memref::DimOp>(extent.memref, index(extent.dim))
                    : index(type.getDimSize(extent.dim));
}

void CollectiveEmitter::checkSame(const Extent &one, const Extent &other) {
  AffineExpr known = sizes.extent(one.memref, one.dim, /*exact=*/true);
  if (known && known == sizes.extent(other.memref, other.dim, /*exact=*/true))
    return;
  check(arith::CmpIPredicate::eq, checkedSize(one), checkedSize(other),
        describe(one) + " differs from " + describe(other));
}

void CollectiveEmitter::checkSameShape(const Operand &one,
                                       const Operand &other) {
  int64_t rank = cast<MemRefType>(one.memref.getType()).getRank() - one.first;
  for (int64_t dim = 0; dim < rank; ++dim)
    checkSame({one.what, one.memref, one.first + dim},
              {other.what, other.memref, other.first + dim});
}

void CollectiveEmitter::checkRanks(const Extent &extent) {
  if (!sizes.knowsRanks(team))
    return check(arith::CmpIPredicate::uge, checkedSize(extent), ranks,
                 describe(extent) + " is less than the team's number of ranks");
  if (sizes.extent(extent.memref, extent.dim, /*exact=*/true) !=
      sizes.ranks(team))
    check(arith::CmpIPredicate::eq, checkedSize(extent), ranks,
          describe(extent) + " differs from the team's number of ranks");
}

void CollectiveEmitter::checkAlike(ArrayRef<Operand> operands, Value scratch) {
  const Operand &main = operands.front();
  if (cast<MemRefType>(main.memref.getType()).getRank() == main.first)
    return;
  // Where all ranks have the same of one operand, their own checks suffice.
  bool isTraced = false;
  Value window;
  for (const Operand &operand : operands) {
    AffineExpr known =
        sizes.extent(operand.memref, operand.first, /*exact=*/true);
    if (known && isAlike(known))
      return;
    isTraced |= bool(known);
    // A peer tells the extents of whole windows only.
    if (!window && operand.first == 0 && isa<BlockArgument>(operand.memref))
      window = operand.memref;
  }
  if (!window && isTraced)
    window = scratch;
  if (!window)
    return;
  // It suffices that each has what its right neighbour has.
  Value peer = neighbor(b.getIndexAttr(1));
  check(arith::CmpIPredicate::eq, checkedSize({"", window, 0}),
        WindowDimOp::create(b, window, 0, peer, team),
        describe({main.what, main.memref, main.first}) +
            " differs between ranks");
}
