//===- gin-opt.cpp - run passes on modules with gin programs ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// mlir-opt with the gin dialect and its passes beside everything of upstream.
//
//===----------------------------------------------------------------------===//

#include "tools/Version.h"
#include "tools/register-all/RegisterAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  llvm::setBugReportMsg("This is a bug in ginc. Please report it with the "
                        "input, the command line and this backtrace.\n");
  llvm::cl::AddExtraVersionPrinter(
      [](llvm::raw_ostream &os) { os << "ginc version " GINC_VERSION "\n"; });

  mlir::DialectRegistry registry;
  gin::registerAllDialects(registry);
  gin::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "gin-opt: check, transform and lower gin programs\n",
      registry));
}
