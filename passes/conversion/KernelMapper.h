//===- KernelMapper.h - maps a program to a kernel --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Private to gin-map-to-kernel.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_CONVERSION_KERNELMAPPER_H
#define GINC_PASSES_CONVERSION_KERNELMAPPER_H

#include "MapToKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

namespace gin {

/// The ops of a block, its terminator included.
inline llvm::SmallVector<mlir::Operation *> opsOf(mlir::Block &block) {
  llvm::SmallVector<mlir::Operation *> ops;
  for (mlir::Operation &op : block)
    ops.push_back(&op);
  return ops;
}

inline constexpr int64_t threadsOfWarp = 32;

inline mlir::Location named(mlir::Location loc, llvm::StringRef name) {
  return mlir::NameLoc::get(mlir::StringAttr::get(loc.getContext(), name), loc);
}

/// Threads of a block that runs a gin.matmul: gin::MatmulConfig::threads.
inline constexpr unsigned tileThreads = 384;

/// Maps ops, level by level: all threads of a level reach what it is given.
class KernelMapper {
public:
  KernelMapper(mlir::OpBuilder &builder, mlir::IRMapping &values,
               unsigned blockSize)
      : builder(builder), values(values), blockSize(blockSize) {}

  /// Maps the body of a function, whose arguments `values` has.
  mlir::LogicalResult mapBody(mlir::Block &body, Scope level);

  /// The fewest blocks with which all roles have one; after mapBody.
  int64_t leastBlocks = 1;

private:
  mlir::LogicalResult mapOps(llvm::ArrayRef<mlir::Operation *> ops, Scope level,
                             const Division &division, Pending &pending);
  mlir::LogicalResult mapShared(mlir::Operation *op, Scope level,
                                Pending &pending);
  mlir::LogicalResult mapControlFlow(mlir::Operation *op, Scope level,
                                     const Division &division,
                                     Pending &pending);
  mlir::LogicalResult mapLoop(mlir::Operation *op, Scope level,
                              Pending &pending);
  mlir::FailureOr<std::optional<Scope>> divisionOf(mlir::Operation *op,
                                                   Scope level);
  mlir::LogicalResult mapIteration(mlir::Block &body, Scope level);
  mlir::LogicalResult mapFirst(llvm::ArrayRef<mlir::Operation *> ops,
                               Scope level, const Division &division,
                               Pending &pending);
  mlir::LogicalResult mapRegion(mlir::Region &from, mlir::Region &to,
                                Scope level, const Division &division,
                                Pending &pending);
  mlir::LogicalResult mapAlone(mlir::Operation *op);
  /// Fills the regions of `copy`, which has none yet, with what `mapOps` makes
  /// of the blocks of `op`, and their terminators.
  mlir::LogicalResult
  mapRegions(mlir::Operation *op, mlir::Operation *copy,
             llvm::function_ref<mlir::LogicalResult(mlir::Block &)> mapOps);
  mlir::LogicalResult mapRegionsAlone(mlir::Operation *op,
                                      mlir::Operation *copy);
  mlir::LogicalResult mapMatmul(MatmulOp op, Pending &pending);
  mlir::LogicalResult mapBesideMatmul(SpecializeOp op, Pending &pending);
  mlir::LogicalResult mapSpare(mlir::Block &from);
  /// Whether this is what the warps beside a gin.matmul do.
  bool isSpare(Scope level) const { return level == Scope::Warp && spareRole; }
  void copyAs(Scope scope, mlir::Operation *op);

  void join(mlir::Location loc, Scope level, Pending &pending) {
    if (level == Scope::Grid)
      JoinOp::create(builder, loc, level, blocks.role, blocks.first,
                     blocks.count);
    else
      JoinOp::create(builder, loc, level);
    pending.clear();
  }
  void useBlocks(mlir::Location loc, mlir::IntegerAttr role, mlir::Value first,
                 mlir::Value count);
  mlir::LogicalResult mapRoles(SpecializeOp op, Pending &pending);
  mlir::LogicalResult mapWarpRoles(SpecializeOp op, Pending &pending);
  mlir::Value index(mlir::Location loc, int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }
  mlir::Value valueOf(mlir::Location loc, mlir::OpFoldResult bound) {
    if (std::optional<int64_t> constant = mlir::getConstantIntValue(bound))
      return index(loc, *constant);
    return values.lookup(mlir::cast<mlir::Value>(bound));
  }

  mlir::OpBuilder &builder;
  mlir::IRMapping &values;
  const unsigned blockSize;    ///< in threads
  mlir::Value thread, threads; ///< of the block
  mlir::Value firstThread;     ///< whether this is the first
  mlir::Value zero;
  mlir::Value warpThreads; ///< `threads` where a warp goes on, else null

  /// The blocks that run this part of the program: those of the grid, or of a
  /// role.
  struct Blocks {
    mlir::IntegerAttr role;
    mlir::Value first, count;  ///< of a role
    mlir::Value index, number; ///< of this block among them
    mlir::Value isFirst;       ///< whether this is the first
    mlir::Value place, places; ///< of this thread among theirs
  } blocks;
  mlir::Value block; ///< of the grid
  /// The role of a warp that runs beside the next gin.matmul, if any.
  mlir::Region *spareRole = nullptr;
};

} // namespace gin

#endif // GINC_PASSES_CONVERSION_KERNELMAPPER_H
