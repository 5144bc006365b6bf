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

/// Whether each kernel takes what `launching` takes, but for the number of
/// blocks, before anything else.
static LogicalResult verifySignatures(ArrayRef<FunctionOpInterface> kernels,
                                      FunctionOpInterface launching) {
  ArrayRef<Type> common = launching.getArgumentTypes();
  if (common.empty() || !common.back().isIndex())
    return launching.emitError("launches kernels, and its last argument is not "
                               "the number of their blocks, an index");
  common = common.drop_back();
  for (FunctionOpInterface kernel : kernels)
    if (kernel.getArgumentTypes().take_front(common.size()) != common) {
      InFlightDiagnostic error = kernel->emitError(
          "takes other arguments than the function that launches it; kernels "
          "take all of them first, in their order");
      error.attachNote(launching.getLoc()) << "this is the function";
      return error;
    }
  return success();
}

/// The kernels of a module, then the function that launches them, if there are
/// several; none after an error.
static SmallVector<FunctionOpInterface> findProgram(ModuleOp module) {
  SmallVector<FunctionOpInterface> kernels, launching;
  module.walk([&](FunctionOpInterface function) {
    auto kernel = dyn_cast<gpu::GPUFuncOp>(*function);
    if (kernel && kernel.isKernel())
      kernels.push_back(function);
    WalkResult launches = function->walk(
        [](gpu::LaunchFuncOp) { return WalkResult::interrupt(); });
    if (launches.wasInterrupted())
      launching.push_back(function);
  });
  if (kernels.empty()) {
    module.emitError("has no kernel (gpu.func ... kernel) to emit as CUDA; run "
                     "gin-map-to-kernel");
    return {};
  }
  if (launching.size() > 1) {
    InFlightDiagnostic error = launching[1]->emitError(
        "is the second function that launches kernels, and one can be emitted");
    error.attachNote(launching[0].getLoc()) << "this is the first one";
    return {};
  }
  if (launching.empty() && kernels.size() > 1) {
    InFlightDiagnostic error = kernels[1]->emitError(
        "is the second kernel, and one can be emitted, or several that a "
        "function launches");
    error.attachNote(kernels[0].getLoc()) << "this is the first one";
    return {};
  }
  if (!launching.empty() &&
      failed(verifySignatures(kernels, launching.front())))
    return {};
  kernels.append(launching);
  return kernels;
}

/// Each gin.specialize of the launching function has a lane for each role.
static unsigned countLanes(FunctionOpInterface function) {
  size_t lanes = 1;
  function->walk([&](SpecializeOp roles) {
    lanes = std::max<size_t>(lanes, roles.getRoles().size());
  });
  return static_cast<unsigned>(lanes);
}

static std::string sourceText(const Program &program,
                              const CudaOptions &options) {
  std::string header =
      options.header.empty() ? program.name + ".h" : options.header;
  const std::string &path = program.signature().file;
  StringRef file = llvm::sys::path::filename(path);
  Text text;
  text.comment(program.name + ".cu: written by ginc" +
               (file.empty() ? "" : " from " + file) + ".");
  text.blank();
  text.line("#include \"" + header + "\"");
  text.blank();
  text.line("#include \"runtime/device/Compiled.h\"");
  text.line("#include \"runtime/device/Launcher.h\"");
  if (program.steps)
    text.line("#include \"runtime/device/Steps.h\"");
  if (program.hasTiles())
    text.line("#include \"runtime/device/TileLauncher.h\"");
  text.blank();
  bool usesSites = program.steps && program.steps->usesSites;
  for (const Emitter &kernel : program.kernels)
    usesSites |= kernel.usesSites;
  if (usesSites) {
    text.comment("Where an operation stands, for error messages.");
    const std::string macro =
        "#define AT(text, line) (gin::Site{text, " + quote(path) + ", line})\n";
    // Breaking it would only make it harder to read.
    const bool fits = macro.size() <= 81;
    if (!fits)
      text.comment("clang-format off");
    text.raw(macro);
    if (!fits)
      text.comment("clang-format on");
    text.blank();
  }
  for (const Emitter &kernel : program.kernels) {
    text.raw(kernel.source);
    text.blank();
  }
  text.raw(launcherText(program));
  return text.str();
}

LogicalResult gin::emitCuda(ModuleOp module, const CudaOptions &options,
                            CudaFiles &files) {
  SmallVector<FunctionOpInterface> functions = findProgram(module);
  if (functions.empty())
    return failure();
  Program program;
  for (FunctionOpInterface function : functions) {
    if (isa<gpu::GPUFuncOp>(*function)) {
      program.kernels.emplace_back(function, functions);
      if (failed(program.kernels.back().emit()))
        return failure();
      continue;
    }
    program.steps.emplace(function, functions);
    program.steps->kernels = &program.kernels;
    program.lanes = countLanes(function);
    if (failed(program.steps->emit()))
      return failure();
  }
  program.name = FunctionOpInterface(functions.back()).getName().str();
  files = {program.name, sourceText(program, options), headerText(program),
           requirementsText(program), program.leastBlocks()};
  return success();
}

void gin::registerCudaDialects(DialectRegistry &registry) {
  registry.insert<GinDialect, affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect,
                  index::IndexDialect, math::MathDialect, memref::MemRefDialect,
                  scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
}
