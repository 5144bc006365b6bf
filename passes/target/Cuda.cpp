//===- Cuda.cpp - from the kernel level to CUDA C++ -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Cuda.h"

#include "Internal.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Path.h"

using namespace gin;
using namespace gin::cuda;

/// The one kernel of a module, or null after an error.
static gpu::GPUFuncOp findKernel(ModuleOp module) {
  SmallVector<gpu::GPUFuncOp> kernels;
  module.walk([&](gpu::GPUFuncOp function) {
    if (function.isKernel())
      kernels.push_back(function);
  });
  if (kernels.empty()) {
    module.emitError("has no kernel (gpu.func ... kernel) to emit as CUDA; run "
                     "gin-map-to-kernel");
    return {};
  }
  if (kernels.size() > 1) {
    InFlightDiagnostic error =
        kernels[1].emitError("is the second kernel, and one can be emitted");
    error.attachNote(kernels[0].getLoc()) << "this is the first one";
    return {};
  }
  return kernels.front();
}

static std::string sourceText(const Emitter &emitter,
                              const CudaOptions &options) {
  std::string header =
      options.header.empty() ? emitter.name + ".h" : options.header;
  StringRef file = llvm::sys::path::filename(emitter.file);
  Text text;
  text.comment(emitter.name + ".cu: written by ginc" +
               (file.empty() ? "" : " from " + file) + ".");
  text.blank();
  text.line("#include \"" + header + "\"");
  text.blank();
  text.line("#include \"runtime/device/Compiled.h\"");
  text.line("#include \"runtime/device/Launcher.h\"");
  if (!emitter.tileLoops.empty())
    text.line("#include \"runtime/device/TileLauncher.h\"");
  text.blank();
  if (emitter.usesSites) {
    text.comment("Where an operation stands, for error messages.");
    const std::string macro = "#define AT(text, line) (gin::Site{text, " +
                              quote(emitter.file) + ", line})\n";
    // Breaking it would only make it harder to read.
    const bool fits = macro.size() <= 81;
    if (!fits)
      text.comment("clang-format off");
    text.raw(macro);
    if (!fits)
      text.comment("clang-format on");
    text.blank();
  }
  text.raw(emitter.source);
  text.blank();
  text.raw(launcherText(emitter));
  return text.str();
}

LogicalResult gin::emitCuda(ModuleOp module, const CudaOptions &options,
                            CudaFiles &files) {
  gpu::GPUFuncOp kernel = findKernel(module);
  if (!kernel)
    return failure();
  Emitter emitter(kernel);
  if (failed(emitter.emit()))
    return failure();
  files = {emitter.name, sourceText(emitter, options), headerText(emitter),
           requirementsText(emitter), emitter.leastBlocks};
  return success();
}

void gin::registerCudaDialects(DialectRegistry &registry) {
  registry.insert<GinDialect, affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect,
                  index::IndexDialect, math::MathDialect, memref::MemRefDialect,
                  scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
}
