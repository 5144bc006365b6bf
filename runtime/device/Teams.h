//===- Teams.h - teams of ranks ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which ranks of the world a team has. Operations take ranks of the world; a
// team's own numbers become such by peer(). Launchers compute with them, too.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_TEAMS_H
#define GIN_DEVICE_TEAMS_H

#include "runtime/device/Index.h"

namespace gin {

/// The world's ranks in row-major order: the last coordinate runs fastest.
template <unsigned N>
struct RankGrid {
  int64_t extents[N];

  /// How far apart two ranks are that differ by 1 in one coordinate.
  GIN_ANYWHERE int64_t stride(unsigned dim) const {
    int64_t product = 1;
    for (unsigned i = dim + 1; i < N; ++i)
      product *= extents[i];
    return product;
  }
};

/// The calling rank's coordinate.
template <unsigned N>
GIN_ANYWHERE inline int64_t coordinate(const Context &context,
                                       const RankGrid<N> &grid, unsigned dim) {
  return context.rank / grid.stride(dim) % grid.extents[dim];
}

/// The ranks that differ from the calling one in one coordinate only, numbered
/// by it. `index` chooses the slots of its barriers.
template <unsigned N>
GIN_ANYWHERE inline Team axis(const Context &context, const RankGrid<N> &grid,
                              unsigned dim, uint32_t index) {
  const int64_t stride = grid.stride(dim);
  const int64_t first = context.rank - coordinate(context, grid, dim) * stride;
  return {static_cast<int32_t>(first), static_cast<int32_t>(stride),
          static_cast<int32_t>(grid.extents[dim]), index};
}

/// The ranks whose memory can be loaded and stored: all, as long as there are
/// no networks.
GIN_ANYWHERE inline Team lsaTeam(const Context &context, uint32_t index) {
  return {0, 1, context.ranks, index};
}
/// The ranks with the same number in their LSA teams: the rank itself.
GIN_ANYWHERE inline Team railTeam(const Context &context, uint32_t index) {
  return {context.rank, 1, 1, index};
}

/// The calling rank's number in a team that it is in.
GIN_ANYWHERE inline int64_t rankIn(const Context &context, const Team &team) {
  return (context.rank - team.first) / team.stride;
}

/// The rank of the world that is member `number` of a team; noPeer if none is.
GIN_ANYWHERE inline int32_t peer(const Team &team, int64_t number) {
  if (number < 0 || number >= team.size)
    return noPeer;
  return team.first + static_cast<int32_t>(number) * team.stride;
}

namespace detail {
GIN_ANYWHERE inline int64_t ring(int64_t rank, int64_t distance, int64_t size) {
  const int64_t rest = (rank + distance % size) % size;
  return rest < 0 ? rest + size : rest;
}
} // namespace detail

/// The rank at a distance on the ring of all ranks, or of a team, as its number
/// in that.
GIN_ANYWHERE inline int64_t neighbor(const Context &context, int64_t distance) {
  return detail::ring(context.rank, distance, context.ranks);
}
GIN_ANYWHERE inline int64_t neighbor(const Context &context, const Team &team,
                                     int64_t distance) {
  return detail::ring(rankIn(context, team), distance, team.size);
}

} // namespace gin

#endif // GIN_DEVICE_TEAMS_H
