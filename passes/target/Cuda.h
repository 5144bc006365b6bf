//===- Cuda.h - from the kernel level to CUDA C++ ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Writes a kernel as CUDA C++ that a person would read and change, with the
// host code that launches it. docs/cuda.md says how the text looks and why.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_TARGET_CUDA_H
#define GINC_PASSES_TARGET_CUDA_H

#include "llvm/Support/LogicalResult.h"

#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace gin {

struct CudaOptions {
  /// What the source includes as its header; NAME.h if empty.
  std::string header;
};

/// The texts of one kernel.
struct CudaFiles {
  std::string name;         ///< of the kernel
  std::string source;       ///< NAME.cu: the kernel and its launcher
  std::string header;       ///< NAME.h: the launcher, in C
  std::string requirements; ///< NAME.json: what the launcher allocates
  unsigned leastBlocks = 1; ///< that the kernel's roles need
};

/// Writes the one kernel of `module`, which is a gpu.func at the kernel level.
/// An op that is not of this level is an error at the op, and leaves `files` as
/// it was. Changes nothing in the module.
llvm::LogicalResult emitCuda(mlir::ModuleOp module, const CudaOptions &options,
                             CudaFiles &files);

/// The ops that a kernel may contain, sorted by name, but for arithmetic, and
/// for memrefs made of others. test/gpu/ptx has a row for each that accesses
/// memory or other ranks.
std::vector<std::string> cudaOps();

/// The dialects of the kernel level.
void registerCudaDialects(mlir::DialectRegistry &registry);

} // namespace gin

#endif // GINC_PASSES_TARGET_CUDA_H
