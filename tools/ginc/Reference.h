//===- Reference.h - the independent computation ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A program may name a Python script that computes with NumPy what the program
// should compute: `python3 SCRIPT IN OUT`. IN has the arguments before the
// first launch, IN/meta.json describes the run; the script writes the arguments
// that it predicts to OUT. It runs while the program is compiled and simulated.
// docs/ginc.md has the protocol.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_REFERENCE_H
#define GINC_TOOLS_GINC_REFERENCE_H

#include "Arguments.h"
#include "Check.h"
#include "RunOptions.h"
#include "TemporaryFolder.h"

#include <sys/types.h>

namespace ginc {

class Reference {
public:
  explicit Reference(Setting script) : script(std::move(script)) {}
  /// Ends the script if it still runs.
  ~Reference();

  /// Writes the inputs and starts the script; reports what prevents it.
  mlir::LogicalResult start(const Arguments &arguments,
                            const RunOptions &options, int64_t ranks);
  /// Waits for the script and compares what it wrote with the arguments;
  /// reports a script that failed or wrote something unexpected. A tolerance in
  /// `options` has the last word.
  mlir::LogicalResult compare(const Arguments &arguments,
                              const RunOptions &options, int64_t ranks,
                              Check &check);
  /// The script's name without folders.
  llvm::StringRef name() const;

private:
  mlir::LogicalResult writeInputs(const Arguments &arguments,
                                  const RunOptions &options, int64_t ranks);
  mlir::LogicalResult wait();
  mlir::LogicalResult readTolerances(const Arguments &arguments,
                                     std::map<std::string, Tolerance> &all);
  mlir::LogicalResult checkNames(const Arguments &arguments, int64_t ranks);

  Setting script;
  TemporaryFolder folder;
  pid_t process = -1;
  bool running = false;
  std::string interpreter;
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_REFERENCE_H
