//===- WeakenAccesses.cpp - element accesses that may be late ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "dialect/Gin.h"
#include "passes/analysis/Communication.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace gin {
#define GEN_PASS_DEF_WEAKENACCESSES
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;
using namespace gin;

static bool isSharedMemory(Type type) {
  return isa<BaseMemRefType>(type) && isShared(type);
}

/// An element access that the executor performs, by a call. Atomics other than
/// additions are plain.
static bool isWeakAccess(Operation *op) {
  Value memref;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    memref = load.getMemRef();
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    memref = store.getMemRef();
  } else if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op)) {
    if (atomic.getKind() == arith::AtomicRMWKind::addi ||
        atomic.getKind() == arith::AtomicRMWKind::addf)
      memref = atomic.getMemref();
  }
  return memref && isSharedMemory(memref.getType()) &&
         getElementTypeOrSelf(memref.getType()).isIntOrIndexOrFloat();
}

/// Whether `op` itself, without what is nested in it, may touch windows by
/// plain instructions.
static bool isPlainAccess(Operation *op) {
  if (isa_and_nonnull<GinDialect>(op->getDialect()))
    return false;
  if (auto access = dyn_cast<AccessOpInterface>(op)) {
    SmallVector<Access> accesses;
    access.getAccesses(accesses);
    return llvm::any_of(accesses, [](const Access &access) {
      return isSharedMemory(access.memref.getType());
    });
  }
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    return llvm::any_of(instances,
                        [](const MemoryEffects::EffectInstance &instance) {
                          if (!isa<MemoryEffects::Read, MemoryEffects::Write>(
                                  instance.getEffect()))
                            return false;
                          Value value = instance.getValue();
                          return !value || isSharedMemory(value.getType());
                        });
  }
  return !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

/// Whether the regions of `op` hold code in which a drain can stand. Other ops,
/// vector.mask for one, allow only what belongs to them.
static bool mayEnter(Operation *op) {
  return isa<RegionBranchOpInterface, LoopLikeOpInterface, FunctionOpInterface>(
             op) ||
         op->hasTrait<OpTrait::SymbolTable>() ||
         isa_and_nonnull<GinDialect>(op->getDialect());
}

static bool containsAccess(Operation *op) {
  return op
      ->walk([&](Operation *nested) {
        return nested != op && (isWeakAccess(nested) || isPlainAccess(nested))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
/// Inserts drains in one function or module. Within a block it knows whether
/// something may be pending, so that a row of plain ops gets one drain.
class Weakener {
public:
  void visit(Region &region) {
    for (Block &block : region)
      visit(block);
  }

private:
  void visit(Block &block) {
    bool pending = true;
    for (Operation &op : llvm::make_early_inc_range(block))
      visit(op, pending);
  }

  void visit(Operation &op, bool &pending) {
    if (isWeakAccess(&op)) {
      // An addition is a call of the executor in any case.
      if (!isa<memref::AtomicRMWOp>(op))
        op.setAttr(kWeakAttr, UnitAttr::get(op.getContext()));
      pending = true;
      return;
    }
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      auto callee = dyn_cast_or_null<CallableOpInterface>(
          call.resolveCallableInTable(&symbols));
      // A function with a body drains where it needs to.
      if (!callee || !callee.getCallableRegion())
        drainBefore(op, pending);
      pending = true;
      return;
    }
    // A function does nothing where it stands.
    if (!op.hasTrait<OpTrait::IsIsolatedFromAbove>() && isPlainAccess(&op)) {
      drainBefore(op, pending);
      // What such an op does in its regions is part of one plain access.
      return;
    }
    if (op.getNumRegions() == 0)
      return;
    if (!mayEnter(&op)) {
      if (containsAccess(&op))
        drainBefore(op, pending);
      return;
    }
    for (Region &region : op.getRegions())
      visit(region);
    pending = true;
  }

  void drainBefore(Operation &op, bool &pending) {
    if (pending) {
      OpBuilder builder(&op);
      DrainOp::create(builder, op.getLoc());
    }
    pending = false;
  }

  SymbolTableCollection symbols;
};

struct WeakenAccesses : gin::impl::WeakenAccessesBase<WeakenAccesses> {
  using WeakenAccessesBase::WeakenAccessesBase;

  void runOnOperation() override {
    Weakener weakener;
    getOperation()->walk([&](FunctionOpInterface function) {
      for (Region &region : function->getRegions())
        weakener.visit(region);
    });
  }
};
} // namespace
