//===- KernelMapperTiles.cpp - tile loops, and warps beside them *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelMapper.h"
#include "TileSizes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// What kernels can multiply
//===----------------------------------------------------------------------===//

/// What gin::MatmulParts has room for, and gin::MatmulGroups.
static constexpr int64_t mostParts = 16, mostGroupedParts = 65535;

static LogicalResult verifyTiles(MatmulOp op) {
  ArrayRef<int64_t> tiles = op.getTileSizes();
  if (tiles[0] != 128 || tiles[2] != 64 ||
      !llvm::is_contained({64, 128, 192, 224, 256}, tiles[1]))
    return op.emitOpError("has tiles of ")
           << tiles[0] << " x " << tiles[1] << " and steps of " << tiles[2]
           << "; kernels have tiles of 128 rows and 64, 128, 192, 224 or 256 "
              "columns, and steps of 64";
  auto type = cast<MemRefType>(op.getA().getType());
  const int64_t most = op.isRagged() ? mostGroupedParts : mostParts;
  if (op.hasParts() && !type.isDynamicDim(0) && type.getDimSize(0) > most)
    return op.emitOpError("has ")
           << type.getDimSize(0) << " parts; kernels have at most " << most;
  for (auto [what, operand] :
       {std::pair("left factor", op.getA()),
        std::pair("right factor", op.getB()), std::pair("result", op.getC())}) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument ||
        !isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      return op.emitOpError("has a ")
             << what
             << " that is no argument of the entry function; kernels describe "
                "operands before the launch, so pass the whole memref";
  }
  return success();
}

/// All blocks of the level compute tiles; single threads of them run the
/// regions.
LogicalResult KernelMapper::mapMatmul(MatmulOp op, Pending &pending) {
  if (failed(verifyTiles(op)))
    return failure();
  Location loc = op.getLoc();
  if (pending.mustJoin(op, Pending::Shared))
    join(loc, Scope::Grid, pending);

  auto copy =
      cast<MatmulOp>(builder.cloneWithoutRegions(*op.getOperation(), values));
  builder.setInsertionPoint(copy);
  TileSizes(builder, copy);
  copy.getFirstBlockMutable().assign(blocks.role ? blocks.first : zero);
  copy.getNumBlocksMutable().assign(blocks.number);
  if (failed(mapRegionsAlone(op, copy)))
    return failure();
  // What has arrived is read by asynchronous copies, and so is what the region
  // itself has written.
  bool writes = false;
  copy.getAcquire().walk([&](Operation *inner) {
    writes |= isa<AwaitOp, FlushOp>(inner) ||
              (!isa<GinDialect>(inner->getDialect()) &&
               hasEffect<MemoryEffects::Write>(inner));
    if (!isa<WaitOp, TestOp, ReadOp>(inner))
      return;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(inner);
    AsyncFenceOp::create(builder, inner->getLoc());
  });
  if (writes) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(copy.getAcquire().front().getTerminator());
    AsyncFenceOp::create(builder, loc);
  }
  if (spareRole) {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&copy.getSpare());
    if (failed(mapSpare(spareRole->front())))
      return failure();
    YieldOp::create(builder, loc);
    spareRole = nullptr;
  }
  builder.setInsertionPointAfter(copy);
  pending.shared.anything = pending.acquired = true;
  return success();
}

//===----------------------------------------------------------------------===//
// Warps beside a matmul
//===----------------------------------------------------------------------===//

/// The only op of a role that does something, if it is a gin.matmul.
static MatmulOp onlyMatmul(Region &role) {
  MatmulOp found;
  for (Operation &op : role.front().without_terminator()) {
    auto matmul = dyn_cast<MatmulOp>(op);
    if (matmul && !found)
      found = matmul;
    else if (!isMemoryEffectFree(&op))
      return {};
  }
  return found;
}

bool gin::communicatesBesideMatmul(SpecializeOp op) {
  return op.getRoles().size() == 2 &&
         (onlyMatmul(op.getRoles()[0]) || onlyMatmul(op.getRoles()[1]));
}

/// A role of one warp beside a role that is a matmul: a spare warp of each
/// block, all of which are the role's agent together.
LogicalResult KernelMapper::mapBesideMatmul(SpecializeOp op, Pending &pending) {
  if (!pending.shared.empty() || !pending.first.empty() ||
      !pending.everybody.empty() || pending.acquired)
    join(op.getLoc(), Scope::Grid, pending);
  const unsigned multiplies = onlyMatmul(op.getRoles()[0]) ? 0 : 1;
  if (op.getCtas()[multiplies] || op.getWarps()[multiplies])
    return op.emitOpError("has a role that multiplies beside one of a warp; it "
                          "has all blocks, so state no number for it");
  spareRole = &op.getRoles()[1 - multiplies];
  SmallVector<Operation *> ops = opsOf(op.getRoles()[multiplies].front());
  ops.pop_back();
  Division division(ops, Scope::Grid, {});
  return mapOps(ops, Scope::Grid, division, pending);
}

/// What the warps of all blocks do: parallel loops are divided among them; the
/// rest, which must be for all of them, is not there, or computes.
LogicalResult KernelMapper::mapSpare(Block &from) {
  for (Operation &op : from.without_terminator()) {
    if (isa<scf::ForallOp, scf::ParallelOp>(op) && communicates(&op)) {
      if (isa<scf::ForallOp, scf::ParallelOp>(from.getParentOp()))
        return op.emitOpError("is a loop of agents in another one, of a role "
                              "of one warp; make them one loop");
      Pending pending;
      if (failed(mapLoop(&op, Scope::Warp, pending)))
        return failure();
      continue;
    }
    if (isMemoryEffectFree(&op) || isa<memref::LoadOp>(op)) {
      builder.clone(op, values);
      continue;
    }
    if (isa<scf::ForOp, scf::IfOp>(op)) {
      Operation *copy = builder.cloneWithoutRegions(op, values);
      if (failed(mapRegions(&op, copy,
                            [&](Block &source) { return mapSpare(source); })))
        return failure();
      continue;
    }
    // Outside of a divided loop each warp would do it.
    const bool divided = op.getParentOfType<scf::ForallOp>() ||
                         op.getParentOfType<scf::ParallelOp>();
    if (!divided || !isa<PutOp, PutValueOp, AtomicAddOp, SignalOp, PaceOp>(op))
      return op.emitOpError("cannot be done by the warps beside a matmul; they "
                            "put and signal, in an scf.forall or scf.parallel "
                            "that is divided among them");
    copyAs(Scope::Warp, &op);
  }
  return success();
}
