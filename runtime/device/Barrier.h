//===- Barrier.h - barriers of teams ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Definitions; Gin.h says what they promise.
//
// Every member adds 1 to a slot of its own at every other member, and waits for
// theirs. A slot for each source and parity: with one counter for all, a fast
// member's arrival in the next round would stand for a slow one's in this.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_BARRIER_H
#define GIN_DEVICE_BARRIER_H

#include "runtime/device/Signal.h"

namespace gin {

GIN_DEVICE Team world(const Context &context) {
  return {0, 1, context.ranks, 0};
}

namespace detail {

/// The slot of `source` at `rank`.
GIN_DEVICE uint64_t *barrierSlot(const Program &program, int32_t rank,
                                 uint32_t team, uint64_t round,
                                 int32_t source) {
  uint64_t index =
      (uint64_t(team) * 2 + (round & 1)) * uint64_t(program.ranks) +
      uint64_t(source);
  return wordsOf(program.barriers, rank) + index * slotStride;
}

GIN_DEVICE bool inTeam(const Context &context, const Team &team) {
  const int32_t at = context.rank - team.first;
  return team.index < context.program->teams && team.stride > 0 &&
         team.size > 0 && at >= 0 && at % team.stride == 0 &&
         at / team.stride < team.size && team.first >= 0 &&
         team.first + (team.size - 1) * team.stride < context.ranks;
}

} // namespace detail

template <class Coop>
GIN_DEVICE bool barrier(Context &context, Coop scope, const Team &team,
                        Extent extent, const Site &site) {
  const detail::Crew<Coop> coop(scope, context);
  // A release is cumulative over all memory, so that one round also covers
  // what was put to third ranks.
  (void)extent;
  if (!detail::inTeam(context, team)) {
    detail::recordArgument(context.state, coop.leader() && !context.failed, -1,
                           team.index, context.program->teams, site);
    context.failed = true;
    return false;
  }
  const Program &program = *context.program;
  detail::completeBulk(context);
  context.failed = coop.syncOr(context.failed);
  // Only agents that follow each other use a team's slots: no race here.
  uint64_t *rounds = context.state->rounds + team.index;
  const uint64_t round = loadRelaxed(rounds);
  for (int32_t i = coop.index(); i < team.size && !context.failed;
       i += coop.size()) {
    const int32_t member = team.first + i * team.stride;
    if (member != context.rank)
      addRelease(
          detail::barrierSlot(program, member, team.index, round, context.rank),
          1);
  }
  for (int32_t i = coop.index(); i < team.size && !context.failed;
       i += coop.size()) {
    const int32_t member = team.first + i * team.stride;
    if (member == context.rank)
      continue;
    const uint64_t *address =
        detail::barrierSlot(program, context.rank, team.index, round, member);
    context.failed = !detail::poll(
        context, {address, 0, round / 2 + 1, ~0u, team.index, member, true},
        programTimeout, site);
  }
  context.failed = coop.syncOr(context.failed);
  if (coop.leader())
    storeRelaxed(rounds, round + 1);
  return !context.failed;
}

} // namespace gin

#endif // GIN_DEVICE_BARRIER_H
