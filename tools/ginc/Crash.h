//===- Crash.h - programs that crash ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What ends ginc before its time. The user's program runs in this process: when
// it crashes, or ends the process as C functions may, ginc says so and exits
// with ProgramFailed. Signals that end ginc let it tidy up first.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_CRASH_H
#define GINC_TOOLS_GINC_CRASH_H

#include "llvm/Support/MemoryBufferRef.h"

namespace ginc {

/// Makes crashes print what they are: of a program that runs, one error and the
/// exit code ProgramFailed; of ginc itself, a backtrace. Call it once.
void handleCrashes(const char *programName);

/// While one exists, code of the user's program runs in this process. `text` is
/// the program's, for the line at which a crash is reported.
struct ProgramRuns {
  explicit ProgramRuns(llvm::MemoryBufferRef text);
  ~ProgramRuns();
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_CRASH_H
