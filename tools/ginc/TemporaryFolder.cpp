//===- TemporaryFolder.cpp - a folder that goes away ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TemporaryFolder.h"

#include "Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

using namespace ginc;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

ArrayRef<int> ginc::endingSignals() {
  static const int all[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                            SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU};
  return all;
}

SignalsBlocked::SignalsBlocked() {
  sigset_t ending;
  sigemptyset(&ending);
  for (int signal : endingSignals())
    sigaddset(&ending, signal);
  pthread_sigmask(SIG_BLOCK, &ending, &before);
}

SignalsBlocked::~SignalsBlocked() {
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// What the signal handler needs, which may neither allocate nor lock: not even
// the list, which is null until there is a folder. It changes only while
// signals are blocked, and is never destroyed.
static volatile sig_atomic_t processToEnd;
static std::vector<const char *> *foldersToRemove;

/// Removing folders takes more than a handler may do, so that another process
/// does it.
static void removeFolders(const char *const *folders, size_t count) {
  constexpr size_t options = 3;
  const char *command[256] = {"rm", "-rf", "--"};
  count = std::min(count, std::size(command) - options - 1);
  std::copy(folders, folders + count, command + options);
  command[options + count] = nullptr;
#if defined(__GLIBC__)
  // fork() runs handlers of others, which may lock what the signal interrupted.
  pid_t child = _Fork();
#else
  pid_t child = fork();
#endif
  if (child == 0) {
    execv("/bin/rm", const_cast<char *const *>(command));
    _exit(127);
  }
  while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR)
    ;
}

void TemporaryFolder::removeInSignal() {
  if (processToEnd > 0)
    kill(processToEnd, SIGKILL);
  if (!foldersToRemove)
    return;
  const std::vector<const char *> &folders = *foldersToRemove;
  constexpr size_t atOnce = 250;
  for (size_t i = 0; i < folders.size(); i += atOnce)
    removeFolders(folders.data() + i, std::min(atOnce, folders.size() - i));
}

void TemporaryFolder::endWithUs(int process) { processToEnd = process; }

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

TemporaryFolder::~TemporaryFolder() {
  if (folder.empty())
    return;
  // It stays where it cannot be removed: nothing depends on that.
  (void)sys::fs::remove_directories(folder);
  SignalsBlocked whileChanging;
  erase(*foldersToRemove, folder.c_str());
}

std::error_code TemporaryFolder::createAs(std::string pattern) {
  folder = std::move(pattern);
  // Not even a signal comes between a folder and its place in the list.
  SignalsBlocked whileCreating;
  if (!mkdtemp(folder.data())) {
    folder.clear();
    return std::error_code(errno, std::generic_category());
  }
  if (!foldersToRemove)
    foldersToRemove = new std::vector<const char *>();
  foldersToRemove->push_back(folder.c_str());
  return {};
}

LogicalResult TemporaryFolder::create() {
  SmallString<128> path;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, path);
  sys::path::append(path, "ginc-XXXXXX");
  if (std::error_code code = createAs(path.str().str()))
    return error("cannot create the temporary folder '" + path +
                 "': " + code.message() + "; TMPDIR names another place");
  return success();
}

std::error_code TemporaryFolder::createIn(StringRef parent) {
  SmallString<128> path(parent);
  sys::path::append(path, ".ginc-XXXXXX");
  return createAs(path.str().str());
}

std::string TemporaryFolder::path(const Twine &name) const {
  SmallString<128> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}
