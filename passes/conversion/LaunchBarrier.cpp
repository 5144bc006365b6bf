//===- LaunchBarrier.cpp - keep launches apart ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "dialect/Gin.h"
#include "passes/analysis/Communication.h"
#include "passes/analysis/EntryFunctions.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"

namespace gin {
#define GEN_PASS_DEF_LAUNCHBARRIER
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;
using namespace gin;

static bool isWorld(Attribute team) {
  auto named = dyn_cast_or_null<TeamAttr>(team);
  return !team || isa<GridAttr>(team) ||
         (named && named.getKind() == TeamKind::World);
}

/// Whether nothing with an effect precedes a barrier of all ranks, except
/// assertions, which do nothing or end the run.
static bool beginsWithBarrier(Block &block) {
  for (Operation &op : block) {
    if (auto barrier = dyn_cast<BarrierOp>(op))
      return isWorld(barrier.getTeamAttr());
    if (auto kernel = dyn_cast<KernelOp>(op))
      return beginsWithBarrier(kernel.getBody().front());
    if (!isMemoryEffectFree(&op) && !isa<cf::AssertOp>(op))
      return false;
  }
  return false;
}

/// Why no later launch can disturb this one, or empty if that is not known.
static StringRef whyClosed(func::FuncOp function) {
  if (llvm::none_of(function.getArgumentTypes(), isShared))
    return "it takes no window and no bank";
  if (beginsWithBarrier(function.front()))
    return "it begins with a barrier of all ranks";
  return {};
}

/// Puts a barrier at the entry; into the first kernel, or one of its own, where
/// the program says which parts are kernels.
static void insertBarrier(func::FuncOp function) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  const bool hasKernels =
      function.walk([](KernelOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (hasKernels) {
    auto isFirst = [](Operation &op) {
      return isa<KernelOp>(op) || !isMemoryEffectFree(&op);
    };
    KernelOp kernel =
        dyn_cast<KernelOp>(*llvm::find_if(function.front(), isFirst));
    if (!kernel) {
      kernel = KernelOp::create(builder, function.getLoc(),
                                builder.getStringAttr("begin"));
      builder.createBlock(&kernel.getBody());
      YieldOp::create(builder, function.getLoc());
    }
    builder.setInsertionPointToStart(&kernel.getBody().front());
  }
  BarrierOp::create(builder, function.getLoc(), UnitAttr(), Attribute());
}

static remark::RemarkOpts remarkOptions(StringRef name, func::FuncOp function) {
  return remark::RemarkOpts::name(name).category("gin").function(
      function.getSymName());
}

namespace {
struct LaunchBarrier : gin::impl::LaunchBarrierBase<LaunchBarrier> {
  using LaunchBarrierBase::LaunchBarrierBase;

  LogicalResult handle(func::FuncOp function) {
    StringRef why = whyClosed(function);
    bool insert = mode == LaunchBarrierMode::Always ||
                  (mode == LaunchBarrierMode::Auto && why.empty());
    if (insert) {
      insertBarrier(function);
      remark::passed(function.getLoc(),
                     remarkOptions("LaunchBarrier", function))
          << (mode == LaunchBarrierMode::Always
                  ? "inserted a barrier at the entry, as asked"
                  : "inserted a barrier at the entry: nothing proves that a "
                    "rank in its next launch cannot disturb one in this");
      return success();
    }
    if (why.empty() && reason.empty())
      return function.emitOpError()
             << "may be disturbed by a rank that is in its next launch "
                "already: "
                "nothing proves the contrary, and the barrier at the entry is "
                "off (never); say why it is safe by the option reason "
                "(--launch-barrier-reason of ginc), or choose auto";
    remark::analysis(function.getLoc(),
                     remarkOptions("LaunchBarrierOmitted", function))
        << remark::add("no barrier at the entry")
        << remark::reason("{0}", why.empty() ? reason.getValue() : why.str());
    return success();
  }

  void runOnOperation() override {
    for (func::FuncOp function : findEntryFunctions(getOperation()))
      if (failed(handle(function)))
        signalPassFailure();
  }
};
} // namespace
