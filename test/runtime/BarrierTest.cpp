//===- BarrierTest.cpp - barriers and teams -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Team.h"

#include "Harness.h"

#include <gtest/gtest.h>
#include <limits>

using namespace ginc;
using namespace ginc::test;
using sim::Status;

static constexpr uint64_t seeds = 100;
static constexpr int64_t any = std::numeric_limits<int64_t>::min();

TEST(Barrier, CoversPutsToTheWaitingRank) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Machine m(5, seed);
    int w = m.window({5});
    sim::Outcome outcome = m.run([&](int64_t rank) {
      for (int round = 1; round < 8; ++round) {
        for (int64_t peer = 0; peer < 5; ++peer)
          m.putValue(peer, static_cast<uint64_t>(round), w, {rank}, -1, 1,
                     peer % 3);
        m.barrier();
        for (int64_t i = 0; i < 5; ++i)
          EXPECT_EQ(m.data(w, rank)[i], round);
        m.barrier();
      }
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  }
}

TEST(Barrier, GlobalCoversThirdRanks) {
  bool early = false;
  for (uint64_t seed = 0; seed < 500; ++seed)
    for (bool global : {false, true}) {
      Machine m(3, seed);
      int w = m.window({1});
      sim::Outcome outcome = m.run([&](int64_t rank) {
        if (rank == 0)
          m.putValue(1, 1, w, {0});
        m.barrier(global);
        if (rank == 2 && m.data(w, 1)[0] != 1) {
          EXPECT_FALSE(global);
          early = true;
        }
      });
      ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
    }
  EXPECT_TRUE(early);
}

TEST(Barrier, CoversChildrenAndStores) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Machine m(2, seed);
    int w = m.window({4});
    sim::Outcome outcome = m.run([&](int64_t rank) {
      m.store(w, 3, 7);
      m.fork(3, [&](int64_t child) {
        m.putValue(1 - rank, 5, w, {child});
        if (child == 0)
          m.store(w, 3, 8);
      });
      m.barrier();
      for (int64_t i = 0; i < 3; ++i)
        EXPECT_EQ(m.data(w, rank)[i], 5);
      EXPECT_EQ(m.data(w, 1 - rank)[3], 8);
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  }
}

TEST(Barrier, OfTeamsDoNotMix) {
  int64_t extents[] = {2, 3};
  gin_team_t rows = {GIN_TEAM_AXIS, 1, 2, extents};
  gin_team_t columns = {GIN_TEAM_AXIS, 0, 2, extents};
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Machine m(6, seed);
    std::vector<int64_t> entered(6);
    sim::Outcome outcome = m.run([&](int64_t rank) {
      if (rank / 3 == 0) { // the first row alone
        ++entered[size_t(rank)];
        m.barrier(false, &rows);
        for (int64_t i = 0; i < 3; ++i)
          EXPECT_EQ(entered[size_t(i)], 1);
      }
      m.barrier(false, &columns);
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  }
}

TEST(Barrier, OfOneRank) {
  Machine m(1);
  sim::Outcome outcome = m.run([&](int64_t) {
    m.barrier();
    m.barrier(true);
  });
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
}

TEST(Barrier, TwoAgentsOfARank) {
  Machine m(2);
  sim::Outcome outcome = m.run([&](int64_t rank) {
    if (rank == 0)
      m.fork(2, [&](int64_t) { m.barrier(); });
  });
  EXPECT_EQ(outcome.status, Status::Error);
  EXPECT_EQ(outcome.message,
            "another agent of rank 0 waits in a barrier of the world: one "
            "agent of a rank at a time may be in a team's barrier");
}

TEST(Barrier, AThousandRanks) {
  Machine m(1000);
  int64_t passed = 0;
  sim::Outcome outcome = m.run([&](int64_t) {
    for (int i = 0; i < 3; ++i)
      m.barrier();
    ++passed;
  });
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
  EXPECT_EQ(passed, 1000);
}

//===----------------------------------------------------------------------===//
// Teams
//===----------------------------------------------------------------------===//

namespace {

/// All groups of a team, by its own account.
std::vector<std::vector<int64_t>> groupsOf(const sim::Team &team) {
  std::vector<std::vector<int64_t>> groups;
  for (int64_t group = 0; group < team.groups(); ++group) {
    groups.emplace_back();
    for (int64_t i = 0; i < team.sizeOf(group); ++i) {
      int64_t rank = team.member(group, i);
      EXPECT_EQ(team.groupOf(rank), group);
      EXPECT_EQ(team.indexOf(rank), i);
      groups.back().push_back(rank);
    }
  }
  return groups;
}

std::vector<std::vector<int64_t>> groupsOf(int64_t ranks, int64_t lsaSize,
                                           gin_team_t description) {
  sim::Config config;
  config.ranks = ranks;
  config.lsaSize = lsaSize;
  sim::Teams teams(config);
  std::string error;
  const sim::Team *team = teams.resolve(&description, error);
  EXPECT_NE(team, nullptr) << error;
  return groupsOf(*team);
}

using Groups = std::vector<std::vector<int64_t>>;

} // namespace

TEST(Team, LsaAndRail) {
  EXPECT_EQ(groupsOf(7, 3, {GIN_TEAM_LSA, 0, 0, nullptr}),
            (Groups{{0, 1, 2}, {3, 4, 5}, {6}}));
  EXPECT_EQ(groupsOf(7, 3, {GIN_TEAM_RAIL, 0, 0, nullptr}),
            (Groups{{0, 3, 6}, {1, 4}, {2, 5}}));
  EXPECT_EQ(groupsOf(2, 0, {GIN_TEAM_LSA, 0, 0, nullptr}), (Groups{{0, 1}}));
  EXPECT_EQ(groupsOf(2, 8, {GIN_TEAM_RAIL, 0, 0, nullptr}), (Groups{{0}, {1}}));
  EXPECT_EQ(groupsOf(3, 0, {GIN_TEAM_WORLD, 0, 0, nullptr}),
            (Groups{{0, 1, 2}}));
}

TEST(Team, Axes) {
  int64_t extents[] = {2, 3, 2};
  EXPECT_EQ(groupsOf(12, 0, {GIN_TEAM_GRID, 0, 3, extents}).size(), 1u);
  EXPECT_EQ(groupsOf(12, 0, {GIN_TEAM_AXIS, 2, 3, extents}),
            (Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}}));
  EXPECT_EQ(groupsOf(12, 0, {GIN_TEAM_AXIS, 1, 3, extents}),
            (Groups{{0, 2, 4}, {1, 3, 5}, {6, 8, 10}, {7, 9, 11}}));
  EXPECT_EQ(groupsOf(12, 0, {GIN_TEAM_AXIS, 0, 3, extents}),
            (Groups{{0, 6}, {1, 7}, {2, 8}, {3, 9}, {4, 10}, {5, 11}}));
}

TEST(Team, BalancedGrids) {
  auto balance = [](std::vector<int64_t> extents, int64_t ranks) {
    return sim::balanceGrid(extents, ranks) ? extents : std::vector<int64_t>();
  };
  using Extents = std::vector<int64_t>;
  EXPECT_EQ(balance({any, any}, 12), (Extents{4, 3}));
  EXPECT_EQ(balance({any, any}, 7), (Extents{7, 1}));
  EXPECT_EQ(balance({any, any, any}, 8), (Extents{2, 2, 2}));
  EXPECT_EQ(balance({any, any, any}, 1000), (Extents{10, 10, 10}));
  EXPECT_EQ(balance({any, 3, any}, 24), (Extents{4, 3, 2}));
  EXPECT_EQ(balance({2, 3}, 6), (Extents{2, 3}));
  EXPECT_EQ(balance({2, 3}, 7), Extents());
  EXPECT_EQ(balance({2, any}, 7), Extents());
  EXPECT_EQ(balance({any, any}, 1), (Extents{1, 1}));
}

TEST(Team, Coordinates) {
  Machine m(6);
  m.config.grid = {2, 3};
  int64_t extents[] = {any, any}, half[] = {any, 3};
  gin_team_t grid = {GIN_TEAM_GRID, 0, 2, extents};
  gin_team_t rows = {GIN_TEAM_AXIS, 1, 2, half};
  sim::Outcome outcome = m.run([&](int64_t rank) {
    EXPECT_EQ(gin_rank(nullptr), rank);
    EXPECT_EQ(gin_num_ranks(nullptr), 6);
    EXPECT_EQ(gin_rank(&grid), rank);
    EXPECT_EQ(gin_coord(&grid, 0), rank / 3);
    EXPECT_EQ(gin_coord(&grid, 1), rank % 3);
    EXPECT_EQ(gin_rank(&rows), rank % 3);
    EXPECT_EQ(gin_num_ranks(&rows), 3);
  });
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
}

TEST(Team, PeersAreRelativeToTheTeam) {
  int64_t extents[] = {2, 2};
  gin_team_t columns = {GIN_TEAM_AXIS, 0, 2, extents};
  Machine m(4);
  int w = m.window({1});
  m.bank({1});
  sim::Outcome outcome = m.run([&](int64_t rank) {
    Memref root = m.whole(w);
    int64_t zero = 0;
    gin_place_t target = {root.descriptor(), 1, &zero};
    gin_slot_t slot = {m.bankRecord(0), 1, &zero};
    gin_put_value(&Machine::site, &columns, 1 - rank / 2, 0,
                  static_cast<uint64_t>(rank), &target, GIN_I32, &slot, 1);
    m.wait(0, 1);
    EXPECT_EQ(m.load(w, 0), (rank + 2) % 4);
    if (rank == 0)
      gin_put_value(&Machine::site, &columns, 2, 0, 1, &target, GIN_I32, &slot,
                    1);
  });
  EXPECT_EQ(outcome.status, Status::Error);
  EXPECT_EQ(outcome.message,
            "peer 2 is out of range: the axis 0 of a 2x2 grid has 2 ranks, "
            "and peers count from 0");
}

TEST(Team, GridThatDoesNotFit) {
  int64_t extents[] = {any, 4};
  gin_team_t grid = {GIN_TEAM_GRID, 0, 2, extents};
  Machine m(6);
  sim::Outcome outcome = m.run([&](int64_t) { gin_rank(&grid); });
  EXPECT_EQ(outcome.status, Status::Error);
  EXPECT_EQ(outcome.message,
            "a ?x4 grid cannot hold 6 ranks: run with a number of ranks that "
            "its extents multiply to");
}
