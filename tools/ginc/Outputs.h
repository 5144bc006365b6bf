//===- Outputs.h - files that appear together or not at all -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_OUTPUTS_H
#define GINC_TOOLS_GINC_OUTPUTS_H

#include "TemporaryFolder.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace ginc {

/// Files are written in a temporary folder beside their place and move there
/// when all of them are complete. What was there before is replaced; should
/// moving fail, it comes back. Without commit() nothing is left.
class Outputs {
public:
  Outputs() = default;
  Outputs(const Outputs &) = delete;
  Outputs &operator=(const Outputs &) = delete;

  /// Nothing may be written to `file`: the run reads it as `what`.
  void protect(llvm::StringRef file, llvm::StringRef what);
  /// Prepares to write `file`; reports a place that cannot be written, or that
  /// another output or input has. Doing so before the run tells the user early.
  mlir::LogicalResult open(llvm::StringRef file);
  /// Writes what `write` puts into the stream to `file`, which was opened.
  mlir::LogicalResult
  write(llvm::StringRef file,
        llvm::function_ref<void(llvm::raw_ostream &)> write);
  /// The same for whoever writes to the standard library's streams.
  mlir::LogicalResult
  writeStream(llvm::StringRef file,
              llvm::function_ref<void(std::ostream &)> write);
  /// Moves all files to their places; no signal comes between.
  mlir::LogicalResult commit();

private:
  struct File {
    std::string name;      ///< as the user gave it
    std::string place;     ///< without links
    std::string temporary; ///< where it is written
    enum { Waits, New, Exchanged, Replaced } state = Waits;
  };
  /// Where files go, and their temporary folder.
  struct Folder {
    std::string path; ///< without links
    TemporaryFolder temporary;
  };
  std::error_code findFolder(llvm::StringRef parent, Folder *&folder);
  const std::string &temporaryOf(llvm::StringRef name) const;
  static int move(File &file);
  size_t moveBack(size_t count);

  std::vector<File> files;
  llvm::StringMap<size_t> index;                    ///< of files, by name
  llvm::StringMap<std::shared_ptr<Folder>> folders; ///< by any spelling
  /// What is read or written, by path without links and by number on its
  /// device; the name of an output, or what an input is.
  llvm::StringMap<std::string> written, read;
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_OUTPUTS_H
