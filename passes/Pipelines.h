//===- Pipelines.h - pipelines of gin's passes ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_PIPELINES_H
#define GINC_PASSES_PIPELINES_H

#include "passes/Passes.h"

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace gin {

/// What all pipelines ask of a program.
struct ProgramOptions : virtual mlir::detail::PassOptions {
  Option<std::string> entry{
      *this, "entry",
      llvm::cl::desc("The function that is launched; default: the only public "
                     "one with a body that nothing else refers to")};
  Option<CollectiveAlgorithm> algorithm{
      *this, "algorithm", llvm::cl::desc("How collectives move data"),
      llvm::cl::init(CollectiveAlgorithm::Direct),
      llvm::cl::values(clEnumValN(CollectiveAlgorithm::Direct, "direct",
                                  "everybody to everybody"),
                       clEnumValN(CollectiveAlgorithm::Ring, "ring",
                                  "through all ranks in a circle"),
                       clEnumValN(CollectiveAlgorithm::Tree, "tree",
                                  "up and down a binary tree"))};
  Option<LaunchBarrierMode> launchBarrier{
      *this, "launch-barrier",
      llvm::cl::desc("When to insert a barrier at the entry"),
      llvm::cl::init(LaunchBarrierMode::Auto),
      llvm::cl::values(
          clEnumValN(LaunchBarrierMode::Auto, "auto",
                     "where closedness is not known"),
          clEnumValN(LaunchBarrierMode::Always, "always", "in any case"),
          clEnumValN(LaunchBarrierMode::Never, "never",
                     "in no case; give a reason"))};
  Option<std::string> launchBarrierReason{
      *this, "launch-barrier-reason",
      llvm::cl::desc("Why a program without a barrier is closed")};
};

/// Options of the pipeline `gin-to-cpu`.
struct CpuPipelineOptions : mlir::PassPipelineOptions<CpuPipelineOptions>,
                            ProgramOptions {};

/// Options of the pipeline `gin-to-kernel`.
struct KernelPipelineOptions : mlir::PassPipelineOptions<KernelPipelineOptions>,
                               ProgramOptions {
  Option<unsigned> threads{*this, "threads",
                           llvm::cl::desc("Threads of a block"),
                           llvm::cl::init(256)};
};

/// Lowers a module of the collective or program level to the LLVM dialect, with
/// calls of runtime/device/contract.h. What is launched is the function
/// `_mlir_ciface_ENTRY`: it takes a pointer to the descriptor of each memref, a
/// `gin_bank_t *` for each bank, and scalars by value. Errors are diagnostics.
void buildCpuPipeline(mlir::OpPassManager &manager,
                      const CpuPipelineOptions &options);

/// Lowers a module of the collective or program level to the kernel level: a
/// gpu.module with one gpu.func for the entry function. Errors are diagnostics.
void buildKernelPipeline(mlir::OpPassManager &manager,
                         const KernelPipelineOptions &options);

/// Registers what buildCpuPipeline() needs in a context: the dialects that it
/// makes, and the interfaces by which `convert-to-llvm` lowers each. Dialects
/// of the programs themselves are the caller's to register.
void registerCpuLowering(mlir::DialectRegistry &registry);

} // namespace gin

#endif // GINC_PASSES_PIPELINES_H
