//===- Pipelines.cpp - pipelines of gin's passes ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/Pipelines.h"

#include "passes/conversion/GinToLLVM.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace gin {
#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;
using namespace gin;

/// From whatever level down to the program level, ready to be launched.
static void buildProgramStages(OpPassManager &manager,
                               const ProgramOptions &options, bool inlines) {
  SelectEntryOptions entry;
  entry.entry = options.entry;
  manager.addPass(createSelectEntry(entry));
  manager.addPass(createVerify());

  DecomposeCollectivesOptions collectives;
  collectives.algorithm = options.algorithm;
  manager.addPass(createDecomposeCollectives(collectives));
  manager.addPass(createVerify({Level::Program}));

  // Where functions have kernels, the barrier is part of one.
  if (inlines) {
    manager.addPass(createInlinerPass());
    manager.addPass(createSymbolDCEPass());
  }
  LaunchBarrierOptions barrier;
  barrier.mode = options.launchBarrier;
  barrier.reason = options.launchBarrierReason;
  manager.addPass(createLaunchBarrier(barrier));

  // Parallel loops and element accesses of the affine dialect become those that
  // the next passes know.
  manager.addPass(createLowerAffinePass());
}

/// Functions that an executor can run as agents.
static void buildAgentStages(OpPassManager &manager) {
  manager.addPass(createOutlineAgents());
  manager.addPass(createVerify({Level::Agents}));
  manager.addPass(createWeakenAccesses());
}

/// Everything that stands above memref, arith and cf. What this makes of
/// windows are plain accesses, for which gin-weaken-accesses has drained.
static void buildLoopStages(OpPassManager &manager) {
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createExpandCopies());
  functions.addPass(createConvertLinalgToLoopsPass());
  functions.addPass(createLowerVectors());
  functions.addPass(memref::createExpandOpsPass());
  functions.addPass(createExpandMath());
  functions.addPass(math::createMathExtendToSupportedTypes());
  functions.addPass(createExpandFloats());
  functions.addPass(arith::createArithExpandOpsPass());
  functions.addPass(memref::createExpandStridedMetadataPass());
  functions.addPass(createLowerAffinePass());
  functions.addPass(createSCFToControlFlowPass());
}

static void buildLLVMStages(OpPassManager &manager) {
  // Intrinsics first; calls of libm for what has none.
  manager.addPass(createConvertMathToFuncs());
  ConvertMathToLLVMPassOptions math;
  math.approximateLog1p = false; // log(1 + x) is 0 for small x
  manager.addPass(createConvertMathToLLVMPass(math));
  manager.addPass(createConvertMathToLibmPass());
  manager.addPass(createConvertToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addNestedPass<LLVM::LLVMFuncOp>(createSinkLoads());
}

void gin::buildCpuPipeline(OpPassManager &manager,
                           const CpuPipelineOptions &options) {
  buildProgramStages(manager, options, /*inlines=*/false);
  manager.addPass(createExpandTiles());
  buildAgentStages(manager);
  buildLoopStages(manager);
  buildLLVMStages(manager);
}

void gin::buildKernelPipeline(OpPassManager &manager,
                              const KernelPipelineOptions &options) {
  buildProgramStages(manager, options, /*inlines=*/true);
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createExpandCopies({/*all=*/true}));
  functions.addPass(createLowerLinalg());
  functions.addPass(createExpandMath()); // of vectors, too, which are unrolled
  functions.addPass(createLowerVectors({/*unroll=*/true}));
  functions.addPass(memref::createExpandOpsPass());
  functions.addPass(createLowerAffinePass());
  functions.addPass(createCanonicalizerPass());
  MapToKernelOptions map;
  map.threads = options.threads;
  manager.addPass(createMapToKernel(map));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void gin::registerCpuLowering(DialectRegistry &registry) {
  registry.insert<LLVM::LLVMDialect>();
  registerConvertGinToLLVMInterface(registry);
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertComplexToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
}

void gin::registerGinPasses() {
  registerGinConversionPasses();
  PassPipelineRegistration<CpuPipelineOptions>(
      "gin-to-cpu",
      "Lower gin programs to the LLVM dialect with calls of the device "
      "contract",
      buildCpuPipeline);
  PassPipelineRegistration<KernelPipelineOptions>(
      "gin-to-kernel", "Lower gin programs to GPU kernels",
      buildKernelPipeline);
}
