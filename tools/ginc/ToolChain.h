//===- ToolChain.h - compilers for what ginc emits --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finds nvcc or a C++ compiler, and the runtime's headers and library, and
// turns emitted source into machine code. Errors show the compiler's own words.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_TOOLCHAIN_H
#define GINC_TOOLS_GINC_TOOLCHAIN_H

#include "TemporaryFolder.h"

#include "passes/target/Cuda.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace ginc {

class ToolChain {
public:
  /// What machine code is for: "sm_90a" and the like, or "host", where threads
  /// of the CPU stand in for a GPU's.
  explicit ToolChain(llvm::StringRef arch) : arch(arch) {}

  bool isHost() const { return arch == "host"; }
  /// Finds the compiler and the runtime; reports what is missing.
  mlir::LogicalResult find();

  enum class Product { Ptx, Object, SharedLibrary };
  /// Compiles the source in `from` into the file `to`.
  mlir::LogicalResult compile(llvm::StringRef from, llvm::StringRef to,
                              Product product) const;
  /// Writes what ginc emitted into `folder`; returns the source's path.
  mlir::FailureOr<std::string> write(const gin::CudaFiles &files,
                                     const TemporaryFolder &folder) const;

private:
  std::string arch;
  std::string compiler;
  std::string include; ///< folder of the headers
  std::string library; ///< libGinHost.a
  std::string fibers;  ///< libGinFiber.a, or empty
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_TOOLCHAIN_H
