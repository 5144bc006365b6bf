//===- Crash.cpp - programs that crash --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Most of this runs in signal handlers, perhaps in the middle of malloc(): it
// neither allocates nor locks.
//
//===----------------------------------------------------------------------===//

#include "Crash.h"

#include "Contract.h"
#include "Diagnostics.h"
#include "TemporaryFolder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

using namespace ginc;

static volatile sig_atomic_t programRuns;
static const char *textName, *textBegin, *textEnd;
/// Handlers are inherited by processes that are forked off.
static pid_t ownProcess;

ProgramRuns::ProgramRuns(llvm::MemoryBufferRef text) {
  textName = text.getBufferIdentifier().data();
  textBegin = text.getBufferStart();
  textEnd = text.getBufferEnd();
  programRuns = 1;
}
ProgramRuns::~ProgramRuns() { programRuns = 0; }

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

namespace {
/// Text that is put together without allocating; what is too long is cut.
class Message {
public:
  Message &operator<<(const char *text) {
    append(text, std::strlen(text));
    return *this;
  }
  Message &operator<<(int64_t number) {
    char digits[24];
    size_t at = sizeof(digits);
    uint64_t rest = number < 0 ? -static_cast<uint64_t>(number) : number;
    do
      digits[--at] = static_cast<char>('0' + rest % 10);
    while (rest /= 10);
    if (number < 0)
      digits[--at] = '-';
    append(digits + at, sizeof(digits) - at);
    return *this;
  }
  void append(const char *text, size_t size) {
    size = std::min(size, sizeof(buffer) - length);
    std::memcpy(buffer + length, text, size);
    length += size;
  }
  void print() {
    for (size_t done = 0; done < length;) {
      ssize_t written = write(STDERR_FILENO, buffer + done, length - done);
      if (written <= 0)
        return;
      done += written;
    }
    length = 0;
  }

private:
  char buffer[8192];
  size_t length = 0;
};
} // namespace

/// Adds the line of the source at `site`, and a caret below it.
static void addSourceLine(Message &message, const gin_site_t &site) {
  if (!textBegin || std::strcmp(site.file, textName) != 0)
    return;
  const char *line = textBegin;
  for (int32_t number = 1; number < site.line; ++number) {
    auto *end = static_cast<const char *>(
        std::memchr(line, '\n', static_cast<size_t>(textEnd - line)));
    if (!end)
      return;
    line = end + 1;
  }
  auto *end = static_cast<const char *>(
      std::memchr(line, '\n', static_cast<size_t>(textEnd - line)));
  message.append(line, static_cast<size_t>((end ? end : textEnd) - line));
  message << "\n";
  for (int32_t i = 1; i < site.column && i < 1000; ++i)
    message << (line + i < textEnd && line[i - 1] == '\t' ? "\t" : " ");
  message << "^\n";
}

/// Says what the program did, and where it was; then ginc ends.
[[noreturn]] static void blameProgram(const char *what, const char *why) {
  programRuns = 0;
  static Message message;
  message << "ginc: error: the program " << what;
  if (int64_t rank = callingRank(); rank >= 0)
    message << " on rank " << rank;
  message << why << "\n";
  const gin_site_t *site = lastOperation();
  if (site && site->line > 0) {
    message << site->file << ":" << site->line << ":" << site->column
            << ": note: this is the last gin operation that the rank began\n";
    addSourceLine(message, *site);
  }
  message.print();
  TemporaryFolder::removeInSignal();
  _exit(ProgramFailed);
}

//===----------------------------------------------------------------------===//
// Crashes
//===----------------------------------------------------------------------===//

static constexpr int crashes[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                  SIGTRAP, SIGABRT, SIGSYS};
/// LLVM's handlers, which show a backtrace.
static struct sigaction backtraces[std::size(crashes)];

/// Whether a fault is near the stack pointer, beyond the end of the stack.
static bool isStackOverflow(const siginfo_t *info, const void *context) {
  uintptr_t stack = 0;
#if defined(__linux__) && defined(__x86_64__)
  stack = static_cast<uintptr_t>(
      static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_RSP]);
#elif defined(__linux__) && defined(__aarch64__)
  stack = static_cast<const ucontext_t *>(context)->uc_mcontext.sp;
#endif
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  constexpr uintptr_t near = 64 << 10;
  return stack != 0 && address + near > stack && address < stack + near;
}

static const char *explain(int signal, const siginfo_t *info,
                           const void *context) {
  switch (signal) {
  case SIGFPE:
    return ": it divided an integer by zero, or the least one by -1";
  case SIGILL:
  case SIGTRAP:
    return ": it ran into a trap, which stands where execution must not come "
           "(llvm.trap, __builtin_trap, unreachable code)";
  case SIGABRT:
    return ": it called abort(), as do assertions that fail, exceptions that "
           "nobody catches and the C library when the heap is damaged";
  case SIGSYS:
    return ": it made a system call that is not allowed";
  default:
    if (isStackOverflow(info, context))
      return ": it needs more stack than an agent has (256 kB)";
    return ": it read or wrote memory outside of its memrefs, or needs more "
           "stack than an agent has (256 kB)";
  }
}

/// Called on a stack of its own.
static void crashed(int signal, siginfo_t *info, void *context) {
  if (getpid() == ownProcess) {
    // Threads of ranks crash alike: one tells it, and ends them all.
    static std::atomic_flag told = ATOMIC_FLAG_INIT;
    while (told.test_and_set())
      pause();
    if (programRuns)
      blameProgram("crashed", explain(signal, info, context));
  }
  if (getpid() == ownProcess)
    TemporaryFolder::removeInSignal();
  // It comes again when this handler has returned.
  for (auto [other, backtrace] : llvm::zip(crashes, backtraces))
    if (other == signal)
      sigaction(signal, &backtrace, nullptr);
  raise(signal);
}

/// Called when a signal ends ginc, which it then does.
static void ended(int signal) {
  if (getpid() == ownProcess)
    TemporaryFolder::removeInSignal();
  std::signal(signal, SIG_DFL);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, signal);
  pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  raise(signal);
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

static void endsProcess() {
  if (programRuns && getpid() == ownProcess)
    blameProgram("ended the process",
                 ": C functions that it calls must return, not call exit()");
}

#ifdef __linux__
// These stand before the C library's for everything that is loaded, so that
// external functions come by here, too.
extern "C" void _exit(int status) {
  endsProcess();
  syscall(SYS_exit_group, status);
  __builtin_trap();
}
extern "C" void _Exit(int status) noexcept { _exit(status); }
#endif

void ginc::handleCrashes(const char *programName) {
  ownProcess = getpid();
  std::map<int, bool> ignored; // nohup ignores SIGHUP
  for (int signal : endingSignals()) {
    struct sigaction now;
    sigaction(signal, nullptr, &now);
    ignored[signal] = now.sa_handler == SIG_IGN;
  }
  llvm::setBugReportMsg("This is a bug in ginc. Please report it with the "
                        "program, the command line and this backtrace.\n");
  llvm::sys::PrintStackTraceOnErrorSignal(programName);

  struct sigaction action = {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  action.sa_sigaction = crashed;
  for (auto [signal, backtrace] : llvm::zip(crashes, backtraces))
    sigaction(signal, &action, &backtrace);
  action.sa_flags = SA_ONSTACK;
  for (auto [signal, isIgnored] : ignored) {
    action.sa_handler = isIgnored ? SIG_IGN : ended;
    sigaction(signal, &action, nullptr);
  }
  // Writing fails instead, and is reported.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);

  std::atexit(endsProcess);
#ifdef __linux__
  std::at_quick_exit(endsProcess);
#endif
}
