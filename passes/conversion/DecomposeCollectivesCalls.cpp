//===- DecomposeCollectivesCalls.cpp - collectives in callees ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DecomposeCollectives.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gin;

static bool hasCollective(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return isCollective(op) ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Replaces `call` by the body of `callee`, which has one block.
static void inlineBody(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getOperands());
  Block &body = callee.front();
  for (Operation &op : body.without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    copy->walk([&](Operation *nested) {
      nested->setLoc(CallSiteLoc::get(nested->getLoc(), call.getLoc()));
    });
  }
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

namespace {
/// Visits callees before callers.
class CallInliner {
public:
  explicit CallInliner(ModuleOp module) : module(module), symbols(module) {}

  LogicalResult run() {
    for (func::FuncOp function : module.getOps<func::FuncOp>())
      if (failed(visit(function)))
        return failure();
    return removeInlined();
  }

private:
  /// Afterwards `function` has no call of a function with collectives.
  LogicalResult visit(func::FuncOp function) {
    if (done.contains(function))
      return success();
    path.insert(function);
    SmallVector<func::CallOp> calls;
    function.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || callee.isExternal())
        continue;
      if (path.contains(callee)) {
        cyclic.insert(callee);
        continue;
      }
      if (failed(visit(callee)))
        return failure();
      if (hasCollective(callee) && failed(replace(call, callee)))
        return failure();
    }
    path.remove(function);
    done.insert(function);
    if (cyclic.contains(function) && hasCollective(function))
      return function.emitOpError(
          "has a collective and calls itself, so that nothing bounds the "
          "signals and scratch windows it needs; use a loop instead");
    return success();
  }

  LogicalResult replace(func::CallOp call, func::FuncOp callee) {
    if (!callee.getBody().hasOneBlock()) {
      InFlightDiagnostic error =
          call.emitOpError() << "of @" << callee.getSymName()
                             << ", which has a collective: its body must have "
                                "one block to be put in the call's place; use "
                                "scf instead of branches";
      error.attachNote(callee.getLoc()) << "the function is here";
      return error;
    }
    inlineBody(call, callee);
    inlined.insert(callee);
    return success();
  }

  LogicalResult removeInlined() {
    // Callers before what they called.
    for (func::FuncOp function : llvm::reverse(done)) {
      if (!hasCollective(function))
        continue;
      auto uses = SymbolTable::getSymbolUses(function, module);
      if (!uses || !uses->empty())
        return function.emitOpError(
            "has a collective and is referred to by something that is not a "
            "direct call of it");
      if (inlined.contains(function) && function.isPrivate())
        function.erase();
    }
    return success();
  }

  ModuleOp module;
  SymbolTable symbols;
  llvm::SetVector<func::FuncOp> path, done;
  llvm::DenseSet<func::FuncOp> inlined, cyclic;
};
} // namespace

LogicalResult gin::inlineCallsOfCollectives(ModuleOp module) {
  return CallInliner(module).run();
}
