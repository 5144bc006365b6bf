//===- MapToKernel.cpp - programs become kernels ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One kernel for each entry function, or for each gin.kernel. All its threads
// start at the grid's level; where only one block or thread goes on, they are
// kept out by a condition, and values that they need later are handed to them.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "KernelMapper.h"
#include "passes/analysis/EntryFunctions.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

namespace gin {
#define GEN_PASS_DEF_MAPTOKERNEL
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;
using namespace gin;

LogicalResult KernelMapper::mapBody(Block &body, Scope level) {
  Location loc = body.getParentOp()->getLoc();
  auto dimension = gpu::Dimension::x;
  thread = gpu::ThreadIdOp::create(builder, named(loc, "thread"), dimension);
  threads = gpu::BlockDimOp::create(builder, named(loc, "threads"), dimension);
  zero = index(loc, 0);
  firstThread = arith::CmpIOp::create(builder, named(loc, "first_thread"),
                                      arith::CmpIPredicate::eq, thread, zero);
  if (level == Scope::Grid) {
    block = gpu::BlockIdOp::create(builder, named(loc, "block"), dimension);
    Value number =
        gpu::GridDimOp::create(builder, named(loc, "blocks"), dimension);
    useBlocks(loc, {}, {}, number);
  }
  SmallVector<Operation *> ops = opsOf(body);
  ops.pop_back(); // the return
  Division division(ops, level, {});
  Pending pending;
  return mapOps(ops, level, division, pending);
}

/// From here on `count` blocks run the program, `first` the first of them; all
/// of the grid if there is no role.
void KernelMapper::useBlocks(Location loc, IntegerAttr role, Value first,
                             Value count) {
  blocks = {};
  blocks.role = role;
  blocks.number = count;
  blocks.index = block;
  if (role) {
    blocks.first = first;
    blocks.count = count;
    if (first != zero)
      blocks.index = arith::SubIOp::create(builder, loc, block, first);
  }
  blocks.isFirst =
      arith::CmpIOp::create(builder, named(loc, "first_block"),
                            arith::CmpIPredicate::eq, blocks.index, zero);
  Value before = arith::MulIOp::create(builder, loc, blocks.index, threads);
  blocks.place =
      arith::AddIOp::create(builder, named(loc, "place"), before, thread);
  blocks.places = arith::MulIOp::create(builder, named(loc, "places"),
                                        blocks.number, threads);
}

/// Maps ops that all threads of `level` reach. Consecutive ones for the first
/// thread or block share a condition.
LogicalResult KernelMapper::mapOps(ArrayRef<Operation *> ops, Scope level,
                                   const Division &division, Pending &pending) {
  SmallVector<Operation *> group;
  auto flush = [&] {
    LogicalResult result =
        group.empty() ? success() : mapFirst(group, level, division, pending);
    group.clear();
    return result;
  };
  for (Operation *op : ops) {
    if (op->hasTrait<OpTrait::IsTerminator>())
      continue; // the caller's
    if (division.isForFirst(op)) {
      group.push_back(op);
      continue;
    }
    // What has no effects need not wait for its turn.
    bool effects = !isMemoryEffectFree(op);
    bool uses = llvm::any_of(group, [&](Operation *earlier) {
      return llvm::any_of(earlier->getUsers(), [&](Operation *user) {
        return op == user || op->isProperAncestor(user);
      });
    });
    if ((effects || uses) && failed(flush()))
      return failure();
    LogicalResult result = success();
    if (isShared(op, level)) {
      result = mapShared(op, level, pending);
    } else if (division.isReachedByAll(op)) {
      result = mapControlFlow(op, level, division, pending);
    } else {
      if (pending.mustJoin(op, Pending::Everybody))
        join(op->getLoc(), level, pending);
      pending.everybody.add(footprintOf(op));
      result = mapAlone(op);
    }
    if (failed(result))
      return failure();
  }
  return flush();
}

//===----------------------------------------------------------------------===//
// What the first one does for all
//===----------------------------------------------------------------------===//

LogicalResult KernelMapper::mapFirst(ArrayRef<Operation *> ops, Scope level,
                                     const Division &division,
                                     Pending &pending) {
  Location loc = ops.front()->getLoc();
  if (llvm::any_of(ops, [&](Operation *op) {
        return pending.mustJoin(op, Pending::First);
      }))
    join(loc, level, pending);

  // What is used later leaves the condition as its result.
  DenseSet<Operation *> members(ops.begin(), ops.end());
  SmallVector<Value> results;
  SmallVector<Type> types;
  for (Operation *op : ops) {
    for (Value result : op->getResults()) {
      bool outside = llvm::any_of(result.getUsers(), [&](Operation *user) {
        while (user && !members.contains(user))
          user = user->getParentOp();
        return !user;
      });
      if (!outside)
        continue;
      if (isa<memref::AllocaOp>(op))
        return op->emitOpError(
            "allocates memory of a single thread, and others "
            "use it; allocate before the agents fork, with "
            "a part for each");
      if (!result.getType().isIntOrIndexOrFloat())
        return op->emitOpError("makes a value of type ")
               << result.getType()
               << " that other threads would need; move it next to its uses";
      results.push_back(result);
      types.push_back(result.getType());
    }
  }

  auto condition = scf::IfOp::create(
      builder, loc, types, level == Scope::Grid ? blocks.isFirst : firstThread,
      /*withElseRegion=*/!types.empty());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(condition.thenBlock());
    if (level == Scope::Grid) {
      Division inner(ops, Scope::Block, results);
      // What the block did under earlier conditions.
      Pending innerPending;
      innerPending.first.anything = true;
      if (failed(mapOps(ops, Scope::Block, inner, innerPending)))
        return failure();
    } else {
      for (Operation *op : ops)
        if (failed(mapAlone(op)))
          return failure();
    }
    SmallVector<Value> yielded;
    for (Value result : results)
      yielded.push_back(values.lookup(result));
    if (!types.empty()) {
      scf::YieldOp::create(builder, loc, yielded);
      builder.setInsertionPointToStart(condition.elseBlock());
      SmallVector<Value> nothing;
      for (Type type : types)
        nothing.push_back(ub::PoisonOp::create(builder, loc, type));
      scf::YieldOp::create(builder, loc, nothing);
    }
  }
  for (Operation *op : ops) {
    pending.first.add(footprintOf(op));
    pending.acquired |= level == Scope::Grid && mayWait(op);
  }
  for (auto [result, value] :
       llvm::zip_equal(results, condition.getResults())) {
    Value all = value;
    if (division.isNeededByAll(result)) {
      bool role = level == Scope::Grid && blocks.role;
      all = BroadcastOp::create(builder, result.getLoc(), value, level,
                                role ? blocks.role : IntegerAttr(),
                                role ? blocks.first : Value(),
                                role ? blocks.count : Value());
      pending.clear();
    }
    values.map(result, all);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// What all reach
//===----------------------------------------------------------------------===//

LogicalResult KernelMapper::mapShared(Operation *op, Scope level,
                                      Pending &pending) {
  if (isa<cf::AssertOp>(op))
    return mapAlone(op);
  if (auto roles = dyn_cast<SpecializeOp>(op)) {
    if (level != Scope::Grid)
      return roles.emitOpError("stands in an agent that has a single block; "
                               "its roles need blocks: specialize the rank's "
                               "body");
    if (llvm::is_contained(roles.getWarps(), 1) &&
        communicatesBesideMatmul(roles))
      return mapBesideMatmul(roles, pending);
    return mapRoles(roles, pending);
  }
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    if (level != Scope::Grid)
      return matmul.emitOpError("stands in an agent that has a single block; "
                                "tiles need blocks: put it in the rank's body "
                                "or in a role of gin.specialize");
    Operation *parent = builder.getInsertionBlock()->getParentOp();
    if (isa<WarpsOp>(parent) || parent->getParentOfType<WarpsOp>())
      return matmul.emitOpError("stands in a role of warps; tiles need whole "
                                "blocks: give the roles CTAs; or have two "
                                "roles, one of a single warp, and this product "
                                "as all that the other one does");
    return mapMatmul(matmul, pending);
  }
  if (isa<scf::ForallOp, scf::ParallelOp>(op)) {
    if (pending.mustJoin(op, Pending::Shared))
      join(op->getLoc(), level, pending);
    return mapLoop(op, level, pending);
  }
  // An operation of the block, whose functions join it where they must.
  copyAs(level, op);
  if (joinsBlock(op))
    pending.clear();
  pending.shared.add(footprintOf(op));
  return success();
}

/// Roles that state their number of CTAs get them, the lowest blocks first, as
/// communication should start early; the others share the rest.
LogicalResult KernelMapper::mapRoles(SpecializeOp op, Pending &pending) {
  Location loc = op.getLoc();
  if (blocks.role)
    return op.emitOpError("stands in a role of another gin.specialize; roles "
                          "are not divided further");
  if (!pending.shared.empty() || !pending.first.empty() ||
      !pending.everybody.empty() || pending.acquired)
    join(loc, Scope::Grid, pending);

  // The runtime has so many places where roles meet, beside the grid's.
  constexpr size_t mostRoles = 15;
  if (op.getRoles().size() > mostRoles)
    return op.emitOpError("has ")
           << op.getRoles().size() << " roles, but kernels have at most "
           << mostRoles;
  if (llvm::any_of(op.getWarps(), [](int64_t warps) { return warps != 0; }))
    return mapWarpRoles(op, pending);

  int64_t stated = 0, open = 0, number = 0;
  for (int64_t ctas : op.getCtas()) {
    stated += ctas;
    open += ctas == 0;
  }
  Blocks all = blocks;
  leastBlocks = std::max(leastBlocks, stated + open);
  Value least = index(loc, stated + open);
  Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                     least, all.number);
  cf::AssertOp::create(builder, loc, fits, "fewer blocks than the roles need");
  Value rest =
      arith::SubIOp::create(builder, loc, all.number, index(loc, stated));
  Value share = rest;
  if (open > 1)
    share = arith::DivUIOp::create(builder, loc, rest, index(loc, open));

  // In the order of the blocks: stated ones, then open ones.
  SmallVector<unsigned> order;
  for (bool wanted : {true, false})
    for (unsigned i = 0; i < op.getCtas().size(); ++i)
      if ((op.getCtas()[i] != 0) == wanted)
        order.push_back(i);
  Value first = index(loc, 0);
  for (unsigned i : order) {
    int64_t ctas = op.getCtas()[i];
    Value count = ctas ? index(loc, ctas) : share;
    Value end = arith::AddIOp::create(builder, loc, first, count);
    if (i == order.back())
      end = all.number; // what the division left over
    Value since = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                        block, first);
    Value until = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                        block, end);
    Value member = arith::AndIOp::create(builder, loc, since, until);
    auto condition = scf::IfOp::create(builder, loc, member,
                                       /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(condition.thenBlock());
    if (i == order.back())
      count = arith::SubIOp::create(builder, loc, end, first);
    useBlocks(loc, builder.getI64IntegerAttr(number++), first, count);
    SmallVector<Operation *> ops = opsOf(op.getRoles()[i].front());
    ops.pop_back();
    Division division(ops, Scope::Grid, {});
    Pending inner;
    if (failed(mapOps(ops, Scope::Grid, division, inner)))
      return failure();
    first = end;
  }
  blocks = all;
  pending.shared.anything = pending.acquired = true;
  return success();
}

/// Copies an op that `scope` performs. A relaxed signal becomes a plain one:
/// the model has it carry what its agent acquired, which no addition that does
/// not release promises.
void KernelMapper::copyAs(Scope scope, Operation *op) {
  Operation *copy = builder.clone(*op, values);
  if (!communicates(op))
    return;
  copy->setAttr(kScopeAttr, ScopeAttr::get(op->getContext(), scope));
  if (auto signal = dyn_cast<SignalOp>(copy))
    signal.setRelaxed(false);
}

LogicalResult KernelMapper::mapRegion(Region &from, Region &to, Scope level,
                                      const Division &division,
                                      Pending &pending) {
  OpBuilder::InsertionGuard guard(builder);
  if (to.empty())
    builder.createBlock(&to);
  Block &source = from.front(), &block = to.front();
  for (BlockArgument argument :
       source.getArguments().drop_front(block.getNumArguments()))
    block.addArgument(argument.getType(), argument.getLoc());
  values.map(source.getArguments(), block.getArguments());
  builder.setInsertionPointToEnd(&block);
  if (failed(mapOps(opsOf(source), level, division, pending)))
    return failure();
  if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>())
    builder.clone(*source.getTerminator(), values);
  return success();
}

LogicalResult KernelMapper::mapControlFlow(Operation *op, Scope level,
                                           const Division &division,
                                           Pending &pending) {
  // What comes round from the end of a loop is pending at its beginning.
  Pending around = pendingAfter(op, level, division);
  bool loops = !isa<scf::IfOp, scf::IndexSwitchOp>(op);
  if (loops)
    pending.add(around);
  OperationState state(op->getLoc(), op->getName());
  for (Value operand : op->getOperands())
    state.addOperands(values.lookup(operand));
  state.addTypes(op->getResultTypes());
  state.addAttributes(op->getAttrs());
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *copy = builder.create(state);
  const Pending before = pending;
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    Pending inner = before;
    if (failed(mapRegion(from, to, level, division, inner)))
      return failure();
  }
  pending.add(around);
  values.map(op->getResults(), copy->getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static LogicalResult mapFunction(func::FuncOp function, unsigned blockSize) {
  Location loc = function.getLoc();
  OpBuilder builder(function);
  auto module = gpu::GPUModuleOp::create(builder, loc, function.getSymName());
  builder.setInsertionPointToStart(module.getBody());
  // Tables, which kernels cannot see outside.
  SymbolTable tables(module);
  function.walk([&](memref::GetGlobalOp use) {
    if (!tables.lookup(use.getName()))
      tables.insert(SymbolTable::lookupNearestSymbolFrom(use, use.getNameAttr())
                        ->clone());
  });
  auto kernel = gpu::GPUFuncOp::create(builder, loc, function.getSymName(),
                                       function.getFunctionType());
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  if (ArrayAttr attrs = function.getAllArgAttrs())
    kernel.setAllArgAttrs(attrs);

  function.walk([&](MatmulOp) { blockSize = tileThreads; });
  kernel.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(blockSize), 1, 1}));
  SmallVector<Operation *> ops = opsOf(function.front());
  const bool oneBlock = llvm::none_of(ops, [](Operation *op) {
    return !isa<cf::AssertOp>(op) && containsShared(op, Scope::Grid);
  });
  if (oneBlock)
    kernel.setKnownGridSizeAttr(builder.getDenseI32ArrayAttr({1, 1, 1}));

  IRMapping values;
  Block &entry = kernel.front();
  for (auto [from, to] :
       llvm::zip_equal(function.getArguments(), entry.getArguments())) {
    to.setLoc(from.getLoc());
    values.map(from, to);
  }
  builder.setInsertionPointToStart(&entry);
  KernelMapper mapper(builder, values, blockSize);
  if (failed(mapper.mapBody(function.front(),
                            oneBlock ? Scope::Block : Scope::Grid)))
    return failure();
  if (mapper.leastBlocks > 1)
    kernel->setAttr(kLeastBlocksAttr,
                    builder.getI64IntegerAttr(mapper.leastBlocks));
  gpu::ReturnOp::create(builder, loc);
  function.erase();
  return success();
}

/// Whether the roles outside of kernels have enough blocks for those inside.
static LogicalResult verifyBlocks(func::FuncOp function) {
  WalkResult result = function.walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        launch, launch.getKernel());
    auto least = kernel->getAttrOfType<IntegerAttr>(kLeastBlocksAttr);
    std::optional<int64_t> blocks = getConstantIntValue(launch.getGridSizeX());
    if (!least || !blocks || *blocks >= least.getInt())
      return WalkResult::advance();
    emitError(launch.getLoc())
        << "a kernel of " << *blocks
        << " blocks, as its role has CTAs, has roles that need "
        << least.getInt() << "; give the outer role as many";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// One kernel, or those that the program says.
static LogicalResult mapProgram(func::FuncOp function, unsigned blockSize) {
  if (failed(prepareForKernel(function)))
    return failure();
  SmallVector<func::FuncOp> kernels;
  if (failed(outlineKernels(function, kernels)))
    return failure();
  if (kernels.empty())
    return mapFunction(function, blockSize);
  for (func::FuncOp kernel : kernels)
    if (failed(mapFunction(kernel, blockSize)))
      return failure();
  return verifyBlocks(function);
}

namespace {
struct MapToKernel : gin::impl::MapToKernelBase<MapToKernel> {
  using MapToKernelBase::MapToKernelBase;

  void runOnOperation() override {
    if (threads < 32 || threads > 1024 || threads % 32 != 0) {
      getOperation().emitError("threads must be a multiple of 32 from 32 to "
                               "1024, not ")
          << threads;
      return signalPassFailure();
    }
    for (func::FuncOp function : findEntryFunctions(getOperation()))
      if (failed(mapProgram(function, threads)))
        return signalPassFailure();
    getOperation()->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                            UnitAttr::get(&getContext()));
  }
};
} // namespace
