//===- OutlineKernels.cpp - programs of several kernels ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The function of such a program becomes its launcher, and each gin.kernel a
// function that the launcher launches. A kernel takes all that the program
// takes, and computes again what the host computes of that; numbers of the
// host's loops and branches are arguments too.
//
//===----------------------------------------------------------------------===//

#include "MapToKernel.h"

#include "dialect/SourceText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// What the host does
//===----------------------------------------------------------------------===//

/// As GIN_MAX_LANES of the runtime.
static constexpr size_t mostStreams = 8;

/// Names what the source has, of which a pass may have made the op.
static InFlightDiagnostic error(Operation *op) {
  StringRef origin = originOf(op->getLoc());
  return op->emitError() << "'"
                         << (origin.empty() ? op->getName().getStringRef()
                                            : origin)
                         << (origin.empty() ? "' op" : "'");
}

/// A barrier counts the meetings of its team on one slot.
static LogicalResult verifyBarriers(SpecializeOp op) {
  llvm::DenseMap<Attribute, std::pair<Region *, BarrierOp>> first;
  WalkResult result = op.walk([&](BarrierOp barrier) {
    Region *role = barrier->getParentRegion();
    while (role->getParentOp() != op)
      role = role->getParentOp()->getParentRegion();
    auto team = dyn_cast_or_null<TeamAttr>(barrier.getTeamAttr());
    const bool isWorld = !team || team.getKind() == TeamKind::World;
    auto [known, isNew] = first.try_emplace(
        isWorld ? Attribute(UnitAttr::get(op.getContext())) : team, role,
        barrier);
    if (isNew || known->second.first == role)
      return WalkResult::advance();
    InFlightDiagnostic error = barrier.emitOpError(
        "is of the same team as one in another role, which runs at the same "
        "time; have one role meet, or put it before or after the roles");
    error.attachNote(known->second.second.getLoc()) << "this is the other one";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult verifyRoles(SpecializeOp op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (isa<SpecializeOp>(parent))
      return op.emitOpError("stands in a role that is a stream; roles are not "
                            "divided further, so put it in a gin.kernel");
  if (op.getRoles().size() > mostStreams)
    return op.emitOpError("has ")
           << op.getRoles().size() << " roles outside of kernels, each a "
           << "stream, and a launch has at most " << mostStreams;
  if (llvm::any_of(op.getWarps(), [](int64_t warps) { return warps != 0; }))
    return op.emitOpError("has a role of warps outside of kernels, where roles "
                          "are streams; give it CTAs, or put the roles in a "
                          "gin.kernel");
  return verifyBarriers(op);
}

/// Whether a copy engine can do it.
static LogicalResult verifyTransfer(Operation *op) {
  auto slots = dyn_cast<SlotOpInterface>(op);
  if (slots && slots.getBankOrNull())
    return op->emitOpError(
        "stands outside of the program's kernels with a signal, which copy "
        "engines do not send; signal in a gin.kernel after it");
  if (auto put = dyn_cast<PutOp>(op); put && put.getAccumulate())
    return op->emitOpError("stands outside of the program's kernels and adds, "
                           "which copy engines do not; put it in a gin.kernel");
  return success();
}

static LogicalResult verifyHostOp(Operation *op) {
  if (isa<scf::ForOp, scf::IfOp, scf::YieldOp, func::ReturnOp, YieldOp,
          KernelOp, FlushOp, cf::AssertOp>(op))
    return success();
  if (auto roles = dyn_cast<SpecializeOp>(op))
    return verifyRoles(roles);
  if (isa<PutOp, GetOp>(op))
    return verifyTransfer(op);
  if (isMemoryEffectFree(op) && op->getNumRegions() == 0)
    return success();
  return error(op) << " stands outside of the program's kernels, where the "
                      "host launches them, puts and gets, and computes what "
                      "they need; move it into a gin.kernel";
}

//===----------------------------------------------------------------------===//
// What kernels take from outside
//===----------------------------------------------------------------------===//

namespace {
/// The outside values of one kernel.
class Outside {
public:
  Outside(func::FuncOp function, KernelOp kernel)
      : function(function), kernel(kernel) {}

  /// Finds the numbers that only the host knows.
  LogicalResult find() {
    WalkResult result = kernel.getBody().walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (failed(find(operand, op)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
  ArrayRef<Value> taken() const { return numbers.getArrayRef(); }

  /// Makes `value` again at `builder`'s place.
  void make(OpBuilder &builder, Value value, IRMapping &mapping) {
    if (mapping.contains(value) || !isOutside(value))
      return;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      make(builder, operand, mapping);
    builder.clone(*op, mapping);
  }

private:
  bool isOutside(Value value) {
    return !kernel.getBody().isAncestor(value.getParentRegion());
  }
  LogicalResult find(Value value, Operation *user) {
    const bool isArgument = isa<BlockArgument>(value) &&
                            value.getParentRegion() == &function.getBody();
    if (isArgument || !isOutside(value) || !seen.insert(value).second)
      return success();
    Operation *op = value.getDefiningOp();
    if (op && op->getNumRegions() == 0 && isMemoryEffectFree(op)) {
      for (Value operand : op->getOperands())
        if (failed(find(operand, user)))
          return failure();
      return success();
    }
    if (!value.getType().isIntOrIndexOrFloat()) {
      InFlightDiagnostic error =
          user->emitOpError("takes a value of type ")
          << value.getType()
          << " into a kernel from a loop or branch of the host; make it in "
             "the kernel";
      error.attachNote(value.getLoc()) << "the value comes from here";
      return error;
    }
    numbers.insert(value);
    return success();
  }

  func::FuncOp function;
  KernelOp kernel;
  llvm::SetVector<Value> numbers;
  llvm::DenseSet<Value> seen;
};
} // namespace

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

/// A function with `kernel`'s ops, after `function`, which then launches it.
static FailureOr<func::FuncOp> outline(func::FuncOp function, KernelOp kernel,
                                       StringRef name) {
  Outside outside(function, kernel);
  if (failed(outside.find()))
    return failure();
  OpBuilder builder(function);
  SmallVector<Type> types(function.getArgumentTypes());
  for (Value number : outside.taken())
    types.push_back(number.getType());
  auto made = func::FuncOp::create(builder, kernel.getLoc(), name,
                                   builder.getFunctionType(types, {}));
  Block *entry = made.addEntryBlock();
  IRMapping mapping;
  auto parameters = entry->getArguments();
  auto own = parameters.take_front(function.getNumArguments());
  for (auto [from, to] : llvm::zip_equal(function.getArguments(), own)) {
    to.setLoc(from.getLoc());
    made.setArgAttrs(to.getArgNumber(),
                     function.getArgAttrDict(from.getArgNumber()));
    mapping.map(from, to);
  }
  for (auto [from, to] :
       llvm::zip_equal(outside.taken(), parameters.drop_front(own.size()))) {
    to.setLoc(from.getLoc());
    mapping.map(from, to);
  }
  builder.setInsertionPointToStart(entry);
  kernel.getBody().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      outside.make(builder, operand, mapping);
  });
  for (Operation &op : kernel.getBody().front().without_terminator())
    builder.clone(op, mapping);
  func::ReturnOp::create(builder, kernel.getLoc());
  return made;
}

/// Replaces `kernel` by the launch of `made`, by `blocks` blocks at most; 0: as
/// many as run at once.
static void launch(KernelOp kernel, func::FuncOp made, ValueRange numbers,
                   Value blocks) {
  auto function = kernel->getParentOfType<func::FuncOp>();
  OpBuilder builder(kernel);
  Location loc = locationWithOrigin(kernel);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  if (auto roles = kernel->getParentOfType<SpecializeOp>()) {
    Region *role = kernel->getParentRegion();
    while (role->getParentOp() != roles)
      role = role->getParentOp()->getParentRegion();
    if (int64_t ctas = roles.getCtas()[role->getRegionNumber()])
      blocks = arith::ConstantIndexOp::create(builder, loc, ctas);
  }
  SmallVector<Value> operands(function.getArguments().drop_back());
  llvm::append_range(operands, numbers);
  StringAttr name = made.getSymNameAttr();
  gpu::LaunchFuncOp::create(
      builder, loc, SymbolRefAttr::get(name, {FlatSymbolRefAttr::get(name)}),
      {blocks, one, one}, {one, one, one}, Value(), operands);
  kernel.erase();
}

static bool hasKernel(Operation *op) {
  return op->walk([](KernelOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// The last thing that the launcher does, if that is one kernel for sure.
static KernelOp lastKernel(func::FuncOp function) {
  for (Operation &op : llvm::reverse(function.front().without_terminator()))
    if (!isMemoryEffectFree(&op) || hasKernel(&op))
      return dyn_cast<KernelOp>(op);
  return {};
}

LogicalResult gin::outlineKernels(func::FuncOp function,
                                  SmallVectorImpl<func::FuncOp> &kernels) {
  SmallVector<KernelOp> found;
  function.walk([&](KernelOp kernel) { found.push_back(kernel); });
  if (found.empty())
    return success();
  WalkResult checked = function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    if (failed(verifyHostOp(op)))
      return WalkResult::interrupt();
    return isa<KernelOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  if (checked.wasInterrupted())
    return failure();
  // Each lane is ordered, so that nothing is left to flush.
  function.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (isa<KernelOp>(op))
      return WalkResult::skip();
    if (isa<FlushOp>(op))
      op->erase();
    return WalkResult::advance();
  });

  // A launch ends with a kernel, which advances the bases of the signals.
  if (!lastKernel(function)) {
    OpBuilder builder(function.front().getTerminator());
    auto end = KernelOp::create(builder, function.getLoc(), StringAttr());
    end.setName("end");
    builder.createBlock(&end.getBody());
    YieldOp::create(builder, function.getLoc());
    found.push_back(end);
  }
  SymbolTable symbols(function->getParentOp());
  Builder builder(function.getContext());
  for (auto [number, kernel] : llvm::enumerate(found)) {
    std::string wanted = function.getSymName().str() + "_", name;
    wanted +=
        kernel.getName() ? kernel.getName()->str() : std::to_string(number + 1);
    name = wanted;
    for (unsigned more = 2; symbols.lookup(name); ++more)
      name = wanted + "_" + std::to_string(more);
    FailureOr<func::FuncOp> made = outline(function, kernel, name);
    if (failed(made))
      return failure();
    symbols.insert(*made);
    kernels.push_back(*made);
  }
  // The most blocks that the caller allows; 0: as many as run at once.
  if (failed(function.insertArgument(
          function.getNumArguments(), builder.getIndexType(), {},
          NameLoc::get(builder.getStringAttr("blocks"), function.getLoc()))))
    return failure();
  Value blocks = function.getArguments().back();
  for (auto [kernel, made] : llvm::zip_equal(found, kernels)) {
    Outside outside(function, kernel);
    if (failed(outside.find()))
      return failure();
    launch(kernel, made, outside.taken(), blocks);
  }
  return success();
}
