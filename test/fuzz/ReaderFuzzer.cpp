//===- ReaderFuzzer.cpp - fuzzes the assembly and bytecode readers ------*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A libFuzzer target. Whatever the input, reading it ends in a module or in
// diagnostics; a module that was read prints, and reads back as the same text.
// Input that begins with the magic of MLIR bytecode goes to the bytecode
// reader, which is upstream's: it aborts on some malformed files (a count too
// large for a SmallVector, say), so it is run as ginc runs it, inside a
// CrashRecoveryContext. Only the dialects that gin programs are made of are
// loaded, so that the search stays in our code.
//
//===----------------------------------------------------------------------===//

#include "dialect/Gin.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace mlir;

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().assumeVerified());
  return text;
}

[[noreturn]] static void fail(StringRef what, StringRef text) {
  llvm::errs() << what << ":\n" << text << '\n';
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Contexts are costly to make: one for many inputs, with a fresh one now and
  // then, since attributes and types stay in it.
  static std::unique_ptr<MLIRContext> context;
  static unsigned inputs = 0;
  static bool guarded = [] {
    llvm::CrashRecoveryContext::Enable();
    return true;
  }();
  (void)guarded;
  if (!context || ++inputs % 20000 == 0) {
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    context
        ->loadDialect<gin::GinDialect, arith::ArithDialect, func::FuncDialect,
                      memref::MemRefDialect, scf::SCFDialect>();
  }
  ScopedDiagnosticHandler quiet(context.get(),
                                [](Diagnostic &) { return success(); });
  // Text is read up to a terminating null.
  std::string text(reinterpret_cast<const char *>(data), size);
  ParserConfig config(context.get());
  OwningOpRef<ModuleOp> module;
  if (StringRef(text).starts_with("ML\xefR")) {
    llvm::CrashRecoveryContext recovery;
    recovery.DumpStackAndCleanupOnFailure = false;
    if (!recovery.RunSafely(
            [&] { module = parseSourceString<ModuleOp>(text, config); })) {
      // What it left behind is not to be touched again.
      (void)module.release();
      (void)context.release();
      return 0;
    }
  } else {
    module = parseSourceString<ModuleOp>(text, config);
  }
  if (!module)
    return 0;
  std::string first = print(*module);
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(first, config);
  if (!again)
    fail("does not read back", first);
  if (print(*again) != first)
    fail("reads back as another module", first);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (failed(writeBytecodeToFile(*module, os)))
    fail("has no bytecode", first);
  OwningOpRef<ModuleOp> fromBytes = parseSourceString<ModuleOp>(bytes, config);
  if (!fromBytes || print(*fromBytes) != first)
    fail("does not survive bytecode", first);
  return 0;
}
