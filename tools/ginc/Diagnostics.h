//===- Diagnostics.h - errors without a place in the source -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is wrong at a place in the program is reported by mlir::emitError, which
// the diagnostic handler of Source.h prints with the source line. Everything
// else is reported here. Colours follow --color in both cases.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_DIAGNOSTICS_H
#define GINC_TOOLS_GINC_DIAGNOSTICS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/WithColor.h"

namespace ginc {

/// Exit codes of ginc, documented in docs/ginc.md.
enum ExitCode {
  Success = 0,
  ProgramFailed = 1, ///< mismatch, deadlock, run-time error
  BadInput = 2       ///< usage, files, programs that do not compile
};

/// Whether diagnostics are coloured; Auto: where standard error is a terminal.
void setColors(llvm::ColorMode mode);

/// Prints "ginc: error: MESSAGE" and returns failure.
llvm::LogicalResult error(const llvm::Twine &message);

/// The same, below it the text in which the error is, with a caret at `column`.
llvm::LogicalResult errorInText(const llvm::Twine &message,
                                llvm::StringRef text, size_t column);

void warning(const llvm::Twine &message);

/// Writes what `write` puts into the stream to standard output, all of it
/// before this returns; reports what prevents that.
llvm::LogicalResult print(llvm::function_ref<void(llvm::raw_ostream &)> write);

/// Standard streams that are closed must not become other files: writing to
/// them is to fail. Call it first.
void keepStandardStreams();

} // namespace ginc

#endif // GINC_TOOLS_GINC_DIAGNOSTICS_H
