//===- DecomposeCollectives.cpp - collectives to puts and waits -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DecomposeCollectives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

namespace gin {
#define GEN_PASS_DEF_DECOMPOSECOLLECTIVES
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;
using namespace gin;

/// Refuses places where members could not execute the same collectives in the
/// same order.
static LogicalResult checkPlace(Operation *op) {
  if (!op->getParentOfType<func::FuncOp>())
    return op->emitOpError(
        "stands outside of a func.func, which would take its "
        "signals and scratch windows as arguments");
  if (op->getNumResults() != 0 || isa<TensorType>(op->getOperand(0).getType()))
    return op->emitOpError("is on tensors; run one-shot-bufferize before");
  for (Operation *place = op; !isa<func::FuncOp>(place);
       place = place->getParentOp()) {
    Operation *parent = place->getParentOp();
    if (isa<scf::ForallOp, scf::ParallelOp>(parent))
      return op->emitOpError() << "stands in " << parent->getName()
                               << ", whose iterations have no order in which "
                                  "their barriers could "
                                  "meet those of other ranks; use scf.for";
    auto roles = dyn_cast<SpecializeOp>(parent);
    if (!roles)
      continue;
    for (Region &role : roles.getRoles()) {
      if (&role == place->getParentRegion())
        continue;
      WalkResult other = role.walk([](Operation *nested) {
        return isCollective(nested) || isa<BarrierOp>(nested)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      });
      if (other.wasInterrupted())
        return op->emitOpError(
            "stands in a role beside another role that has a "
            "barrier or a collective: their barriers have no "
            "order; keep all of them in one role");
    }
  }
  return success();
}

static LogicalResult lower(Operation *op, CollectiveAlgorithm algorithm) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case(
          [&](AllGatherOp gather) { return lowerAllGather(gather, algorithm); })
      .Case([&](AllToAllOp exchange) {
        return lowerAllToAll(exchange, algorithm);
      })
      .Case([&](ReduceScatterOp scatter) {
        return lowerReduceScatter(scatter, algorithm);
      })
      .Case(
          [&](AllReduceOp reduce) { return lowerAllReduce(reduce, algorithm); })
      .Case([](DispatchOp dispatch) { return lowerDispatch(dispatch); })
      .Case([](CombineOp combine) { return lowerCombine(combine); });
}

static StringRef nameOf(CollectiveAlgorithm algorithm) {
  switch (algorithm) {
  case CollectiveAlgorithm::Direct:
    return "direct";
  case CollectiveAlgorithm::Ring:
    return "ring";
  case CollectiveAlgorithm::Tree:
    return "tree";
  }
  llvm_unreachable("all algorithms are handled");
}

/// Says which algorithm a collective has become.
static void report(Operation *op, CollectiveAlgorithm algorithm) {
  StringRef how = isa<DispatchOp, CombineOp>(op) ? "direct" : nameOf(algorithm);
  std::string text =
      (op->getName().getStringRef() + " by the " + how + " algorithm" +
       (how == nameOf(algorithm) ? "" : ", the only one it has"))
          .str();
  auto function = op->getParentOfType<func::FuncOp>();
  remark::passed(op->getLoc(), remark::RemarkOpts::name("DecomposeCollective")
                                   .category("gin")
                                   .function(function.getSymName()))
      << text;
}

namespace {
struct DecomposeCollectives
    : gin::impl::DecomposeCollectivesBase<DecomposeCollectives> {
  using DecomposeCollectivesBase::DecomposeCollectivesBase;

  void runOnOperation() override {
    if (failed(inlineCallsOfCollectives(getOperation())))
      return signalPassFailure();
    SmallVector<Operation *> collectives;
    getOperation().walk([&](Operation *op) {
      if (isCollective(op))
        collectives.push_back(op);
    });
    bool failed = false;
    for (Operation *op : collectives)
      failed |= checkPlace(op).failed();
    if (failed)
      return signalPassFailure();
    for (Operation *op : collectives) {
      if (lower(op, algorithm).failed()) {
        failed = true;
        continue;
      }
      report(op, algorithm);
      op->erase();
    }
    if (failed)
      signalPassFailure();
  }
};
} // namespace
