//===- TemporaryFolder.h - a folder that goes away --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_TEMPORARYFOLDER_H
#define GINC_TOOLS_GINC_TEMPORARYFOLDER_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallString.h"

#include <string>

namespace ginc {

/// A folder of its own in the system's folder for temporary files. It goes away
/// with the object, and also when a signal (Ctrl-C, TERM, HUP) ends ginc. There
/// can be one at a time.
class TemporaryFolder {
public:
  TemporaryFolder() = default;
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  /// Creates it; reports an error.
  llvm::LogicalResult create();
  /// The path of `name` in it.
  std::string path(const llvm::Twine &name) const;
  /// A process that a signal to ginc ends, too; 0 for none.
  static void endWithUs(int process);
  /// For signal handlers that end ginc: removes the folder, and ends the
  /// process.
  static void removeInSignal();

private:
  std::string folder;
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_TEMPORARYFOLDER_H
