//===- TemporaryFolder.h - a folder that goes away --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_TEMPORARYFOLDER_H
#define GINC_TOOLS_GINC_TEMPORARYFOLDER_H

#include "mlir/Support/LLVM.h"

#include <csignal>
#include <string>
#include <system_error>

namespace ginc {

/// The signals that end ginc: Ctrl-C, TERM, HUP and the like.
llvm::ArrayRef<int> endingSignals();

/// While one exists these signals have to wait.
class SignalsBlocked {
public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked &) = delete;
  SignalsBlocked &operator=(const SignalsBlocked &) = delete;

private:
  sigset_t before;
};

/// A folder that goes away with the object, and also when a signal or a crash
/// ends ginc.
class TemporaryFolder {
public:
  TemporaryFolder() = default;
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  /// Creates it in the system's folder for temporary files; reports an error.
  llvm::LogicalResult create();
  /// Creates it in `parent`, where ls does not show it.
  std::error_code createIn(llvm::StringRef parent);
  /// The path of `name` in it.
  std::string path(const llvm::Twine &name) const;
  /// A process that a signal to ginc ends, too; 0 for none.
  static void endWithUs(int process);
  /// For signal handlers that end ginc: removes all folders, and ends the
  /// process.
  static void removeInSignal();

private:
  std::error_code createAs(std::string pattern);

  std::string folder;
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_TEMPORARYFOLDER_H
