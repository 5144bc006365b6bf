//===- Join.h - the threads of a block and of a grid meet -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For kernels in which several blocks work on one thing: barriers between
// them, values that one of them hands to all, and assertions. All blocks of a
// launch run at once, as ginLaunch makes sure.
//
// Errors. After an error of the launch nobody is waited for: a join returns
// false in all threads of its block, and the kernel goes to end().
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_JOIN_H
#define GIN_DEVICE_JOIN_H

#include "runtime/device/Check.h"

namespace gin {

/// The blocks of a launch, or `count` of them from `first` on. Groups that run
/// at once have different points.
struct Grid {
  uint32_t point = 0; // of the lane's, less than maxJoinPoints
  uint32_t first = 0;
  uint32_t count = 0; // 0: all
};

/// The blocks of a role, whose number is less than maxJoinPoints - 1.
GIN_DEVICE Grid role(uint32_t number, int64_t first, int64_t count) {
  return {number + 1, static_cast<uint32_t>(first),
          static_cast<uint32_t>(count)};
}

/// What any thread of the block did or acquired before is before what all of
/// them do after. False if the launch has failed.
GIN_DEVICE bool join(Context &context, Block) {
  context.failed = syncBlockOr(context.failed);
  return !context.failed;
}
/// The same of a warp.
GIN_DEVICE bool join(Context &context, Warp) {
  context.failed = syncWarpOr(context.failed);
  return !context.failed;
}
/// The same of some of a block's warps.
GIN_DEVICE bool join(Context &context, const Warps &warps) {
  context.failed = warps.syncOr(context.failed);
  return !context.failed;
}

namespace detail {

/// Waits until the last block has come; false after an error.
GIN_COLD bool awaitGeneration(const State *state, const uint32_t *generation,
                              uint32_t old) {
  for (unsigned polls = 0; loadRelaxed(generation) == old; ++polls) {
    if ((polls & 15) == 15 && loadRelaxed(&state->stop) != 0)
      return false;
    pause(32);
  }
  return true;
}

/// join() of a grid, or of the warps `scope` of its blocks. `word` says where
/// the first block leaves a value for the others, by the parity of the point's
/// generation: who reads one has read it before the first block can come to
/// leave the next but one.
template <class Coop>
GIN_DEVICE bool meet(Context &context, const Coop &scope, const Grid &grid,
                     uint64_t *word) {
  const Crew<Coop> coop(scope, context);
  context.failed = coop.syncOr(context.failed);
  if (context.failed)
    return false;
  if (coop.leader()) {
    const uint32_t last = (grid.count != 0 ? grid.count : blocksOfGrid()) - 1;
    JoinPoint &point = context.state->joins[context.program->lane][grid.point];
    const uint32_t generation = loadRelaxed(&point.generation);
    uint64_t *place = &point.words[generation & 1];
    if (word && blockInGrid() == grid.first)
      storeRelaxed(place, *word);
    fenceGpu(); // what the block did is before its arrival
    if (wrapRelaxedGpu(&point.arrived, last) == last) {
      fenceGpu();
      storeRelaxed(&point.generation, generation + 1);
    } else {
      context.failed =
          !awaitGeneration(context.state, &point.generation, generation);
    }
    fenceGpu();
    if (word)
      *word = loadRelaxed(place);
  }
  context.failed = coop.syncOr(context.failed);
  return !context.failed;
}

/// A value as a word.
template <class T>
GIN_DEVICE uint64_t toWord(T value) {
  static_assert(sizeof(T) <= 8, "a value of at most 8 bytes");
  uint64_t word = 0;
  __builtin_memcpy(&word, &value, sizeof value);
  return word;
}
template <class T>
GIN_DEVICE T fromWord(uint64_t word) {
  T value;
  __builtin_memcpy(&value, &word, sizeof value);
  return value;
}

/// broadcast() of a block or of some of its warps, by a word of its dynamic
/// shared memory.
template <class T, class Coop>
GIN_DEVICE T handOn(Context &context, const Coop &scope, unsigned place,
                    T value) {
  const Crew<Coop> coop(scope, context);
  uint64_t *word = reinterpret_cast<uint64_t *>(sharedMemory()) + place;
  // What the first thread's value comes from may have failed in it alone.
  context.failed = coop.syncOr(context.failed);
  if (coop.leader())
    *word = toWord(value);
  coop.sync();
  return fromWord<T>(*word);
}

/// check() of a block or of some of its warps.
template <class Coop>
GIN_DEVICE bool checkAll(Context &context, const Coop &scope, bool condition,
                         const Site &site) {
  const Crew<Coop> coop(scope, context);
  const bool fails = coop.syncOr(!condition);
  if (fails && coop.leader() && !context.failed)
    recordFault(context.state, {GIN_ERR_ASSERTION, -1, 0, 0, 0, 0}, site);
  context.failed = coop.syncOr(context.failed | fails);
  return !context.failed;
}

} // namespace detail

/// The same for all threads of the blocks. About 2 us.
GIN_DEVICE bool join(Context &context, const Grid &grid) {
  return detail::meet(context, Block(), grid, nullptr);
}
/// The same for the warps of all the blocks.
GIN_DEVICE bool join(Context &context, const Warps &warps, const Grid &grid) {
  return detail::meet(context, warps, grid, nullptr);
}

/// The value of the block's first thread, in all its threads; also a join.
/// Uses the first 8 bytes of the block's dynamic shared memory.
template <class T>
GIN_DEVICE T broadcast(Context &context, Block, T value) {
  return detail::handOn(context, Block(), 0, value);
}
/// The same of a warp, without shared memory.
template <class T>
GIN_DEVICE T broadcast(Context &context, Warp, T value) {
  context.failed = syncWarpOr(context.failed);
  return detail::fromWord<T>(
      __shfl_sync(0xffffffffu, detail::toWord(value), 0));
}
/// The same of some of the block's warps. Uses 8 bytes after those of the block
/// and of the barriers before the warps'.
template <class T>
GIN_DEVICE T broadcast(Context &context, const Warps &warps, T value) {
  return detail::handOn(context, warps, warps.barrier, value);
}

/// The value of the first block's first thread, in all threads of the blocks;
/// also a join. Any value after an error.
template <class T>
GIN_DEVICE T broadcast(Context &context, const Grid &grid, T value) {
  uint64_t word = detail::toWord(value);
  detail::meet(context, Block(), grid, &word);
  return broadcast(context, Block(), detail::fromWord<T>(word));
}
/// The same for the warps of all the blocks.
template <class T>
GIN_DEVICE T broadcast(Context &context, const Warps &warps, const Grid &grid,
                       T value) {
  uint64_t word = detail::toWord(value);
  detail::meet(context, warps, grid, &word);
  return broadcast(context, warps, detail::fromWord<T>(word));
}

/// Whether `condition` holds in all threads of the block. If not, the program
/// ends with GIN_ERR_ASSERTION and the text of `site`.
GIN_DEVICE bool check(Context &context, Block, bool condition,
                      const Site &site) {
  return detail::checkAll(context, Block(), condition, site);
}
GIN_DEVICE bool check(Context &context, const Warps &warps, bool condition,
                      const Site &site) {
  return detail::checkAll(context, warps, condition, site);
}

} // namespace gin

#endif // GIN_DEVICE_JOIN_H
