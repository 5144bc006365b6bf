//===- MapToKernelAnalysis.cpp - who does what, and joins -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MapToKernel.h"

#include "dialect/Choices.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// Kinds of ops
//===----------------------------------------------------------------------===//

static bool isCommunication(Operation *op) {
  return isa_and_nonnull<GinDialect>(op->getDialect()) &&
         !isMemoryEffectFree(op) && !isa<SpecializeOp>(op);
}

bool gin::communicates(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isCommunication(inner) ? WalkResult::interrupt()
                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

bool gin::mayWait(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<WaitOp, TestOp, ReadOp, BarrierOp>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The scope of an attribute, if it is one of those that are known.
static std::optional<Scope> scopeOf(Attribute mapping) {
  if (isa<gpu::GPUBlockMappingAttr>(mapping))
    return Scope::Block;
  if (isa<gpu::GPUWarpMappingAttr>(mapping))
    return Scope::Warp;
  if (isa<gpu::GPUThreadMappingAttr>(mapping))
    return Scope::Thread;
  return std::nullopt;
}

std::optional<Scope> gin::mappingOf(Operation *op) {
  auto forall = dyn_cast<scf::ForallOp>(op);
  ArrayAttr mapping = forall ? forall.getMappingAttr() : ArrayAttr();
  return mapping && !mapping.empty() ? scopeOf(mapping[0]) : std::nullopt;
}

LogicalResult gin::verifyMapping(scf::ForallOp op) {
  ArrayAttr mapping = op.getMappingAttr();
  if (!mapping || mapping.empty())
    return success();
  const std::optional<Scope> first = scopeOf(mapping[0]);
  for (Attribute attribute : mapping) {
    std::optional<Scope> scope = scopeOf(attribute);
    if (!scope)
      return op.emitOpError("is mapped to ")
             << attribute << "; map it to #gpu.block, #gpu.warp or "
             << "#gpu.thread, or leave the mapping out";
    if (first != scope)
      return op.emitOpError("is mapped to ")
             << mapping[0] << " and " << attribute
             << "; map all of its dimensions to the same kind, and nest loops "
                "for more than one";
  }
  return success();
}

bool gin::isShared(Operation *op, Scope level) {
  if (level == Scope::Thread)
    return false;
  if (auto parallel = dyn_cast<scf::ParallelOp>(op))
    return parallel.getInitVals().empty();
  if (isa<scf::ForallOp, SpecializeOp, MatmulOp, cf::AssertOp>(op))
    return true;
  // A read acquires for one thread.
  return level != Scope::Grid && isCommunication(op) && !isa<ReadOp>(op);
}

/// Whether a kernel's threads may all go into `op`.
static bool isControlFlow(Operation *op) {
  return isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::IndexSwitchOp>(op);
}

bool gin::containsShared(Operation *op, Scope level) {
  if (isShared(op, level))
    return true;
  if (!isControlFlow(op))
    return false;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (containsShared(&inner, level))
        return true;
  return false;
}

static bool onlyReads(Operation *op) {
  if (isMemoryEffectFree(op))
    return true;
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>()) {
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        if (!onlyReads(&inner))
          return false;
    return true;
  }
  return isa<memref::LoadOp>(op);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

static SetVector<Value> usesOf(Operation *op) {
  SetVector<Value> uses(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), uses);
  return uses;
}

void Division::collect(Operation *op) {
  order.push_back(op);
  inside.insert(op);
  if (isShared(op, level) || !isReachedByAll(op))
    return;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      collect(&inner);
}

void Division::need(Value value) {
  if (!needed.insert(value).second)
    return;
  Operation *op = value.getDefiningOp();
  if (op && inside.contains(op) && !isReachedByAll(op) && onlyReads(op))
    needUses(op);
}

void Division::needUses(Operation *op) {
  for (Value value : usesOf(op))
    need(value);
}

/// A value that nobody needs may be computed by all, unless it depends on what
/// only the first one has.
void Division::divide(Operation *op) {
  if (isReachedByAll(op) || op->hasTrait<OpTrait::IsTerminator>())
    return;
  bool reads = onlyReads(op);
  if (reads && llvm::any_of(op->getResults(), [&](Value result) {
        return isNeededByAll(result);
      }))
    return;
  auto ofFirst = [&](Value value) {
    Operation *definition = value.getDefiningOp();
    return definition && first.contains(definition);
  };
  if (isMemoryEffectFree(op) && llvm::none_of(usesOf(op), ofFirst))
    return;
  first.insert(op);
}

void Division::needWhatAllReach() {
  for (Operation *op : order) {
    if (isShared(op, level)) {
      needUses(op);
    } else if (isReachedByAll(op)) {
      for (Value operand : op->getOperands())
        need(operand);
    } else if (op->hasTrait<OpTrait::IsTerminator>()) {
      needUses(op);
    }
  }
}

/// Has all go into control flow that does more than to read and yields a memref
/// to all, or past something that all reach; returns whether there is any.
bool Division::enterChoices() {
  auto passesOthers = [&](Operation *op, Value result) {
    for (Operation *user : result.getUsers()) {
      Operation *last = op->getBlock()->findAncestorOpInBlock(*user);
      for (Operation *between = op->getNextNode(); last && between != last;
           between = between->getNextNode())
        if (isReachedByAll(between))
          return true;
    }
    return false;
  };
  for (Operation *op : order) {
    if (isReachedByAll(op) || !isControlFlow(op) || onlyReads(op))
      continue;
    for (Value result : op->getResults())
      if (isa<MemRefType>(result.getType()) &&
          (isNeededByAll(result) || passesOthers(op, result)))
        return entered.insert(op).second;
  }
  return false;
}

Division::Division(ArrayRef<Operation *> ops, Scope level,
                   ArrayRef<Value> needed)
    : level(level) {
  // What all go into needs more, of which there may be choices again.
  do {
    order.clear();
    inside.clear();
    this->needed.clear();
    for (Operation *op : ops)
      collect(op);
    for (Value value : needed)
      need(value);
    needWhatAllReach();
  } while (enterChoices());
  for (Operation *op : order)
    divide(op);
}

//===----------------------------------------------------------------------===//
// Footprints
//===----------------------------------------------------------------------===//

void Footprint::add(const Footprint &other) {
  reads.insert(other.reads.begin(), other.reads.end());
  writes.insert(other.writes.begin(), other.writes.end());
  anything |= other.anything;
}

static bool meet(const DenseSet<Value> &a, const DenseSet<Value> &b) {
  return llvm::any_of(a, [&](Value value) { return b.contains(value); });
}

bool Footprint::conflicts(const Footprint &later) const {
  if (empty() || later.empty())
    return false;
  return anything || later.anything || meet(writes, later.reads) ||
         meet(writes, later.writes) || meet(reads, later.writes);
}

/// Whether it is known whose memory this is: windows are disjoint, and a peer
/// view of the own rank is the window.
static bool isOrigin(Value memref) {
  if (Operation *op = memref.getDefiningOp())
    return isa<memref::AllocOp, memref::AllocaOp>(op);
  Operation *parent = cast<BlockArgument>(memref).getOwner()->getParentOp();
  return isa<FunctionOpInterface>(parent);
}

Footprint gin::footprintOf(Operation *op) {
  Footprint all;
  auto touch = [&](DenseSet<Value> &set, Value memref) {
    for (Value origin : originsOf(memref)) {
      set.insert(origin);
      all.anything |= !isOrigin(origin);
    }
  };
  op->walk([&](Operation *inner) {
    if (auto load = dyn_cast<memref::LoadOp>(inner)) {
      touch(all.reads, load.getMemRef());
    } else if (auto store = dyn_cast<memref::StoreOp>(inner)) {
      touch(all.writes, store.getMemRef());
    } else if (auto atomic = dyn_cast<memref::AtomicRMWOp>(inner)) {
      touch(all.reads, atomic.getMemref());
      touch(all.writes, atomic.getMemref());
    } else if (auto put = dyn_cast<PutOp>(inner)) {
      touch(all.reads, put.getSource());
    } else if (auto get = dyn_cast<GetOp>(inner)) {
      touch(all.writes, get.getTarget());
    } else if (auto matmul = dyn_cast<MatmulOp>(inner)) {
      touch(all.reads, matmul.getA());
      touch(all.reads, matmul.getB());
      for (Value data : {matmul.getRows(), matmul.getGroups()})
        if (data)
          touch(all.reads, data);
      touch(all.writes, matmul.getC());
    } else if (!isa_and_nonnull<GinDialect>(inner->getDialect()) &&
               !inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
               !isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp,
                    cf::AssertOp>(inner) &&
               !isMemoryEffectFree(inner)) {
      all.anything = true;
    }
  });
  return all;
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

bool gin::joinsBlock(Operation *op) {
  return isa<PutOp, GetOp, SignalOp, WaitOp, TestOp, AwaitOp, FlushOp,
             BarrierOp, JoinOp, BroadcastOp>(op);
}

/// Whether others must see all that was done before `op`.
static bool releases(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        auto signal = dyn_cast<SignalOp>(inner);
        return isa<BarrierOp>(inner) || (signal && !signal.getRelaxed())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void Pending::add(const Pending &other) {
  shared.add(other.shared);
  first.add(other.first);
  everybody.add(other.everybody);
  acquired |= other.acquired;
}

bool Pending::mustJoin(Operation *op, Who who) const {
  Footprint touched = footprintOf(op);
  // Agents may do what their ops do not say, such as signal.
  bool agents = who == Shared && communicates(op);
  switch (who) {
  case Shared:
    if (agents)
      return acquired || !shared.empty() || !first.empty() ||
             !everybody.empty();
    return (acquired && !touched.empty()) || shared.conflicts(touched) ||
           first.conflicts(touched) || everybody.conflicts(touched);
  case Everybody:
    return (acquired && !touched.empty()) || shared.conflicts(touched) ||
           first.conflicts(touched);
  case First:
    if (releases(op))
      return !shared.empty() || !everybody.empty();
    return shared.conflicts(touched) || everybody.conflicts(touched);
  }
  llvm_unreachable("covered switch");
}

static void addPending(Operation *op, Scope level, const Division &division,
                       Pending &pending) {
  if (isShared(op, level)) {
    if (communicates(op) && (level == Scope::Grid || mappingOf(op))) {
      pending.shared.anything = true;
      pending.acquired |= level == Scope::Grid;
      return;
    }
    pending.shared.add(footprintOf(op));
  } else if (division.isReachedByAll(op)) {
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        addPending(&inner, level, division, pending);
  } else if (division.isForFirst(op)) {
    pending.first.add(footprintOf(op));
    pending.acquired |= level == Scope::Grid && mayWait(op);
  } else {
    pending.everybody.add(footprintOf(op));
  }
}

Pending gin::pendingAfter(Operation *op, Scope level,
                          const Division &division) {
  Pending pending;
  addPending(op, level, division, pending);
  return pending;
}
