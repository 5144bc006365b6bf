//===- BytecodeTrial.cpp - whether bytecode can be read ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BytecodeTrial.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <cerrno>
#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif

using namespace mlir;

// Far more than a program of a megabyte takes.
static constexpr rlim_t kSeconds = 20;
#if __has_feature(address_sanitizer) // reserves terabytes for its shadow
static constexpr rlim_t kBytes = RLIM_INFINITY;
#else
static constexpr rlim_t kBytes = rlim_t(8) << 30;
#endif

/// Lowers a limit of this process; it may be lower already.
static void limit(int resource, rlim_t value) {
  rlimit now;
  if (getrlimit(resource, &now) == 0 && now.rlim_cur > value) {
    now.rlim_cur = value;
    (void)setrlimit(static_cast<__rlimit_resource>(resource), &now);
  }
}

/// What the child does: reads, and ends without cleaning up.
[[noreturn]] static void tryToRead(llvm::MemoryBufferRef bytes,
                                   MLIRContext &parent) {
  // The faults that are looked for must look like what they are.
  for (int fault : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP})
    std::signal(fault, SIG_DFL);
  (void)close(STDERR_FILENO);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, kSeconds);
  limit(RLIMIT_AS, kBytes);
  // The parent's threads do not exist here.
  MLIRContext context(parent.getDialectRegistry(),
                      MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  Block block;
  (void)readBytecodeFile(bytes, &block, ParserConfig(&context));
  _exit(0);
}

bool ginc::survivesReading(llvm::MemoryBufferRef bytes, MLIRContext &context) {
  pid_t child = fork();
  if (child < 0)
    return true; // No process to try it in: let the reader speak for itself.
  if (child == 0)
    tryToRead(bytes, context);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return true;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
