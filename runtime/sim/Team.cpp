//===- Team.cpp - groups of ranks -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Team.h"

#include "runtime/device/GridExtents.h"
#include "runtime/sim/Window.h"

#include <algorithm>

using namespace ginc::sim;

static constexpr int64_t unknown = gin::anyExtent;

int64_t Team::groupOf(int64_t rank) const {
  switch (kind) {
  case GIN_TEAM_LSA:
    return rank / block;
  case GIN_TEAM_RAIL:
    return rank % block;
  case GIN_TEAM_AXIS:
    return rank / (block * length) * block + rank % block;
  default:
    return 0;
  }
}

int64_t Team::indexOf(int64_t rank) const {
  switch (kind) {
  case GIN_TEAM_LSA:
    return rank % block;
  case GIN_TEAM_RAIL:
    return rank / block;
  case GIN_TEAM_AXIS:
    return rank / block % length;
  default:
    return rank;
  }
}

int64_t Team::sizeOf(int64_t group) const {
  switch (kind) {
  case GIN_TEAM_LSA: // the last one may be smaller
    return std::min(block, ranks - group * block);
  case GIN_TEAM_RAIL:
    return (ranks - group + block - 1) / block;
  case GIN_TEAM_AXIS:
    return length;
  default:
    return ranks;
  }
}

int64_t Team::member(int64_t group, int64_t index) const {
  switch (kind) {
  case GIN_TEAM_LSA:
    return group * block + index;
  case GIN_TEAM_RAIL:
    return index * block + group;
  case GIN_TEAM_AXIS:
    return (group / block * length + index) * block + group % block;
  default:
    return index;
  }
}

int64_t Team::groups() const {
  switch (kind) {
  case GIN_TEAM_LSA:
    return (ranks + block - 1) / block;
  case GIN_TEAM_RAIL:
    return std::min(block, ranks);
  case GIN_TEAM_AXIS:
    return ranks / length;
  default:
    return 1;
  }
}

std::string Team::text() const {
  switch (kind) {
  case GIN_TEAM_LSA:
    return "lsa team";
  case GIN_TEAM_RAIL:
    return "rail team";
  case GIN_TEAM_GRID:
    return shapeText(extents) + " grid";
  case GIN_TEAM_AXIS:
    return "axis " + std::to_string(along) + " of a " + shapeText(extents) +
           " grid";
  default:
    return "world";
  }
}

bool ginc::sim::balanceGrid(std::vector<int64_t> &extents, int64_t ranks) {
  return gin::balanceExtents(ranks, extents.data(), extents.size());
}

Teams::Teams(const Config &config)
    : ranks(config.ranks),
      lsaSize(config.lsaSize > 0 ? config.lsaSize : config.ranks),
      grid(config.grid) {
  auto world = std::make_unique<Team>();
  world->ranks = ranks;
  teams.push_back(std::move(world));
}

std::unique_ptr<Team> Teams::make(const gin_team_t &description,
                                  std::string &error) const {
  auto team = std::make_unique<Team>();
  team->kind = description.kind;
  team->ranks = ranks;
  if (description.kind == GIN_TEAM_WORLD)
    return team;
  if (description.kind == GIN_TEAM_LSA || description.kind == GIN_TEAM_RAIL) {
    team->block = lsaSize;
    return team;
  }
  if (description.kind != GIN_TEAM_GRID && description.kind != GIN_TEAM_AXIS) {
    error = "unknown kind of team: " + std::to_string(description.kind);
    return nullptr;
  }
  if (description.dims < 0 || description.dims > 8) {
    error =
        "a grid has 0 to 8 dimensions, not " + std::to_string(description.dims);
    return nullptr;
  }
  team->extents.assign(description.extents,
                       description.extents + description.dims);
  std::vector<int64_t> &extents = team->extents;
  // The configured grid names all extents, or those of the `?` alone.
  size_t free =
      static_cast<size_t>(std::count(extents.begin(), extents.end(), unknown));
  size_t next = 0;
  for (size_t i = 0; i < extents.size() && free; ++i)
    if (extents[i] == unknown && grid.size() == extents.size())
      extents[i] = grid[i];
    else if (extents[i] == unknown && grid.size() == free)
      extents[i] = grid[next++];
  if (!balanceGrid(extents, ranks)) {
    std::string wanted;
    for (int64_t extent : extents)
      wanted += (wanted.empty() ? "" : "x") +
                (extent == unknown ? "?" : std::to_string(extent));
    error = "a " + (wanted.empty() ? "scalar" : wanted) + " grid cannot hold " +
            std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks") +
            ": run with a number of ranks that its extents multiply to";
    return nullptr;
  }
  if (description.kind == GIN_TEAM_GRID)
    return team;
  if (description.along < 0 || description.along >= description.dims) {
    error = "axis " + std::to_string(description.along) +
            " is out of range: the grid has " +
            std::to_string(description.dims) + " axes";
    return nullptr;
  }
  team->along = description.along;
  size_t along = static_cast<size_t>(description.along);
  team->length = extents[along];
  for (size_t i = along + 1; i < extents.size(); ++i)
    team->block *= extents[i];
  return team;
}

const Team *Teams::resolve(const gin_team_t *description, std::string &error) {
  if (!description)
    return teams.front().get();
  auto [entry, isNew] = known.try_emplace(description, nullptr);
  if (!isNew)
    return entry->second;
  std::unique_ptr<Team> made = make(*description, error);
  if (!made) {
    known.erase(entry);
    return nullptr;
  }
  auto same = [&](const std::unique_ptr<Team> &other) {
    return other->kind == made->kind && other->along == made->along &&
           other->extents == made->extents;
  };
  auto found = std::find_if(teams.begin(), teams.end(), same);
  if (found == teams.end()) {
    made->id = static_cast<uint32_t>(teams.size());
    teams.push_back(std::move(made));
    found = teams.end() - 1;
  }
  return entry->second = found->get();
}
