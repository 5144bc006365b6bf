//===- Communication.cpp - does code touch windows --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/analysis/Communication.h"

#include "dialect/Gin.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace gin;

bool gin::isShared(Type type) {
  if (auto memref = dyn_cast<BaseMemRefType>(type))
    return isa_and_nonnull<WindowAttr, PeerAttr>(memref.getMemorySpace());
  return isa<SignalsType>(type);
}

Touch CommunicationAnalysis::ofOp(Operation *op) {
  if (isa_and_nonnull<GinDialect>(op->getDialect()) &&
      !isMemoryEffectFree(op) && !isa<SpecializeOp, KernelOp>(op))
    return Touch::Communicates;
  Touch touch = Touch::Nothing;
  if (llvm::any_of(op->getOperandTypes(), isShared) ||
      llvm::any_of(op->getResultTypes(), isShared))
    touch = Touch::Windows;
  if (auto call = dyn_cast<CallOpInterface>(op))
    if (Operation *callee = call.resolveCallableInTable(&symbols))
      touch = std::max(touch, ofRegions(callee));
  return touch;
}

Touch CommunicationAnalysis::ofRegions(Operation *op) {
  bool isFunction = isa<CallableOpInterface>(op);
  if (isFunction) {
    // The entry that is made here ends recursion.
    auto [known, isNew] = functions.try_emplace(op, Touch::Nothing);
    if (!isNew)
      return known->second;
  }
  Touch touch = Touch::Nothing;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *nested) {
      touch = std::max(touch, ofOp(nested));
      return touch == Touch::Communicates ? WalkResult::interrupt()
                                          : WalkResult::advance();
    });
  if (isFunction)
    functions[op] = touch;
  return touch;
}

bool CommunicationAnalysis::forksAgents(Operation *loop) {
  if (isa<scf::ForallOp>(loop))
    return ofRegions(loop) != Touch::Nothing;
  auto parallel = dyn_cast<scf::ParallelOp>(loop);
  return parallel && parallel.getInitVals().empty() &&
         ofRegions(loop) != Touch::Nothing;
}
