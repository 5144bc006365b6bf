//===- Communication.h - does code touch windows or communicate -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_ANALYSIS_COMMUNICATION_H
#define GINC_PASSES_ANALYSIS_COMMUNICATION_H

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

namespace gin {

/// What code does with the memory and the signals that ranks share; each
/// includes the one before.
enum class Touch {
  Nothing,
  Windows,     ///< has windows, peer views or banks as operands or results
  Communicates ///< has ops of the gin dialect with effects
};

/// Whether a value of `type` gives access to what ranks share: a memref in
/// #gin.window or #gin.peer, ranked or not, or a bank.
bool isShared(mlir::Type type);

/// Looks through calls of functions with a body; remembers them, so that it
/// must be made anew when functions gain or lose communication.
class CommunicationAnalysis {
public:
  /// The most that the regions of `op` do, at any depth.
  Touch ofRegions(mlir::Operation *op);

  /// Whether a parallel loop's iterations are agents that the executor must run
  /// concurrently: they touch windows, and (scf.parallel) do not just reduce.
  bool forksAgents(mlir::Operation *loop);

private:
  Touch ofOp(mlir::Operation *op);

  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Operation *, Touch> functions;
};

} // namespace gin

#endif // GINC_PASSES_ANALYSIS_COMMUNICATION_H
