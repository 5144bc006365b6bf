//===- Passes.h - gin's passes ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Constructors (`gin::createX()`), options and registration of gin's passes.
// What each does stands in Passes.td and docs/reference/passes.md; pipelines
// are in Pipelines.h.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_PASSES_H
#define GINC_PASSES_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace mlir {
class ModuleOp;
namespace LLVM {
class LLVMFuncOp;
} // namespace LLVM
} // namespace mlir

namespace gin {

/// How gin-decompose-collectives moves data.
enum class CollectiveAlgorithm { Direct, Ring, Tree };

/// What gin-verify accepts; each level excludes more than the one before.
enum class Level { Collective, Program, Agents };

/// When gin-launch-barrier inserts a barrier at a program's entry.
enum class LaunchBarrierMode { Auto, Always, Never };

#define GEN_PASS_DECL
#include "passes/Passes.h.inc"

/// Registers all passes and pipelines of gin, once per process. A context that
/// runs `convert-to-llvm` or `gin-to-cpu` also needs
/// registerCpuLowering() (Pipelines.h) in its dialect registry.
void registerGinPasses();

} // namespace gin

#endif // GINC_PASSES_PASSES_H
