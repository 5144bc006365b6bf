//===- Outputs.h - files that appear together or not at all -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_OUTPUTS_H
#define GINC_TOOLS_GINC_OUTPUTS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FileSystem.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace ginc {

/// Files are written beside their place under temporary names, which a signal
/// removes, and move to their place when all of them are complete. What was
/// there before is replaced. Without commit() nothing is left.
class Outputs {
public:
  Outputs() = default;
  ~Outputs();
  Outputs(const Outputs &) = delete;
  Outputs &operator=(const Outputs &) = delete;

  /// Creates the temporary for `file`; reports a place that cannot be written.
  /// Doing so before the run tells the user early.
  mlir::LogicalResult open(llvm::StringRef file);
  /// Writes what `write` puts into the stream to `file`, which was opened.
  mlir::LogicalResult
  write(llvm::StringRef file,
        llvm::function_ref<void(llvm::raw_ostream &)> write);
  /// The same for whoever writes to the standard library's streams.
  mlir::LogicalResult
  writeStream(llvm::StringRef file,
              llvm::function_ref<void(std::ostream &)> write);
  /// Moves all files to their places.
  mlir::LogicalResult commit();

private:
  struct File {
    std::string name;  ///< as the user gave it
    std::string place; ///< without links
    llvm::sys::fs::TempFile temporary;
  };
  File &find(llvm::StringRef file);

  std::vector<File> files;
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_OUTPUTS_H
