//===- Source.h - the program's text ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads a program, text or bytecode. Names of SSA values, which MLIR forgets
// after parsing, are kept for whoever speaks to the user: arguments of
// functions get the attribute `gin.name` and locations of values become
// NameLocs (the first result's name on an operation).
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_SOURCE_H
#define GINC_TOOLS_GINC_SOURCE_H

#include "runtime/device/contract.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>

namespace ginc {

class Source {
public:
  /// Reads `file`, "-" for standard input; reports what is wrong. From then on
  /// diagnostics of `context` are printed with their source line.
  static std::unique_ptr<Source> load(llvm::StringRef file,
                                      mlir::MLIRContext &context);

  mlir::ModuleOp module() { return *root; }
  /// The file as the user named it.
  llvm::StringRef name() const { return file; }
  bool isBytecode() const { return bytecode; }
  /// What was read.
  llvm::MemoryBufferRef text() const {
    return buffers->getMemoryBuffer(buffers->getMainFileID())
        ->getMemBufferRef();
  }
  /// The path of a file that the program names, relative to the program's own.
  std::string resolve(llvm::StringRef name) const;

  /// Reports an error of a running program, with the source line of `site` and
  /// `details` below it. A null site is nowhere in particular.
  void runTimeError(const gin_site_t *site, const llvm::Twine &message,
                    llvm::ArrayRef<std::string> details);

private:
  Source(llvm::StringRef file, mlir::MLIRContext &context);
  mlir::LogicalResult parse();

  std::string file;
  bool bytecode = false;
  mlir::MLIRContext &context;
  std::shared_ptr<llvm::SourceMgr> buffers;
  mlir::SourceMgrDiagnosticHandler printer;
  mlir::OwningOpRef<mlir::ModuleOp> root;
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_SOURCE_H
