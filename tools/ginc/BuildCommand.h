//===- BuildCommand.h - ginc build ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_BUILDCOMMAND_H
#define GINC_TOOLS_GINC_BUILDCOMMAND_H

#include "mlir/Support/LLVM.h"

namespace ginc {

/// Runs `ginc build` with the arguments after the sub-command's name; returns
/// an ExitCode.
int buildCommand(llvm::ArrayRef<const char *> arguments);

} // namespace ginc

#endif // GINC_TOOLS_GINC_BUILDCOMMAND_H
