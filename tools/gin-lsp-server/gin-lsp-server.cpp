//===- gin-lsp-server.cpp - language server for gin programs ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// mlir-lsp-server with the gin dialect: an editor that speaks the language
// server protocol shows diagnostics, definitions and hovers of .mlir files.
//
//===----------------------------------------------------------------------===//

#include "tools/Version.h"
#include "tools/register-all/RegisterAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  llvm::cl::AddExtraVersionPrinter(
      [](llvm::raw_ostream &os) { os << "ginc version " GINC_VERSION "\n"; });

  mlir::DialectRegistry registry;
  gin::registerAllDialects(registry);
  return mlir::asMainReturnCode(mlir::MlirLspServerMain(argc, argv, registry));
}
