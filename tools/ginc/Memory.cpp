//===- Memory.cpp - how much memory is there? -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sys/resource.h>

using namespace ginc;
using namespace llvm;

static constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();

/// The number in a file of the kernel's, or none: no such file, or "max".
static std::optional<uint64_t> readNumber(const std::string &file) {
  std::ifstream stream(file);
  uint64_t number;
  if (stream >> number)
    return number;
  return std::nullopt;
}

static uint64_t availableOnMachine() {
  std::ifstream stream("/proc/meminfo");
  std::string key, unit;
  uint64_t kilobytes;
  while (stream >> key >> kilobytes) {
    if (key == "MemAvailable:")
      return kilobytes * 1024;
    std::getline(stream, unit);
  }
  return unlimited;
}

/// What the control group leaves; pages of files in it can be dropped.
static uint64_t availableInGroup() {
  // In a container, its own group is the root of the file system.
  const std::string root = "/sys/fs/cgroup/";
  std::optional<uint64_t> limit = readNumber(root + "memory.max");
  std::optional<uint64_t> used = readNumber(root + "memory.current");
  if (!limit || !used)
    return unlimited;
  uint64_t cache = 0, value;
  std::ifstream stream(root + "memory.stat");
  std::string key;
  while (stream >> key >> value)
    if (key == "inactive_file")
      cache = value;
  uint64_t occupied = *used - std::min(*used, cache);
  return *limit - std::min(*limit, occupied);
}

static uint64_t availableToProcess() {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return unlimited;
  return limit.rlim_cur;
}

uint64_t ginc::availableMemory() {
  return std::min(
      {availableOnMachine(), availableInGroup(), availableToProcess()});
}

std::string ginc::formatBytes(uint64_t bytes) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 1000)
    return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes);
  unsigned unit = 0;
  while (value >= 999.5 && unit + 1 < std::size(units)) {
    value /= 1000;
    ++unit;
  }
  std::string text;
  raw_string_ostream(text) << format(value < 99.95 ? "%.1f" : "%.0f", value)
                           << ' ' << units[unit];
  return text;
}
