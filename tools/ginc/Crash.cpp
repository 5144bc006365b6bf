//===- Crash.cpp - programs that crash --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Crash.h"

#include "Diagnostics.h"
#include "TemporaryFolder.h"

#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <unistd.h>

using namespace ginc;

static volatile sig_atomic_t programRuns;

ProgramRuns::ProgramRuns() { programRuns = 1; }
ProgramRuns::~ProgramRuns() { programRuns = 0; }

/// Called in a signal handler, on a stack of its own.
static void blameProgram(void *) {
  if (!programRuns)
    return;
  static const char message[] =
      "ginc: error: the program crashed: it read or wrote memory outside of "
      "its "
      "memrefs, or needs more stack than an agent has (256 kB)\n";
  [[maybe_unused]] ssize_t written =
      write(STDERR_FILENO, message, sizeof(message) - 1);
  TemporaryFolder::removeInSignal();
  _exit(ProgramFailed);
}

void ginc::handleCrashes(const char *programName) {
  // Handlers run in the order in which they are added.
  llvm::sys::AddSignalHandler(blameProgram, nullptr);
  llvm::setBugReportMsg("This is a bug in ginc. Please report it with the "
                        "program, the command line and this backtrace.\n");
  llvm::sys::PrintStackTraceOnErrorSignal(programName);
}
