//===- Kernel.cpp - a program as CUDA C++ -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "mlir/Pass/PassManager.h"

using namespace ginc;
using namespace mlir;

LogicalResult ginc::emitKernel(ModuleOp module, StringRef entry,
                               const KernelOptions &options,
                               gin::CudaFiles &files) {
  PassManager manager(module.getContext());
  gin::KernelPipelineOptions pipeline;
  setPipelineOptions(options, entry, pipeline);
  pipeline.threads = static_cast<unsigned>(options.threads);
  gin::buildKernelPipeline(manager, pipeline);
  if (failed(manager.run(module)))
    return failure();
  return gin::emitCuda(module, {}, files);
}
