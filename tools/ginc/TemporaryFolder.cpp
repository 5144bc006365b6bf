//===- TemporaryFolder.cpp - a folder that goes away ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TemporaryFolder.h"

#include "Diagnostics.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <cstring>
#include <unistd.h>

using namespace ginc;
using namespace llvm;

// What the signal handler needs, which may neither allocate nor lock.
static char folderToRemove[4096];
static volatile sig_atomic_t processToEnd;

/// Removing a folder takes more than a handler may do, so that another process
/// does it.
void TemporaryFolder::removeInSignal() {
  if (processToEnd > 0)
    kill(processToEnd, SIGKILL);
  if (folderToRemove[0] != '\0' && fork() == 0) {
    execl("/bin/rm", "rm", "-rf", "--", folderToRemove, nullptr);
    _exit(127);
  }
}

static void interrupted() {
  TemporaryFolder::removeInSignal();
  _exit(128 + SIGINT);
}

TemporaryFolder::~TemporaryFolder() {
  if (folder.empty())
    return;
  // It stays where it cannot be removed: nothing depends on that.
  (void)sys::fs::remove_directories(folder);
  folderToRemove[0] = '\0';
}

LogicalResult TemporaryFolder::create() {
  SmallString<128> path;
  if (std::error_code code = sys::fs::createUniqueDirectory("ginc", path))
    return error("cannot create a temporary folder: " + code.message());
  folder = path.str().str();
  if (folder.size() < sizeof(folderToRemove)) {
    std::memcpy(folderToRemove, folder.c_str(), folder.size() + 1);
    sys::SetInterruptFunction(interrupted);
  }
  return success();
}

std::string TemporaryFolder::path(const Twine &name) const {
  SmallString<128> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

void TemporaryFolder::endWithUs(int process) { processToEnd = process; }
