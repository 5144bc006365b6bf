//===- Team.h - groups of ranks ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_TEAM_H
#define GINC_SIM_TEAM_H

#include "runtime/device/contract.h"
#include "runtime/sim/Simulator.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ginc::sim {

/// A team divides the world into groups; a rank's team is its group. Every
/// kind is regular, so that members are computed and not listed.
class Team {
public:
  /// The group of `rank`; groups are numbered from 0.
  int64_t groupOf(int64_t rank) const;
  /// Its index within the group.
  int64_t indexOf(int64_t rank) const;
  /// Number of members of a group.
  int64_t sizeOf(int64_t group) const;
  /// The world rank of member `index` of `group`.
  int64_t member(int64_t group, int64_t index) const;
  int64_t groups() const;

  /// E.g. "world" or "axis 1 of a 2x4 grid".
  std::string text() const;

  uint32_t id = 0;              ///< position among the teams of a run
  std::vector<int64_t> extents; ///< of a grid, without `?`
  int32_t kind = GIN_TEAM_WORLD;

private:
  friend class Teams;
  int64_t ranks = 1;
  int64_t block = 1;  ///< LSA size; distance of neighbours on the axis
  int64_t length = 1; ///< of the axis
  int32_t along = 0;
};

/// The teams of a run. Two descriptions that say the same are one team.
class Teams {
public:
  explicit Teams(const Config &config);

  const Team &world() const { return *teams.front(); }
  /// The team that `description` means, or null with the reason in `error`.
  const Team *resolve(const gin_team_t *description, std::string &error);

private:
  std::unique_ptr<Team> make(const gin_team_t &description,
                             std::string &error) const;

  int64_t ranks, lsaSize;
  std::vector<int64_t> grid;
  std::vector<std::unique_ptr<Team>> teams;
  std::unordered_map<const gin_team_t *, const Team *> known;
};

/// Replaces the `?` (INT64_MIN) in `extents` by factors of `ranks` that are as
/// equal as possible, the larger ones first. Returns whether that is possible.
bool balanceGrid(std::vector<int64_t> &extents, int64_t ranks);

} // namespace ginc::sim

#endif // GINC_SIM_TEAM_H
