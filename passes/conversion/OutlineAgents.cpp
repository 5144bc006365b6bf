//===- OutlineAgents.cpp - roles and iterations become agents ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "dialect/Gin.h"
#include "passes/analysis/Communication.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

namespace gin {
#define GEN_PASS_DEF_OUTLINEAGENTS
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// Captured values
//===----------------------------------------------------------------------===//

/// Whether an agent can compute `value` itself: a constant, or something that
/// the calling rank knows.
static bool canRecompute(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isa_and_nonnull<GinDialect>(op->getDialect()) && isPure(op) &&
         llvm::all_of(op->getOperands(), canRecompute);
}

/// Computes `value`, for which canRecompute holds, at `builder`.
static void recompute(OpBuilder &builder, Value value, IRMapping &mapping) {
  if (mapping.contains(value))
    return;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    recompute(builder, operand, mapping);
  builder.clone(*op, mapping);
}

/// Refuses what does not survive in an agent of its own.
static LogicalResult verifyCapture(Operation *op, Value value) {
  bool isToken = isa<TokenType>(value.getType());
  if (!isToken && !isa<TensorType>(value.getType()))
    return success();
  for (Operation *user : value.getUsers()) {
    if (!op->isProperAncestor(user))
      continue;
    InFlightDiagnostic error = user->emitOpError();
    if (isToken)
      error << "uses a token from outside of its agent; tokens do not leave "
               "their agent: await it before the agents fork";
    else
      error << "uses a tensor inside an agent; run one-shot-bufferize before";
    error.attachNote(value.getLoc()) << "the value comes from here";
    return error;
  }
  return success();
}

namespace {
/// Values from outside that an op needs in its agents.
struct Captures {
  SmallVector<Value> passed;     ///< become arguments
  SmallVector<Value> recomputed; ///< are computed again
};
} // namespace

/// What the regions of `op` use, and `more`.
static FailureOr<Captures> findCaptures(Operation *op, ValueRange more) {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  used.insert(more.begin(), more.end());
  Captures captures;
  for (Value value : used) {
    if (canRecompute(value)) {
      captures.recomputed.push_back(value);
      continue;
    }
    if (failed(verifyCapture(op, value)))
      return failure();
    captures.passed.push_back(value);
  }
  return captures;
}

//===----------------------------------------------------------------------===//
// The function of the agents
//===----------------------------------------------------------------------===//

/// Facts about windows that tools ask for outlive the outlining.
static void copyArgumentAttributes(Value from, func::FuncOp to,
                                   unsigned index) {
  auto argument = dyn_cast<BlockArgument>(from);
  if (!argument)
    return;
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function)
    return;
  for (StringRef name : {kNameAttr, kSourceAttr, kRightsAttr})
    if (Attribute attr = function.getArgAttr(argument.getArgNumber(), name))
      to.setArgAttr(index, name, attr);
}

/// Makes `func.func private @NAME(%agent: index, captures…) { return }` before
/// the function that `op` stands in, and maps what is captured.
static func::FuncOp makeBody(Operation *op, StringRef suffix,
                             const Captures &captures, SymbolTable &symbols,
                             IRMapping &mapping) {
  Operation *parent = op->getParentOfType<FunctionOpInterface>();
  MLIRContext *context = op->getContext();
  SmallVector<Type> types{IndexType::get(context)};
  llvm::append_range(types, ValueRange(captures.passed).getTypes());

  std::string name =
      (SymbolTable::getSymbolName(parent).getValue() + suffix).str();
  auto body = func::FuncOp::create(op->getLoc(), name,
                                   FunctionType::get(context, types, {}));
  body.setPrivate();
  body->setAttr("llvm.linkage", LLVM::LinkageAttr::get(
                                    context, LLVM::linkage::Linkage::Internal));
  symbols.insert(body, Block::iterator(parent));

  SmallVector<Location> locations{op->getLoc()};
  for (Value value : captures.passed)
    locations.push_back(value.getLoc());
  Block *entry = new Block();
  body.getBody().push_back(entry);
  entry->addArguments(types, locations);
  for (auto [index, value] : llvm::enumerate(captures.passed)) {
    mapping.map(value, entry->getArgument(index + 1));
    copyArgumentAttributes(value, body, index + 1);
  }
  OpBuilder builder = OpBuilder::atBlockBegin(entry);
  for (Value value : captures.recomputed)
    recompute(builder, value, mapping);
  func::ReturnOp::create(builder, op->getLoc());
  return body;
}

static void cloneBody(OpBuilder &builder, Block &block, IRMapping &mapping) {
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
}

static void fork(OpBuilder &builder, Location loc, func::FuncOp body,
                 const Captures &captures, Value count, ArrayAttr names) {
  ForkOp::create(builder, loc, FlatSymbolRefAttr::get(body.getSymNameAttr()),
                 captures.passed, count, names);
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

static LogicalResult outline(SpecializeOp op, SymbolTable &symbols) {
  FailureOr<Captures> captures = findCaptures(op, {});
  if (failed(captures))
    return failure();
  IRMapping mapping;
  func::FuncOp body = makeBody(op, "_roles", *captures, symbols, mapping);
  OpBuilder builder(body.front().getTerminator());
  Location loc = op.getLoc();

  // The last role is the default: an index_switch needs one.
  MutableArrayRef<Region> roles = op.getRoles();
  if (roles.size() == 1) {
    cloneBody(builder, roles.front().front(), mapping);
  } else {
    SmallVector<int64_t> cases =
        llvm::to_vector(llvm::seq<int64_t>(0, roles.size() - 1));
    auto choice = scf::IndexSwitchOp::create(
        builder, loc, TypeRange(), body.getArgument(0), cases, cases.size());
    for (auto [index, role] : llvm::enumerate(roles)) {
      Region &target = index < cases.size() ? choice.getCaseRegions()[index]
                                            : choice.getDefaultRegion();
      OpBuilder inner = OpBuilder::atBlockBegin(&target.emplaceBlock());
      cloneBody(inner, role.front(), mapping);
      scf::YieldOp::create(inner, loc);
    }
  }

  OpBuilder outer(op);
  Value count = arith::ConstantIndexOp::create(outer, loc, roles.size());
  fork(outer, loc, body, *captures, count, op.getNames());
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// A parallel loop: one bound, step and induction variable for each dimension.
struct Loop {
  Operation *op;
  StringRef suffix;
  Block *body;
  SmallVector<Value> variables;
  SmallVector<OpFoldResult> lower, upper, step;
};
} // namespace

static Loop describe(scf::ForallOp op) {
  return {op,
          "_forall",
          op.getBody(),
          SmallVector<Value>(op.getInductionVars()),
          op.getMixedLowerBound(),
          op.getMixedUpperBound(),
          op.getMixedStep()};
}

static Loop describe(scf::ParallelOp op) {
  return {op,
          "_parallel",
          op.getBody(),
          SmallVector<Value>(op.getInductionVars()),
          getAsOpFoldResult(op.getLowerBound()),
          getAsOpFoldResult(op.getUpperBound()),
          getAsOpFoldResult(op.getStep())};
}

/// The numbers of iterations, computed before `loop`. A negative one is
/// harmless by itself, but not as a factor.
static SmallVector<Value> tripCounts(OpBuilder &builder, const Loop &loop) {
  Location loc = loop.op->getLoc();
  SmallVector<Value> trips;
  for (auto [lower, upper, step] :
       llvm::zip_equal(loop.lower, loop.upper, loop.step)) {
    auto value = [&](OpFoldResult bound) {
      return getValueOrCreateConstantIndexOp(builder, loc, bound);
    };
    Value trip = value(upper);
    if (!isZeroInteger(lower))
      trip = builder.createOrFold<arith::SubIOp>(loc, trip, value(lower));
    if (!isOneInteger(step))
      trip = builder.createOrFold<arith::CeilDivSIOp>(loc, trip, value(step));
    if (loop.lower.size() > 1)
      trip = builder.createOrFold<arith::MaxSIOp>(
          loc, trip, arith::ConstantIndexOp::create(builder, loc, 0));
    trips.push_back(trip);
  }
  return trips;
}

/// The product of two numbers that are not negative, or the largest index: more
/// iterations than there can be must not wrap to few.
static Value saturatingProduct(OpBuilder &builder, Location loc, Value a,
                               Value b) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value most = arith::ConstantIndexOp::create(
      builder, loc, std::numeric_limits<int64_t>::max());
  Value divisor = builder.createOrFold<arith::MaxSIOp>(loc, b, one);
  Value limit = builder.createOrFold<arith::DivSIOp>(loc, most, divisor);
  Value fits = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::sle, a, limit);
  Value product = builder.createOrFold<arith::MulIOp>(loc, a, b);
  return builder.createOrFold<arith::SelectOp>(loc, fits, product, most);
}

/// Computes the induction variables from the number of the agent, which counts
/// iterations in row-major order.
static void mapVariables(OpBuilder &builder, const Loop &loop, Value agent,
                         ArrayRef<Value> trips, IRMapping &mapping) {
  Location loc = loop.op->getLoc();
  auto bound = [&](OpFoldResult value) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return Value(arith::ConstantIndexOp::create(builder, loc, *constant));
    return mapping.lookup(cast<Value>(value));
  };
  for (size_t dim = loop.variables.size(); dim-- > 0;) {
    Value index = agent;
    if (dim > 0) {
      Value trip = mapping.lookup(trips[dim]);
      index = arith::RemSIOp::create(builder, loc, agent, trip);
      agent = arith::DivSIOp::create(builder, loc, agent, trip);
    }
    if (!isOneInteger(loop.step[dim]))
      index = arith::MulIOp::create(builder, loc, index, bound(loop.step[dim]));
    if (!isZeroInteger(loop.lower[dim]))
      index =
          arith::AddIOp::create(builder, loc, index, bound(loop.lower[dim]));
    mapping.map(loop.variables[dim], index);
  }
}

static LogicalResult outline(const Loop &loop, SymbolTable &symbols) {
  Operation *op = loop.op;
  Location loc = op->getLoc();
  OpBuilder outer(op);
  SmallVector<Value> trips = tripCounts(outer, loop);

  // The first trip count is not needed inside.
  SmallVector<Value> more(llvm::drop_begin(trips));
  for (OpFoldResult bound :
       llvm::concat<const OpFoldResult>(loop.lower, loop.step))
    if (auto value = dyn_cast<Value>(bound);
        value && !getConstantIntValue(bound))
      more.push_back(value);
  FailureOr<Captures> captures = findCaptures(op, more);
  if (failed(captures))
    return failure();

  IRMapping mapping;
  func::FuncOp body = makeBody(op, loop.suffix, *captures, symbols, mapping);
  OpBuilder builder(body.front().getTerminator());
  mapVariables(builder, loop, body.getArgument(0), trips, mapping);
  cloneBody(builder, *loop.body, mapping);

  Value count = trips.front();
  for (Value trip : llvm::drop_begin(trips))
    count = saturatingProduct(outer, loc, count, trip);
  fork(outer, loc, body, *captures, count, ArrayAttr());
  op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct OutlineAgents : gin::impl::OutlineAgentsBase<OutlineAgents> {
  using OutlineAgentsBase::OutlineAgentsBase;

  /// Refuses loops whose iterations cannot become agents.
  LogicalResult verifyLoop(Operation *op,
                           CommunicationAnalysis &communication) {
    if (auto forall = dyn_cast<scf::ForallOp>(op);
        forall && !forall.getOutputs().empty() &&
        communication.forksAgents(forall))
      return forall.emitOpError("touches windows, so that its iterations are "
                                "agents, but has tensors as outputs; run "
                                "one-shot-bufferize before");
    auto parallel = dyn_cast<scf::ParallelOp>(op);
    if (parallel && !parallel.getInitVals().empty() &&
        communication.ofRegions(parallel) == Touch::Communicates)
      return parallel.emitOpError(
          "communicates and reduces; its iterations are agents, which end "
          "without a value: let each store its value in a buffer, and reduce "
          "that after the loop");
    return success();
  }

  /// Where agents run, kernels are no more than their ops.
  static void inlineKernels(ModuleOp module) {
    module.walk([](KernelOp kernel) {
      Block &body = kernel.getBody().front();
      body.getTerminator()->erase();
      kernel->getBlock()->getOperations().splice(kernel->getIterator(),
                                                 body.getOperations());
      kernel.erase();
    });
  }

  void runOnOperation() override {
    inlineKernels(getOperation());
    // Inner ones first: their forks are then part of the outer ones' bodies.
    CommunicationAnalysis communication;
    SmallVector<Operation *> forks;
    bool failed = false;
    getOperation().walk([&](Operation *op) {
      failed |= verifyLoop(op, communication).failed();
      if (isa<SpecializeOp>(op) || communication.forksAgents(op))
        forks.push_back(op);
    });
    if (failed)
      return signalPassFailure();

    SymbolTable symbols(getOperation());
    for (Operation *op : forks) {
      LogicalResult result =
          isa<SpecializeOp>(op) ? outline(cast<SpecializeOp>(op), symbols)
          : isa<scf::ForallOp>(op)
              ? outline(describe(cast<scf::ForallOp>(op)), symbols)
              : outline(describe(cast<scf::ParallelOp>(op)), symbols);
      if (result.failed())
        return signalPassFailure();
    }
  }
};
} // namespace
