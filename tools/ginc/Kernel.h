//===- Kernel.h - a program as CUDA C++ -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_KERNEL_H
#define GINC_TOOLS_GINC_KERNEL_H

#include "ProgramOptions.h"

#include "passes/target/Cuda.h"

#include "mlir/IR/BuiltinOps.h"

namespace ginc {

struct KernelOptions : ProgramOptions {
  int64_t threads = 256; ///< of a block
};

/// Lowers `module`, whose function `entry` is launched, to a kernel and writes
/// that as CUDA C++. Errors are reported where they occur.
mlir::LogicalResult emitKernel(mlir::ModuleOp module, llvm::StringRef entry,
                               const KernelOptions &options,
                               gin::CudaFiles &files);

} // namespace ginc

#endif // GINC_TOOLS_GINC_KERNEL_H
