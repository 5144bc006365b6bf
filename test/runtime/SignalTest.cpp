//===- SignalTest.cpp - signals, waits and launches -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include <gtest/gtest.h>
#include <limits>
#include <set>

using namespace ginc;
using namespace ginc::test;
using sim::Status;

static constexpr uint64_t seeds = 200;

static sim::Outcome runWith(int64_t ranks, uint64_t seed,
                            std::function<void(Machine &, int64_t)> body) {
  Machine m(ranks, seed);
  m.window({4});
  m.bank({4});
  return m.run([&](int64_t rank) { body(m, rank); });
}

TEST(Signal, CountsAboveTheBaseInEveryLaunch) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Machine m(2, seed);
    int w = m.window({10});
    m.bank({1});
    std::vector<sim::Step> steps;
    steps.reserve(10);
    for (int64_t k = 0; k < 10; ++k)
      steps.push_back(launch([&m, w, k](int64_t rank) {
        EXPECT_EQ(gin_launch(), k);
        if (rank == 0) {
          m.putValue(1, static_cast<uint64_t>(k + 1), w, {k}, 0, 3);
          return;
        }
        m.wait(0, 1);
        m.wait(0, 3); // the largest count moves the base
        // This rank may be behind, so that later launches have arrived too.
        EXPECT_GE(m.read(0), 3);
      }));
    // A read counts as a wait for what it returned, so a rank that reads ahead
    // takes arrivals of later launches for its own.
    sim::Outcome outcome = m.run(std::move(steps));
    ASSERT_TRUE(outcome.status == Status::Ok ||
                outcome.status == Status::Deadlock)
        << outcome.message;
  }
}

TEST(Signal, RanksRunLaunchesApart) {
  int64_t furthest = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Machine m(2, seed);
    m.bank({1});
    int64_t done[2] = {0, 0};
    std::vector<sim::Step> steps;
    for (int64_t k = 0; k < 10; ++k) {
      steps.push_back(host([](int64_t) { EXPECT_GE(gin_launch(), 0); }));
      steps.push_back(launch([&](int64_t rank) {
        if (rank == 0)
          m.signal(1, 0);
        else
          m.wait(0, 1);
        ++done[rank];
        furthest = std::max(furthest, done[0] - done[1]);
      }));
    }
    sim::Outcome outcome = m.run(std::move(steps));
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  }
  EXPECT_EQ(furthest, 10); // the whole program, in some run
}

TEST(Signal, EntryBarrierKeepsRanksTogether) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Machine m(3, seed);
    std::vector<int64_t> done(3);
    std::vector<sim::Step> steps(
        6, launch([&](int64_t rank) {
          ++done[size_t(rank)];
          for (int64_t other : done)
            EXPECT_LE(std::abs(other - done[size_t(rank)]), 1);
        }));
    for (sim::Step &step : steps)
      step.barrier = true;
    ASSERT_EQ(m.run(steps).status, Status::Ok);
  }
}

TEST(Signal, WeightsAddUp) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    sim::Outcome outcome = runWith(3, seed, [](Machine &m, int64_t rank) {
      if (rank < 2) {
        m.signal(2, 1, false, 1000 + rank);
        return;
      }
      m.wait(1, 2001);
      EXPECT_EQ(m.read(1), 2001);
      EXPECT_TRUE(m.test(1, 2000));
      EXPECT_FALSE(m.test(1, 2002));
      EXPECT_TRUE(m.test(1, 0));
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  }
}

TEST(Signal, ComparisonIsWrapSafe) {
  constexpr int64_t huge = std::numeric_limits<int64_t>::max();
  Machine m(1);
  m.bank({1});
  std::vector<sim::Step> steps;
  steps.reserve(5);
  for (int i = 0; i < 5; ++i) // the value passes 2^64 twice
    steps.push_back(launch([&m](int64_t) {
      m.signal(0, 0, false, huge);
      m.wait(0, huge);
    }));
  sim::Outcome outcome = m.run(std::move(steps));
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
}

TEST(Signal, BankWithTwoDimensions) {
  Machine m(1);
  m.bank({2, 3}, "pair");
  sim::Outcome outcome = m.run([&](int64_t) {
    int64_t indices[] = {1, 2};
    gin_slot_t slot = {m.bankRecord(0), 2, indices};
    gin_signal(&Machine::site, nullptr, 0, 0, &slot, 1, 0);
    gin_wait(&Machine::site, &slot, 1, -1, 1);
    indices[1] = 3;
    gin_signal(&Machine::site, nullptr, 0, 0, &slot, 1, 0);
  });
  EXPECT_EQ(outcome.status, Status::Error);
  EXPECT_EQ(outcome.message, "index 3 of dimension 1 of signals 'pair' is out "
                             "of range: there are 3 slots");
}

TEST(Signal, Errors) {
  auto message = [](std::function<void(Machine &)> body) {
    sim::Outcome outcome = runWith(1, 0, [&](Machine &m, int64_t) { body(m); });
    EXPECT_EQ(outcome.status, Status::Error);
    EXPECT_EQ(outcome.rank, 0);
    return outcome.message;
  };
  EXPECT_EQ(message([](Machine &m) { m.signal(0, 4); }),
            "index 4 of dimension 0 of signals 's' is out of range: there are "
            "4 slots");
  EXPECT_EQ(message([](Machine &m) { m.wait(-1, 1); }),
            "index -1 of dimension 0 of signals 's' is out of range: there are "
            "4 slots");
  EXPECT_EQ(message([](Machine &m) { m.signal(0, 0, false, 0); }),
            "a signal adds 0: its weight must be at least 1");
  EXPECT_EQ(message([](Machine &m) { m.putValue(0, 1, 0, {0}, 0, -5); }),
            "a signal adds -5: its weight must be at least 1");
  EXPECT_EQ(message([](Machine &) {
              gin_fail(&Machine::site, "the answer is not 42");
            }),
            "the answer is not 42");
}

TEST(Signal, CountsOfZeroAndLessNeverBlock) {
  sim::Outcome outcome = runWith(1, 0, [](Machine &m, int64_t) {
    EXPECT_TRUE(m.wait(2, 0));
    EXPECT_TRUE(m.wait(2, -3));
    EXPECT_TRUE(m.test(2, -3));
    EXPECT_FALSE(m.test(2, 1));
  });
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
}

TEST(Signal, TimeOut) {
  std::set<bool> results;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    sim::Outcome outcome = runWith(2, seed, [&](Machine &m, int64_t rank) {
      if (rank == 0)
        return m.signal(1, 0);
      bool there = m.wait(0, 1, 1000, false);
      results.insert(there);
      EXPECT_FALSE(m.wait(1, 1, 1000, false));
      if (!there)
        m.wait(0, 1);
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  }
  EXPECT_EQ(results.size(), 2u);
  sim::Outcome outcome =
      runWith(1, 0, [](Machine &m, int64_t) { m.wait(3, 2, 5000); });
  EXPECT_EQ(outcome.status, Status::Error);
  EXPECT_EQ(outcome.message, "timed out after 5000 ns: s[3] of rank 0 has "
                             "counted 0 of 2");
  EXPECT_EQ(outcome.site, &Machine::site);
}

TEST(Signal, SeveralAgentsWaitOnOneSlot) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    sim::Outcome outcome = runWith(2, seed, [](Machine &m, int64_t rank) {
      if (rank == 0)
        return m.signal(1, 0, false, 3);
      m.fork(5, [&](int64_t i) { m.wait(0, i % 3 + 1); });
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  }
}

TEST(Signal, PollingLoopEndsWhenTheSignalComes) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    sim::Outcome outcome = runWith(2, seed, [](Machine &m, int64_t rank) {
      if (rank == 0)
        return m.signal(1, 0);
      while (!m.test(0, 1)) {
      }
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  }
}

TEST(Signal, PollingWhileAnotherAgentComputes) {
  sim::Outcome outcome = runWith(2, 0, [](Machine &m, int64_t rank) {
    if (rank == 1) {
      while (!m.test(0, 1)) {
      }
      return;
    }
    for (int i = 0; i < 3000000; ++i)
      m.store(0, 1, m.load(0, 1) + 1);
    m.signal(1, 0);
  });
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
}

TEST(Signal, PollingInVainIsADeadlock) {
  sim::Outcome outcome = runWith(2, 0, [](Machine &m, int64_t rank) {
    if (rank == 0)
      return void(m.wait(0, 1));
    while (!m.test(1, 1)) {
    }
  });
  EXPECT_EQ(outcome.status, Status::Deadlock);
  EXPECT_EQ(outcome.details,
            (std::vector<std::string>{
                "rank 0 waits at test.mlir:12:3 in 'an operation': s[0] has 0 "
                "above its base 0, and needs 1",
                "rank 1 waits at test.mlir:12:3 in 'an operation': s[1] is "
                "polled in vain, with 0 above its base 0"}));
}

TEST(Signal, Unbalanced) {
  sim::Outcome outcome = runWith(2, 0, [](Machine &m, int64_t rank) {
    if (rank == 0) {
      m.signal(1, 2);
      m.signal(1, 2);
      return;
    }
    m.wait(2, 1);
  });
  EXPECT_EQ(outcome.status, Status::Unbalanced);
  EXPECT_EQ(outcome.message,
            "unconsumed-signal: a slot got more than anybody waited for; the "
            "rest would count in the next launch");
  ASSERT_EQ(outcome.details.size(), 1u);
  EXPECT_EQ(outcome.details[0],
            "s[2] of rank 1 has counted 2, of which 1 were waited for");
}

TEST(Signal, TestAndReadCountAsWaits) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    sim::Outcome outcome = runWith(1, seed, [](Machine &m, int64_t) {
      m.signal(0, 0, false, 2);
      m.signal(0, 1, false, 5);
      while (!m.test(0, 2)) {
      }
      while (m.read(1) < 5) {
      }
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  }
}

/// Agents that wait for different counts of one slot stand in line by count,
/// whatever the order in which they came.
TEST(Signal, WakesThoseWhoseCountIsReached) {
  constexpr int64_t agents = 40;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    int64_t sent = 0, woken = 0;
    sim::Outcome outcome = runWith(1, seed, [&](Machine &m, int64_t) {
      m.fork(agents + 1, [&](int64_t i) {
        if (i < agents) {
          int64_t count = (i * 7) % agents + 1;
          m.wait(0, count);
          EXPECT_GE(sent, count);
          ++woken;
          return;
        }
        for (int64_t k = 0; k < agents; ++k) {
          ++sent;
          m.signal(0, 0);
        }
      });
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
    EXPECT_EQ(woken, agents);
  }
}
