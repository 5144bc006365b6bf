//===- MapToKernel.h - parts of gin-map-to-kernel ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_CONVERSION_MAPTOKERNEL_H
#define GINC_PASSES_CONVERSION_MAPTOKERNEL_H

#include "dialect/Gin.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace gin {

// A *level* is the scope whose threads reach a piece of the program together:
// the grid at first, a block where only one block goes on, a thread in the end.

/// Refuses what kernels cannot do; turns allocations into arguments and awaits
/// into flushes.
mlir::LogicalResult prepareForKernel(mlir::func::FuncOp function);

/// Makes each gin.kernel of a program a function, in `kernels`, and the program
/// the function that launches them; it takes the number of blocks, too. Nothing
/// if there is no gin.kernel. After prepareForKernel.
mlir::LogicalResult
outlineKernels(mlir::func::FuncOp function,
               llvm::SmallVectorImpl<mlir::func::FuncOp> &kernels);

//===----------------------------------------------------------------------===//
// Kinds of ops
//===----------------------------------------------------------------------===//

/// Whether `op`, or anything in it, communicates.
bool communicates(mlir::Operation *op);
/// Whether `op`, or anything in it, waits for others.
bool mayWait(mlir::Operation *op);

/// Whether the threads of `level` divide `op` among them, or perform it
/// together.
bool isShared(mlir::Operation *op, Scope level);
/// What the iterations of a loop are divided among: what its mapping says, if
/// it has one, else nothing.
std::optional<Scope> mappingOf(mlir::Operation *op);
/// Refuses mappings to anything but blocks, warps and threads.
mlir::LogicalResult verifyMapping(mlir::scf::ForallOp op);
/// Whether one of two roles is a gin.matmul, so that the other one, of a warp,
/// can run beside its tiles.
bool communicatesBesideMatmul(SpecializeOp op);
/// Whether `op` is or contains such an op, so that all of them must reach it.
bool containsShared(mlir::Operation *op, Scope level);

//===----------------------------------------------------------------------===//
// What everybody does, and what the first does for all
//===----------------------------------------------------------------------===//

/// Divides ops that the threads of a level reach together: what is shared is
/// reached by all of them, and they all need its operands; pure ops and loads
/// that only serve those are repeated by each. The rest is done by the level's
/// first block or thread alone. A loop or branch that yields memrefs to others
/// is reached by all, since memrefs, unlike numbers, are not handed on.
class Division {
public:
  /// `ops` are in order, in one block; `needed` are values that everybody needs
  /// after them.
  Division(llvm::ArrayRef<mlir::Operation *> ops, Scope level,
           llvm::ArrayRef<mlir::Value> needed);

  /// Whether the first one alone does `op`.
  bool isForFirst(mlir::Operation *op) const { return first.contains(op); }
  bool isNeededByAll(mlir::Value value) const { return needed.contains(value); }
  /// Whether `op` is shared, or all go into it.
  bool isReachedByAll(mlir::Operation *op) const {
    return entered.contains(op) || containsShared(op, level);
  }

private:
  void collect(mlir::Operation *op);
  void needWhatAllReach();
  bool enterChoices();
  void need(mlir::Value value);
  void needUses(mlir::Operation *op);
  void divide(mlir::Operation *op);

  Scope level;
  llvm::SmallVector<mlir::Operation *> order; ///< reached by all, in order
  llvm::DenseSet<mlir::Operation *> inside;   ///< the same
  llvm::DenseSet<mlir::Value> needed;
  llvm::DenseSet<mlir::Operation *> entered; ///< for the memrefs they yield
  llvm::DenseSet<mlir::Operation *> first;
};

//===----------------------------------------------------------------------===//
// Which accesses a barrier must keep apart
//===----------------------------------------------------------------------===//

/// Memory that code touches, by the argument or op that a memref comes from.
struct Footprint {
  llvm::DenseSet<mlir::Value> reads, writes;
  bool anything = false; ///< reads and writes what it likes

  void add(const Footprint &other);
  bool empty() const { return reads.empty() && writes.empty() && !anything; }
  /// Whether this and `later` touch something in common, and one writes it.
  bool conflicts(const Footprint &later) const;
};

/// What `op` touches, its regions included. A put reads its source and a get
/// writes its destination; what they do at the peer is ordered by signals.
Footprint footprintOf(mlir::Operation *op);

/// What the threads of a level have done since they were joined last.
struct Pending {
  Footprint shared;      ///< by work that they divided
  Footprint first;       ///< by the first one
  Footprint everybody;   ///< loads that each repeated
  bool acquired = false; ///< the first one has waited for other ranks

  void clear() { *this = Pending(); }
  void add(const Pending &other);
  /// Whether a join must stand before `op`, which is done by `who`.
  enum Who { Shared, First, Everybody };
  bool mustJoin(mlir::Operation *op, Who who) const;
};

/// All that control flow which everybody reaches may leave pending.
Pending pendingAfter(mlir::Operation *op, Scope level,
                     const Division &division);

/// Whether the functions of the device API that `op` becomes at block scope
/// join the block, so that nothing before stays pending.
bool joinsBlock(mlir::Operation *op);

} // namespace gin

#endif // GINC_PASSES_CONVERSION_MAPTOKERNEL_H
