//===- Window.cpp - memory that ranks share -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Window.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace ginc::sim;

static constexpr uint64_t alignment = 64;
// Large memory is mapped, so that pages which nobody touches cost nothing.
static constexpr uint64_t mapFrom = 1 << 20;

/// Bytes of a part, or std::bad_alloc where 64 bits do not hold them.
static uint64_t partBytes(const std::vector<int64_t> &shape, unsigned bytes) {
  uint64_t result = bytes;
  for (int64_t extent : shape)
    if (extent == 0)
      return 0;
  for (int64_t extent : shape)
    if (extent < 0 ||
        __builtin_mul_overflow(result, static_cast<uint64_t>(extent),
                               &result) ||
        result > uint64_t(1) << 62)
      throw std::bad_alloc();
  return result;
}

gin_window::gin_window(WindowSpec spec)
    : name(std::move(spec.name)), bytes(std::max(1u, spec.bits / 8)),
      rights(spec.rights), source(spec.source) {
  parts.resize(spec.shapes.size());
  for (size_t rank = 0; rank < parts.size(); ++rank) {
    Part &part = parts[rank];
    part.shape = std::move(spec.shapes[rank]);
    part.bytes = partBytes(part.shape, bytes);
    // One more line, so that even empty parts have addresses of their own.
    uint64_t room = (part.bytes / alignment + 1) * alignment;
    if (__builtin_add_overflow(memoryBytes, room, &memoryBytes))
      throw std::bad_alloc();
  }
  if (memoryBytes >= mapFrom) {
    // The kernel promises more than there is; ask what there is.
    uint64_t pages = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES));
    if (memoryBytes / static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) > pages)
      throw std::bad_alloc();
    void *mapping = mmap(nullptr, memoryBytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
      throw std::bad_alloc();
    memory = static_cast<char *>(mapping);
  } else if (memoryBytes) {
    memory = static_cast<char *>(std::aligned_alloc(alignment, memoryBytes));
    if (!memory)
      throw std::bad_alloc();
    std::fill(memory, memory + memoryBytes, 0);
  }
  char *next = memory;
  for (Part &part : parts) {
    part.base = next;
    next += (part.bytes / alignment + 1) * alignment;
  }
}

gin_window::~gin_window() {
  if (memoryBytes >= mapFrom)
    munmap(memory, memoryBytes);
  else
    std::free(memory);
}

int64_t gin_window::ownerOf(const void *address, uint64_t size) const {
  const char *place = static_cast<const char *>(address);
  auto after = std::upper_bound(
      parts.begin(), parts.end(), place,
      [](const char *value, const Part &part) { return value < part.base; });
  if (after == parts.begin())
    return -1;
  const Part &part = *(after - 1);
  uint64_t offset = static_cast<uint64_t>(place - part.base);
  if (size > part.bytes || offset > part.bytes - size)
    return -1;
  return after - 1 - parts.begin();
}

std::string ginc::sim::shapeText(const std::vector<int64_t> &shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}
