//===- LitmusCommand.h - ginc litmus ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_LITMUSCOMMAND_H
#define GINC_TOOLS_GINC_LITMUSCOMMAND_H

#include "mlir/Support/LLVM.h"

namespace ginc {

/// `ginc litmus`: runs small programs with many seeds and compares the outcomes
/// with those that the program's gin.litmus allows and forbids. Returns an
/// ExitCode.
int litmusCommand(llvm::ArrayRef<const char *> arguments);

} // namespace ginc

#endif // GINC_TOOLS_GINC_LITMUSCOMMAND_H
