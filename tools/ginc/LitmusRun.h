//===- LitmusRun.h - runs of a litmus program, and their sum ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_LITMUSRUN_H
#define GINC_TOOLS_GINC_LITMUSRUN_H

#include "Arguments.h"
#include "LitmusTest.h"
#include "Program.h"

#include <map>

namespace ginc {

/// How often something was seen, and first with which seed.
struct Sighting {
  uint64_t count = 0, seed = 0;
  void note(uint64_t by) {
    if (count++ == 0)
      seed = by;
  }
};

/// The sum over runs.
struct Histogram {
  int64_t runs = 0;
  std::map<std::vector<int64_t>, Sighting> outcomes; ///< of complete runs
  Sighting deadlocks, unconsumed;
  std::map<std::string, Sighting> errors; ///< by message
  std::vector<std::string> deadlock;      ///< report on the first one
};

/// A compiled litmus program. Each run has a simulator of its own.
class LitmusRunner {
public:
  LitmusRunner(const LitmusTest &test, std::vector<std::string> off)
      : test(test), off(std::move(off)) {}

  /// Compiles `entry`, which a copy is made of where needed. Reports errors.
  mlir::LogicalResult prepare(Source &source, mlir::func::FuncOp entry);
  void run(uint64_t seed, Histogram &histogram);

private:
  mlir::LogicalResult planArguments(Source &source, mlir::func::FuncOp entry);
  mlir::LogicalResult checkObserved(mlir::func::FuncOp entry) const;
  void makeArguments(sim::Simulator &simulator);
  std::vector<int64_t> observe() const;

  const LitmusTest &test;
  std::vector<std::string> off;

  llvm::MemoryBufferRef text; ///< of the program
  Settings settings;
  std::unique_ptr<sim::Simulator> model; ///< owns the initial contents
  std::unique_ptr<Arguments> plan;
  mlir::OwningOpRef<mlir::ModuleOp> hostModule;
  std::unique_ptr<Program> program, host;
  std::vector<sim::Step> steps;

  /// An argument of the current run.
  struct Actual {
    const Argument *plan;
    std::vector<char *> data;        ///< by rank; one buffer for all if plain
    std::vector<char> memory;        ///< of a plain memref
    std::vector<int64_t> descriptor; ///< by rank, one behind the other
    size_t words = 0;                ///< of one descriptor
    void *record = nullptr;
  };
  std::vector<Actual> actuals;
  std::vector<void *> values;   ///< by rank and argument
  std::vector<void *> pointers; ///< to `values`
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_LITMUSRUN_H
