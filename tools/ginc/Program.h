//===- Program.h - a program compiled for this machine ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_PROGRAM_H
#define GINC_TOOLS_GINC_PROGRAM_H

#include "ProgramOptions.h"
#include "Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class ExecutionEngine;
} // namespace mlir

namespace ginc {

struct CompileOptions : ProgramOptions {
  std::vector<std::string> libraries; ///< with external C functions
};

/// Registers what compilation needs, before the program is read.
void registerForCompilation(mlir::DialectRegistry &registry);

/// A program on its way to machine code. Errors are reported where they occur.
class Program {
public:
  Program(mlir::ModuleOp module, mlir::func::FuncOp entry,
          CompileOptions options);
  ~Program();

  /// Brings collectives down to puts, signals and waits. The entry may get more
  /// arguments: banks and scratch windows.
  mlir::LogicalResult expandCollectives();
  /// Makes machine code. The entry is not to be used any more.
  mlir::LogicalResult compile();

  /// Runs the entry on the calling rank. `arguments` has for each argument the
  /// address of what its C wrapper takes.
  void operator()(void **arguments) const { entryPoint(arguments); }

  /// What the compiler has to say about its decisions, one sentence each.
  const std::vector<std::string> &remarks() const { return notes.texts(); }

private:
  mlir::LogicalResult loadLibraries();
  mlir::LogicalResult checkExternals();
  void checkAllocations();
  void guardAllocations();
  mlir::LogicalResult makeCode();

  mlir::ModuleOp module;
  mlir::func::FuncOp entry;
  std::string name; ///< of the entry
  CompileOptions options;
  Remarks notes;
  struct Site;
  std::deque<Site> sites; ///< of allocations
  std::unique_ptr<mlir::ExecutionEngine> engine;
  void (*entryPoint)(void **) = nullptr;
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_PROGRAM_H
