//===- Copy.cpp - copies as parts of launches -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

#include <algorithm>

using namespace gin;
using namespace gin::host;

namespace {

/// What is copied of a rank's part of a window, or to there.
struct Side {
  const SharedWindow &window;
  int rank;
  uint64_t offset, pitch;

  const Part &part() const { return window.parts[static_cast<size_t>(rank)]; }
  char *begin() const { return part().base + offset; }
};

} // namespace

/// Whether `rows` times `bytes` lie within the part.
static ginResult_t checkRange(const std::string &prefix, const Side &side,
                              uint64_t bytes, uint64_t rows) {
  uint64_t end = 0;
  const bool overflows = __builtin_mul_overflow(rows - 1, side.pitch, &end) ||
                         __builtin_add_overflow(end, bytes, &end) ||
                         __builtin_add_overflow(end, side.offset, &end);
  if (!overflows && end <= side.part().bytes)
    return GIN_SUCCESS;
  return fail(GIN_ERR_WINDOW_FULL,
              prefix + "window " + std::to_string(side.window.id) + " has " +
                  std::to_string(side.part().bytes) + " bytes on rank " +
                  std::to_string(side.rank) + ", the copy ends " +
                  (overflows ? "beyond 2^64" : "at " + std::to_string(end)));
}

/// Whether a row of one side has bytes of a row of the other, both of which lie
/// within their parts.
static bool overlap(const Side &a, const Side &b, uint64_t bytes,
                    uint64_t rows) {
  const uintptr_t first = reinterpret_cast<uintptr_t>(b.begin());
  const uintptr_t start = reinterpret_cast<uintptr_t>(a.begin());
  const uint64_t length = (rows - 1) * a.pitch + bytes;
  if (first + (rows - 1) * b.pitch + bytes <= start || start + length <= first)
    return false;
  for (uintptr_t at = start; at - start < length; at += a.pitch) {
    // The first row of b that ends after `at`.
    const uint64_t row =
        at < first + bytes ? 0 : (at - first - bytes) / b.pitch + 1;
    if (row < rows && first + row * b.pitch < at + bytes)
      return true;
  }
  return false;
}

/// Checks all that a copy says. Leaves `shape` empty if nothing is to be
/// copied.
static ginResult_t shapeOf(const ginProgram &program, const ginCopy_t &copy,
                           CopyShape &shape) {
  const SharedProgram &shared = *program.shared;
  const std::string prefix = shared.prefix();
  if (!copy.window || !copy.local)
    return fail(GIN_ERR_INVALID_ARGUMENT, prefix + "a copy's window is null");
  GIN_TRY(checkWindow(program, *copy.window, prefix));
  GIN_TRY(checkWindow(program, *copy.local, prefix));
  if (copy.peer < 0 || copy.peer >= shared.group->ranks)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                prefix + "a copy has the peer " + std::to_string(copy.peer) +
                    ", and there are " + std::to_string(shared.group->ranks) +
                    " ranks");
  Side remote{*copy.window->shared, copy.peer, copy.offset, copy.pitch};
  Side own{*copy.local->shared, program.rank, copy.localOffset,
           copy.localPitch};
  if (!(remote.window.rights & (copy.get ? GIN_RIGHT_READ : GIN_RIGHT_WRITE)))
    return fail(GIN_ERR_ACCESS, prefix + "window " +
                                    std::to_string(remote.window.id) +
                                    " is registered without GIN_RIGHT_" +
                                    (copy.get ? "READ, which a get needs"
                                              : "WRITE, which a put needs"));
  const uint64_t bytes = copy.bytes;
  const uint64_t rows = bytes == 0 || copy.rows == 0 ? 1 : copy.rows;
  if (rows == 1)
    remote.pitch = own.pitch = bytes;
  if (remote.pitch < bytes || own.pitch < bytes)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                prefix + "a copy has rows of " + std::to_string(bytes) +
                    " bytes, of which the next begins " +
                    std::to_string(std::min(remote.pitch, own.pitch)) +
                    " bytes later");
  GIN_TRY(checkRange(prefix, remote, bytes, rows));
  GIN_TRY(checkRange(prefix, own, bytes, rows));
  if (bytes == 0 ||
      (remote.begin() == own.begin() && remote.pitch == own.pitch))
    return GIN_SUCCESS;
  if (overlap(remote, own, bytes, rows))
    return fail(GIN_ERR_INVALID_ARGUMENT,
                prefix + "a copy's source and target overlap, on rank " +
                    std::to_string(program.rank));
  const Side &to = copy.get ? own : remote, &from = copy.get ? remote : own;
  const bool gaps = to.pitch != bytes || from.pitch != bytes;
  shape.to = to.begin();
  shape.from = from.begin();
  shape.bytes = gaps ? bytes : bytes * rows;
  shape.rows = gaps ? rows : 1;
  shape.toPitch = to.pitch;
  shape.fromPitch = from.pitch;
  return GIN_SUCCESS;
}

ginResult_t ginLaunchCopy(ginProgram_t program, const ginCopy_t *copy,
                          void *stream, unsigned lane) {
  return guarded([&]() -> ginResult_t {
    if (!program || !copy)
      return fail(GIN_ERR_INVALID_ARGUMENT, "ginLaunchCopy: a null pointer");
    GIN_TRY(checkComplete(*program->shared));
    return launchPart(*program, stream, [&](RankProgram &own) -> ginResult_t {
      GIN_TRY(own.launch->checkLane(lane));
      CopyShape shape = {};
      GIN_TRY(shapeOf(*program, *copy, shape));
      if (shape.bytes != 0)
        GIN_TRY(own.queue->copy(shape, stream, lane));
      own.launch->add(lane);
      return GIN_SUCCESS;
    });
  });
}
