//===- BytecodeTest.cpp - versions of the dialect in bytecode ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DialectTest.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace gin;

namespace {
class BytecodeTest : public gin::test::DialectTest {
protected:
  /// The bytecode of a program, as a build of version `number` writes it.
  std::string write(uint64_t number) {
    OwningOpRef<ModuleOp> module =
        parse("func.func @f(%s: !gin.signals<4>) {\n"
              "  gin.wait %s[0] >= 1 : !gin.signals<4>\n"
              "  gin.barrier team row of ?x?\n"
              "  return\n"
              "}\n");
    BytecodeWriterConfig config;
    config.setDialectVersion<GinDialect>(
        std::make_unique<BytecodeVersion>(number));
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    EXPECT_TRUE(succeeded(writeBytecodeToFile(*module, os, config)));
    return bytes;
  }
};
} // namespace

TEST_F(BytecodeTest, ReadsItsOwnVersion) {
  OwningOpRef<ModuleOp> module = parse(write(BytecodeVersion::kCurrent));
  ASSERT_TRUE(module);
  EXPECT_TRUE(succeeded(module->verify()));
  EXPECT_EQ(diagnostics, "");
}

TEST_F(BytecodeTest, RefusesANewerVersionWithASentence) {
  std::string bytes = write(BytecodeVersion::kCurrent + 1);
  EXPECT_FALSE(parseSourceString<ModuleOp>(bytes, &context));
  EXPECT_NE(
      diagnostics.find("this file holds version 2 of the gin dialect, but "
                       "this build reads up to version 1; use a newer "
                       "ginc, or write the file again with this one"),
      std::string::npos)
      << diagnostics;
}
