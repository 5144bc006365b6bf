//===- DialectTest.cpp - a context with the dialect -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DialectTest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

gin::test::DialectTest::DialectTest() {
  DialectRegistry registry;
  registry.insert<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                  GinDialect, linalg::LinalgDialect, memref::MemRefDialect,
                  vector::VectorDialect>();
  registerExternalModels(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
    diagnostics += diagnostic.str() + "\n";
    return success();
  });
}

OwningOpRef<ModuleOp> gin::test::DialectTest::parse(StringRef source) {
  auto module = parseSourceString<ModuleOp>(source, &context);
  EXPECT_TRUE(module) << diagnostics;
  return module;
}

std::string gin::test::name(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Operation *scope = value.getParentRegion()->getParentOp();
  AsmState state(scope);
  value.printAsOperand(os, state);
  return text;
}
