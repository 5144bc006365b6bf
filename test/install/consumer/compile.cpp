//===- compile.cpp - a compiler that embeds the dialect ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Parses a gin program, counts its puts and makes CUDA of it.
//
//===----------------------------------------------------------------------===//

#include "dialect/Gin.h"
#include "passes/Passes.h"
#include "passes/Pipelines.h"
#include "passes/target/Cuda.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

static constexpr const char *program = R"mlir(
  func.func @shift(%w: memref<?x4xf32, #gin.window>, %s: !gin.signals<1>,
                   %row: memref<4xf32, #gin.window>) {
    %me = gin.rank
    %right = gin.neighbor 1
    gin.put %row into %w[%me, 0] on %right signal %s[0] add 1
      : memref<4xf32, #gin.window> into memref<?x4xf32, #gin.window>, !gin.signals<1>
    gin.wait %s[0] >= 1 : !gin.signals<1>
    return
  }
)mlir";

int main() {
  mlir::DialectRegistry registry;
  registry.insert<gin::GinDialect, mlir::func::FuncDialect>();
  gin::registerExternalModels(registry);
  gin::registerCudaDialects(registry);
  gin::registerGinPasses();
  mlir::MLIRContext context(registry);

  auto module = mlir::parseSourceString<mlir::ModuleOp>(program, &context);
  if (!module)
    return 1;

  mlir::PassManager passes(&context);
  if (failed(mlir::parsePassPipeline("builtin.module(gin-verify)", passes)) ||
      failed(passes.run(*module)))
    return 1;

  unsigned puts = 0;
  module->walk([&](gin::PutOp) { ++puts; });
  llvm::outs() << "puts: " << puts << "\n";

  mlir::PassManager lowering(&context);
  gin::buildKernelPipeline(lowering, {});
  gin::CudaFiles files;
  if (failed(lowering.run(*module)) ||
      failed(gin::emitCuda(*module, {}, files)))
    return 1;
  const bool emitted = files.name == "shift" &&
                       files.source.find("gin::put(") != std::string::npos;
  return puts == 1 && emitted ? 0 : 1;
}
