//===- SinkLoads.cpp - end loads where they are needed ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"

namespace gin {
#define GEN_PASS_DEF_SINKLOADS
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;

static bool isLoadEnd(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() == "gin_load_end";
}

/// Casts that turn the bits of a load into its value.
static bool isCast(Operation *op) {
  return isa<LLVM::TruncOp, LLVM::BitcastOp>(op);
}

namespace {
/// Moves ops of one function.
class Sinker {
public:
  explicit Sinker(Region &body) : dominance(body.getParentOp()) {
    if (!body.hasOneBlock()) {
      postDominance.emplace(body.getParentOp());
      loops.emplace(dominance.getDomTree(&body));
    }
  }

  /// Moves `op`, whose operands stay valid, to just before its first use, or as
  /// far as it may go.
  void sink(Operation *op) {
    Block *home = op->getBlock();
    Block *target = nullptr;
    for (Operation *user : op->getUsers()) {
      // Dominance knows nothing of unreachable code.
      if (user->getBlock() != home && !dominance.getNode(user->getBlock()))
        return;
      target = target ? dominance.findNearestCommonDominator(target,
                                                             user->getBlock())
                      : user->getBlock();
    }
    if (!target)
      return;
    while (target != home && !runsAsOften(target, home))
      target = dominance.getNode(target)->getIDom()->getBlock();

    // Users in other blocks come after the terminator.
    Operation *place = target->getTerminator();
    for (Operation *user : op->getUsers())
      if (user->getBlock() == target && user->isBeforeInBlock(place))
        place = user;
    op->moveBefore(place);
  }

private:
  /// Whether `block`, which `home` dominates, runs once for each time of it.
  bool runsAsOften(Block *block, Block *home) {
    return postDominance->postDominates(block, home) &&
           loops->getLoopFor(block) == loops->getLoopFor(home);
  }

  DominanceInfo dominance;
  std::optional<PostDominanceInfo> postDominance;
  std::optional<CFGLoopInfo> loops;
};

struct SinkLoads : gin::impl::SinkLoadsBase<SinkLoads> {
  using SinkLoadsBase::SinkLoadsBase;

  void runOnOperation() override {
    SmallVector<Operation *> ends;
    getOperation().walk([&](Operation *op) {
      if (isLoadEnd(op))
        ends.push_back(op);
    });
    if (ends.empty())
      return markAllAnalysesPreserved();

    // A load's casts follow it: they must have moved before it can.
    Sinker sinker(getOperation().getBody());
    for (Operation *end : llvm::reverse(ends)) {
      SmallVector<Operation *> chain{end};
      for (size_t next = 0; next < chain.size(); ++next)
        for (Operation *user : chain[next]->getUsers())
          if (isCast(user))
            chain.push_back(user);
      for (Operation *op : llvm::reverse(chain))
        sinker.sink(op);
    }
  }
};
} // namespace
