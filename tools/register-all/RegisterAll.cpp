//===- RegisterAll.cpp - everything that gin-opt knows ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The only file that includes mlir/InitAll*.h, which take long to compile.
// Nothing but the tools that accept any module may depend on it.
//
//===----------------------------------------------------------------------===//

#include "tools/register-all/RegisterAll.h"

#include "dialect/Gin.h"
#include "passes/Passes.h"
#include "passes/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

void gin::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  // For passes that serialise GPU modules, gpu-module-to-binary above all.
  mlir::registerAllGPUToLLVMIRTranslations(registry);

  registry.insert<GinDialect>();
  registerExternalModels(registry);
  registerCpuLowering(registry);
}

void gin::registerAllPasses() {
  mlir::registerAllPasses();
  registerGinPasses();
}
