//===- RunCommand.h - ginc run ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_RUNCOMMAND_H
#define GINC_TOOLS_GINC_RUNCOMMAND_H

#include "mlir/Support/LLVM.h"

namespace ginc {

/// `ginc run`: compiles a program, runs it on simulated ranks and compares what
/// it computed. Returns an ExitCode.
int runCommand(llvm::ArrayRef<const char *> arguments);

} // namespace ginc

#endif // GINC_TOOLS_GINC_RUNCOMMAND_H
