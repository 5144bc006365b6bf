//===- TargetRun.h - runs what ginc emits -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `ginc run --target`: the emitted source is compiled, loaded and launched on
// GPUs, or on threads of the CPU that stand in for them, through the same C
// functions that a user's program calls.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_TARGETRUN_H
#define GINC_TOOLS_GINC_TARGETRUN_H

#include "Arguments.h"
#include "Kernel.h"
#include "Source.h"
#include "TemporaryFolder.h"
#include "ToolChain.h"

#include "runtime/include/gin.h"

namespace ginc {

class TargetRun {
public:
  TargetRun(const KernelOptions &options, llvm::StringRef arch, int64_t ranks,
            int64_t blocks);
  ~TargetRun();

  /// Emits, compiles and loads the program; reports errors.
  mlir::LogicalResult compile(Source &source, llvm::StringRef entry);
  /// Launches it `repeat` times on every rank, with the data of `arguments`,
  /// and stores there what windows hold afterwards.
  mlir::LogicalResult launch(Source &source, llvm::ArrayRef<Argument> arguments,
                             int64_t repeat);

private:
  struct Library;
  struct Rank;

  mlir::LogicalResult check(ginResult_t result, const llvm::Twine &what);
  mlir::LogicalResult prepare(Rank &rank, int64_t number,
                              llvm::ArrayRef<Argument> arguments);
  mlir::LogicalResult finish(Rank &rank, int64_t number,
                             llvm::ArrayRef<Argument> arguments);
  mlir::LogicalResult reportError(Source &source);

  KernelOptions options;
  ToolChain tools;
  int64_t ranks, blocks; ///< 0 blocks: as many as run at once
  TemporaryFolder folder;
  std::unique_ptr<Library> library;
  std::vector<Rank> all;
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_TARGETRUN_H
