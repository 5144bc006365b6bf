//===- DialectTest.h - a context with the dialect ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TEST_UNIT_DIALECT_DIALECTTEST_H
#define GINC_TEST_UNIT_DIALECT_DIALECTTEST_H

#include "dialect/Gin.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

#include <gtest/gtest.h>
#include <string>

namespace gin::test {

/// A context in which gin and the upstream dialects that programs use are
/// loaded. Diagnostics are collected.
class DialectTest : public ::testing::Test {
protected:
  DialectTest();

  /// Parses a module; a test fails if it cannot.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef source);

  mlir::MLIRContext context;
  std::string diagnostics;
};

/// What prints `value`, with the name it has in its function.
std::string name(mlir::Value value);

} // namespace gin::test

#endif // GINC_TEST_UNIT_DIALECT_DIALECTTEST_H
