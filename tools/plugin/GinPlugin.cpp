//===- GinPlugin.cpp - gin for a stock mlir-opt -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One shared library that is both a dialect plug-in and a pass plug-in:
//   mlir-opt-22 --load-dialect-plugin=GinPlugin.so \
//               --load-pass-plugin=GinPlugin.so \
//               --pass-pipeline='builtin.module(...)' file.mlir
// Passes of a plug-in are known inside --pass-pipeline only.
//
//===----------------------------------------------------------------------===//

#include "dialect/Gin.h"
#include "passes/Passes.h"
#include "passes/Pipelines.h"
#include "tools/Version.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/Compiler.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "gin", GINC_VERSION,
          [](mlir::DialectRegistry *registry) {
            registry->insert<gin::GinDialect>();
            gin::registerExternalModels(*registry);
            gin::registerCpuLowering(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "gin", GINC_VERSION,
          [] { gin::registerGinPasses(); }};
}
