//===- KernelMapperLoops.cpp - divided loops, and lone threads --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelMapper.h"

#include "dialect/SourceText.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// Loops that are divided
//===----------------------------------------------------------------------===//

namespace {
/// A parallel loop of any number of dimensions, as one of a single one.
struct Iterations {
  SmallVector<Value> variables;
  SmallVector<OpFoldResult> lower, upper, step;
  Block *body;
};
} // namespace

static Iterations iterationsOf(Operation *op) {
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    return {SmallVector<Value>(forall.getInductionVars()),
            forall.getMixedLowerBound(), forall.getMixedUpperBound(),
            forall.getMixedStep(), forall.getBody()};
  auto parallel = cast<scf::ParallelOp>(op);
  return {SmallVector<Value>(parallel.getInductionVars()),
          getAsOpFoldResult(parallel.getLowerBound()),
          getAsOpFoldResult(parallel.getUpperBound()),
          getAsOpFoldResult(parallel.getStep()), parallel.getBody()};
}

/// Whether a bound cannot be negative, as far as its definition tells.
static bool isNonNegative(OpFoldResult bound) {
  if (std::optional<int64_t> constant = getConstantIntValue(bound))
    return *constant >= 0;
  auto value = cast<Value>(bound);
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<memref::DimOp, RankIdOp, NumRanksOp, NeighborOp>(op))
    return true;
  auto operand = [&](unsigned i) { return isNonNegative(op->getOperand(i)); };
  if (isa<arith::MinUIOp>(op))
    return operand(0) || operand(1);
  if (isa<arith::RemUIOp>(op))
    return operand(1);
  if (isa<arith::MaxSIOp>(op))
    return operand(0) || operand(1);
  return isa<arith::DivUIOp, arith::CeilDivUIOp>(op) && operand(0) &&
         operand(1);
}

/// Who does the iterations of a loop: threads or, where they are agents,
/// blocks; else what the mapping says. Those of an agent inside another one are
/// done one after the other by all of its threads: nothing.
FailureOr<std::optional<Scope>> KernelMapper::divisionOf(Operation *op,
                                                         Scope level) {
  if (auto forall = dyn_cast<scf::ForallOp>(op)) {
    if (!forall.getOutputs().empty())
      return forall.emitOpError("has tensors as outputs; run "
                                "one-shot-bufferize before");
    if (failed(verifyMapping(forall)))
      return failure();
  }
  std::optional<Scope> mapping = mappingOf(op);
  if (mapping && *mapping >= level)
    return op->emitOpError("is mapped to ")
           << stringifyScope(*mapping) << "s, and stands where a single "
           << stringifyScope(level)
           << " goes on; map the loop around it to something larger, or this "
              "one to something smaller";
  if (mapping)
    return mapping;
  if (!communicates(op))
    return std::optional<Scope>(Scope::Thread);
  if (level == Scope::Grid || isSpare(level))
    return std::optional<Scope>(Scope::Block);
  if (mayWait(op))
    return op->emitOpError(
        "has iterations that wait, which must run at once, inside an agent "
        "that has a single block; fork them from the rank's body, or map them "
        "to its warps or threads");
  return std::optional<Scope>();
}

/// Divides a loop; each iteration is done at the level of who does it. At the
/// level of a warp beside a matmul, among those warps of all blocks.
LogicalResult KernelMapper::mapLoop(Operation *op, Scope level,
                                    Pending &pending) {
  Location loc = op->getLoc();
  FailureOr<std::optional<Scope>> divided = divisionOf(op, level);
  if (failed(divided))
    return failure();
  const std::optional<Scope> scope = *divided;
  const bool agents = communicates(op);
  Iterations loop = iterationsOf(op);

  // None at all: nothing, and no division by their number.
  for (auto [lower, upper] : llvm::zip_equal(loop.lower, loop.upper)) {
    std::optional<int64_t> begin = getConstantIntValue(lower),
                           end = getConstantIntValue(upper);
    if (begin && end && *begin >= *end)
      return success();
  }

  // The number of iterations of each dimension, and of all.
  SmallVector<Value> trips;
  for (auto [lower, upper, step] :
       llvm::zip_equal(loop.lower, loop.upper, loop.step)) {
    Value trip = valueOf(loc, upper);
    if (!isZeroInteger(lower))
      trip = arith::SubIOp::create(builder, loc, trip, valueOf(loc, lower));
    if (!isOneInteger(step))
      trip = arith::CeilDivSIOp::create(builder, loc, trip, valueOf(loc, step));
    // A negative number is none, but not as a factor.
    if (loop.lower.size() > 1 &&
        !(isZeroInteger(lower) && isNonNegative(upper)))
      trip = arith::MaxSIOp::create(builder, loc, trip, index(loc, 0));
    trips.push_back(trip);
  }
  Value count = trips.empty() ? index(loc, 1) : trips.front();
  for (Value trip : llvm::drop_begin(trips))
    count = arith::MulIOp::create(builder, loc, count, trip);

  Value from, step;
  if (!scope) {
    from = index(loc, 0);
    step = index(loc, 1);
  } else if (scope == Scope::Block) {
    from = blocks.index;
    step = blocks.number;
  } else {
    from = level == Scope::Grid ? blocks.place : thread;
    step = level == Scope::Grid ? blocks.places : threads;
    if (scope == Scope::Warp) {
      Value size = index(loc, threadsOfWarp);
      from = arith::DivUIOp::create(builder, named(loc, "warp"), from, size);
      step = arith::DivUIOp::create(builder, named(loc, "warps"), step, size);
    }
  }
  if (scope && agents && mayWait(op)) {
    Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                       count, step);
    cf::AssertOp::create(builder, loc, fits,
                         "more agents that wait than " +
                             stringifyScope(*scope).str() + "s" +
                             (level != Scope::Grid ? ""
                              : blocks.role        ? " of the role"
                                                   : " of the grid"));
  }
  // The value of the source's variable in a dimension is the last that is
  // computed for it.
  auto isShifted = [&](size_t dim) {
    return !isOneInteger(loop.step[dim]) || !isZeroInteger(loop.lower[dim]);
  };
  Location variable = loop.variables.size() == 1 && !isShifted(0)
                          ? loop.variables[0].getLoc()
                          : named(loc, "iteration");
  auto copy =
      scf::ForOp::create(builder, locationWithOrigin(op), from, count, step);
  copy.getInductionVar().setLoc(variable);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(copy.getBody());
    Value rest = copy.getInductionVar();
    for (size_t dim = loop.variables.size(); dim-- > 0;) {
      Location name = loop.variables[dim].getLoc();
      Value i = rest;
      if (dim > 0) {
        i = arith::RemUIOp::create(builder, name, rest, trips[dim]);
        rest = arith::DivUIOp::create(
            builder,
            dim == 1 && !isShifted(0) ? loop.variables[0].getLoc() : loc, rest,
            trips[dim]);
      }
      if (!isOneInteger(loop.step[dim]))
        i = arith::MulIOp::create(builder, name, i,
                                  valueOf(loc, loop.step[dim]));
      if (!isZeroInteger(loop.lower[dim]))
        i = arith::AddIOp::create(builder, name, i,
                                  valueOf(loc, loop.lower[dim]));
      values.map(loop.variables[dim], i);
    }
    if (isSpare(level)) {
      if (failed(mapSpare(*loop.body)))
        return failure();
    } else if (scope == Scope::Thread) {
      for (Operation &inner : loop.body->without_terminator())
        if (failed(mapAlone(&inner)))
          return failure();
    } else if (failed(mapIteration(*loop.body, scope.value_or(level)))) {
      return failure();
    }
  }
  if (agents) {
    pending.shared.anything = true;
    pending.acquired |= level == Scope::Grid;
  } else {
    pending.shared.add(footprintOf(op));
  }
  return success();
}

/// What the threads of a block or warp do of a loop together.
LogicalResult KernelMapper::mapIteration(Block &body, Scope level) {
  const Value allThread = thread, allThreads = threads, allFirst = firstThread,
              outer = warpThreads;
  Location loc = body.getParentOp()->getLoc();
  if (level == Scope::Warp && threads != warpThreads) {
    warpThreads = index(loc, threadsOfWarp);
    thread = arith::RemUIOp::create(builder, named(loc, "lane"), thread,
                                    warpThreads);
    threads = warpThreads;
    firstThread = arith::CmpIOp::create(builder, named(loc, "first_lane"),
                                        arith::CmpIPredicate::eq, thread, zero);
  }
  SmallVector<Operation *> ops = opsOf(body);
  ops.pop_back();
  Division division(ops, level, {});
  Pending inner;
  inner.first.anything = inner.shared.anything = true;
  LogicalResult result = mapOps(ops, level, division, inner);
  thread = allThread;
  threads = allThreads;
  firstThread = allFirst;
  warpThreads = outer;
  return result;
}

//===----------------------------------------------------------------------===//
// What one thread does
//===----------------------------------------------------------------------===//

LogicalResult
KernelMapper::mapRegions(Operation *op, Operation *copy,
                         llvm::function_ref<LogicalResult(Block &)> mapOps) {
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&to);
    for (BlockArgument argument : from.getArguments())
      block->addArgument(argument.getType(), argument.getLoc());
    values.map(from.getArguments(), block->getArguments());
    if (failed(mapOps(from.front())))
      return failure();
    builder.clone(*from.front().getTerminator(), values);
  }
  return success();
}

LogicalResult KernelMapper::mapRegionsAlone(Operation *op, Operation *copy) {
  return mapRegions(op, copy, [&](Block &from) -> LogicalResult {
    for (Operation &inner : from.without_terminator())
      if (failed(mapAlone(&inner)))
        return failure();
    return success();
  });
}

/// Copies an op that each thread that reaches it does by itself. Parallel loops
/// inside it become sequential ones, and communication a thread's own.
LogicalResult KernelMapper::mapAlone(Operation *op) {
  if (isa<memref::DeallocOp>(op))
    return success();
  if (isa<scf::ForallOp, scf::ParallelOp>(op)) {
    auto forall = dyn_cast<scf::ForallOp>(op);
    ArrayAttr mapping = forall ? forall.getMappingAttr() : ArrayAttr();
    if (mapping && !mapping.empty())
      return op->emitOpError("is mapped to ")
             << mapping[0]
             << " inside a loop that a thread runs alone; map that to "
                "something "
                "larger, or leave this mapping out";
    if (mayWait(op))
      return op->emitOpError("has iterations that wait, which must run at "
                             "once, inside a loop that a thread runs alone");
    Iterations loop = iterationsOf(op);
    Location loc = op->getLoc();
    SmallVector<Value> lower, upper, step, inits;
    for (auto [l, u, s] : llvm::zip_equal(loop.lower, loop.upper, loop.step)) {
      lower.push_back(valueOf(loc, l));
      upper.push_back(valueOf(loc, u));
      step.push_back(valueOf(loc, s));
    }
    auto parallel = dyn_cast<scf::ParallelOp>(op);
    if (parallel)
      for (Value init : parallel.getInitVals())
        inits.push_back(values.lookup(init));
    LogicalResult result = success();
    auto body = [&](OpBuilder &, Location, ValueRange variables,
                    ValueRange carried) -> scf::ValueVector {
      values.map(loop.variables, variables);
      for (Operation &inner : loop.body->without_terminator())
        if (succeeded(result))
          result = mapAlone(&inner);
      scf::ValueVector next;
      if (failed(result) || carried.empty())
        return next;
      auto reduce = cast<scf::ReduceOp>(loop.body->getTerminator());
      for (auto [region, operand, value] : llvm::zip_equal(
               reduce.getReductions(), reduce.getOperands(), carried)) {
        Block &combine = region.front();
        values.map(combine.getArgument(0), value);
        values.map(combine.getArgument(1), values.lookup(operand));
        for (Operation &inner : combine.without_terminator())
          if (succeeded(result))
            result = mapAlone(&inner);
        next.push_back(values.lookup(combine.getTerminator()->getOperand(0)));
      }
      return next;
    };
    scf::LoopNest nest =
        scf::buildLoopNest(builder, loc, lower, upper, step, inits, body);
    if (parallel && succeeded(result))
      values.map(parallel.getResults(), nest.results);
    return result;
  }
  if (auto roles = dyn_cast<SpecializeOp>(op))
    return roles.emitOpError("stands where a single thread goes on; its roles "
                             "need blocks or warps");

  if (op->getNumRegions() == 0) {
    copyAs(Scope::Thread, op);
    return success();
  }
  OperationState state(op->getLoc(), op->getName());
  for (Value operand : op->getOperands())
    state.addOperands(values.lookup(operand));
  state.addTypes(op->getResultTypes());
  state.addAttributes(op->getAttrs());
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *copy = builder.create(state);
  if (failed(mapRegionsAlone(op, copy)))
    return failure();
  values.map(op->getResults(), copy->getResults());
  return success();
}
