//===- Crash.h - programs that crash ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_CRASH_H
#define GINC_TOOLS_GINC_CRASH_H

namespace ginc {

/// Makes crashes print what they are: of a program that runs, one error and the
/// exit code ProgramFailed; of ginc itself, a backtrace. Call it once.
void handleCrashes(const char *programName);

/// While one exists, code of the user's program runs in this process.
struct ProgramRuns {
  ProgramRuns();
  ~ProgramRuns();
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_CRASH_H
