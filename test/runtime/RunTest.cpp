//===- RunTest.cpp - whole runs: forks, reports, traces, statistics -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>

using namespace ginc;
using namespace ginc::test;
using sim::Status;

static constexpr uint64_t seeds = 100;

/// Ring all-reduce in place: reduce-scatter, then all-gather.
static void ringAllReduce(Machine &m, int w, int64_t rank, int64_t ranks) {
  int64_t right = (rank + 1) % ranks;
  for (int64_t step = 0; step < 2 * ranks - 2; ++step) {
    int64_t chunk = ((rank - step) % ranks + ranks) % ranks;
    m.put(right, m.whole(w).offset(chunk).view({1}, {1}), w, {chunk},
          static_cast<int>(step), 0, step < ranks - 1 ? GIN_PUT_ACCUMULATE : 0);
    m.wait(step, 1);
  }
}

//===----------------------------------------------------------------------===//
// Forks
//===----------------------------------------------------------------------===//

TEST(Fork, NestedAndNamed) {
  static const char *const names[] = {"load", "compute"};
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Machine m(2, seed);
    m.bank({2});
    std::vector<int> visits(12);
    sim::Outcome outcome = m.run([&](int64_t rank) {
      m.fork(
          2,
          [&](int64_t role) {
            if (role == 1)
              m.wait(rank, 1);
            m.fork(3, [&](int64_t i) {
              ++visits[size_t(rank * 6 + role * 3 + i)];
            });
            if (role == 0)
              m.signal(rank, rank);
          },
          names);
      for (int64_t i = 0; i < 6; ++i)
        EXPECT_EQ(visits[size_t(rank * 6 + i)], 1);
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  }
}

TEST(Fork, ManyIterationsNeedFewStacks) {
  Machine m(2);
  int64_t count = 0;
  sim::Outcome outcome = m.run([&](int64_t) {
    m.fork(100000, [&](int64_t) { ++count; });
    m.fork(0, [&](int64_t) { ADD_FAILURE(); });
    m.fork(-1, [&](int64_t) { ADD_FAILURE(); });
  });
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
  EXPECT_EQ(count, 200000);
}

TEST(Fork, MoreAgentsThanMemoryHolds) {
  Machine m(1);
  sim::Outcome outcome = m.run([&](int64_t) {
    m.fork(int64_t(1) << 40, [&](int64_t) { ADD_FAILURE(); });
  });
  EXPECT_EQ(outcome.status, Status::Error);
  EXPECT_NE(outcome.message.find("forks 1099511627776 agents"),
            std::string::npos)
      << outcome.message;
}

TEST(Fork, ManyAgentsAtATime) {
  // More than there can be guard pages.
  Machine m(1);
  m.config.stackBytes = 16 << 10;
  m.bank({1});
  sim::Outcome outcome = m.run([&](int64_t) {
    m.fork(40000, [&](int64_t i) {
      if (i == 39999)
        m.signal(0, 0);
      else
        m.wait(0, 1);
    });
  });
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
}

//===----------------------------------------------------------------------===//
// How a run ends
//===----------------------------------------------------------------------===//

TEST(Report, Deadlock) {
  static const char *const names[] = {"sender", "receiver"};
  Machine m(3);
  m.bank({4}, "ready");
  std::vector<sim::Step> steps;
  steps.push_back(launch([&](int64_t) {
    m.signal(gin_rank(nullptr), 0, false, 5);
    m.wait(0, 5);
  }));
  steps.push_back(launch([&](int64_t rank) {
    if (rank == 0)
      return;
    m.signal(rank, 0);
    if (rank == 1)
      m.wait(0, 2);
    else
      m.fork(
          2,
          [&](int64_t role) {
            if (role == 1)
              m.wait(3, 1);
          },
          names);
  }));
  sim::Outcome outcome = m.run(std::move(steps));
  EXPECT_EQ(outcome.status, Status::Deadlock);
  EXPECT_EQ(outcome.message, "deadlock: 2 agents wait, and nothing is under "
                             "way that could end it");
  std::set<std::string> lines(outcome.details.begin(), outcome.details.end());
  EXPECT_EQ(lines,
            (std::set<std::string>{
                "rank 1, in launch 1, waits at test.mlir:12:3 in 'an "
                "operation': ready[0] has 1 above its base 5, and needs 2",
                "rank 2, role 'receiver', in launch 1, waits at "
                "test.mlir:12:3 in 'an operation': ready[3] has 0 above its "
                "base 0, and needs 1",
                "rank 0 has ended"}));
}

TEST(Report, DeadlockInABarrier) {
  Machine m(10);
  m.bank({1});
  sim::Outcome outcome = m.run([&](int64_t rank) {
    if (rank == 3)
      return;
    if (rank == 7)
      m.wait(0, 1);
    m.barrier();
  });
  EXPECT_EQ(outcome.status, Status::Deadlock);
  std::set<std::string> lines(outcome.details.begin(), outcome.details.end());
  EXPECT_TRUE(lines.count("ranks 0 to 2, 4 to 6, 8 and 9 wait at "
                          "test.mlir:12:3 in 'an operation': a barrier of the "
                          "world that ranks 3 and 7 have not entered"))
      << *lines.begin();
  EXPECT_TRUE(lines.count("rank 3 has ended"));
}

TEST(Report, DeadlockOfAThousandRanks) {
  Machine m(1000);
  m.bank({1000});
  sim::Outcome outcome = m.run([&](int64_t rank) { m.wait(rank, 1); });
  EXPECT_EQ(outcome.status, Status::Deadlock);
  ASSERT_EQ(outcome.details.size(), 1u);
  EXPECT_EQ(outcome.details[0],
            "ranks 0 to 999 wait at test.mlir:12:3 in 'an operation': s[0] "
            "has 0 above its base 0, and needs 1 (rank 0)");
}

TEST(Report, ExceptionOfABody) {
  Machine m(2);
  sim::Outcome outcome =
      m.run([](int64_t) { throw std::runtime_error("no such file"); });
  EXPECT_EQ(outcome.status, Status::Error);
  EXPECT_EQ(outcome.message, "no such file");
}

TEST(Report, ErrorEndsTheRunAtOnce) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Machine m(4, seed);
    m.bank({1});
    bool after = false;
    sim::Outcome outcome = m.run([&](int64_t rank) {
      if (rank > 0) {
        m.wait(0, 1);
        return;
      }
      m.fork(2, [&](int64_t child) {
        if (child == 1)
          gin_fail(&Machine::site, "stop");
        m.wait(0, 1);
      });
      after = true;
    });
    EXPECT_EQ(outcome.status, Status::Error);
    EXPECT_EQ(outcome.rank, 0);
    EXPECT_FALSE(after);
  }
}

TEST(Report, RunsOnce) {
  Machine m(1);
  EXPECT_EQ(m.run([](int64_t) {}).status, Status::Ok);
  EXPECT_EQ(m.run([](int64_t) {}).message, "a simulator runs once");
}

TEST(Report, MutationsNeedATestBuild) {
  Machine m(1);
  m.config.off = {"wait"};
  sim::Outcome outcome = m.run([](int64_t) {});
#ifndef GINC_SIM_MUTATIONS
  EXPECT_EQ(outcome.status, Status::Error);
#else
  EXPECT_EQ(outcome.status, Status::Ok);
#endif
}

TEST(Contract, OutsideOfARun) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(gin_rank(nullptr), 0);
  gin_flush(nullptr);
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text, "gin_rank was called outside of Simulator::run()\n"
                  "gin_flush was called outside of Simulator::run()\n");
}

TEST(Simulator, MoreMemoryThanThereIs) {
  Machine m(2);
  EXPECT_THROW(m.window({int64_t(1) << 50}), std::bad_alloc);
  EXPECT_THROW(m.window({int64_t(1) << 40, int64_t(1) << 40}), std::bad_alloc);
  EXPECT_THROW(m.bank({int64_t(1) << 60}), std::bad_alloc);
}

//===----------------------------------------------------------------------===//
// Whole programs
//===----------------------------------------------------------------------===//

TEST(Simulator, RingAllReduceOfManyRanks) {
  for (int64_t ranks : {1, 2, 3, 7, 64, 200}) {
    Machine m(ranks, static_cast<uint64_t>(ranks));
    int w = m.window({ranks});
    m.bank({2 * ranks});
    for (int64_t rank = 0; rank < ranks; ++rank)
      for (int64_t i = 0; i < ranks; ++i)
        m.data(w, rank)[i] = static_cast<int32_t>(rank + i);
    sim::Outcome outcome =
        m.run([&](int64_t rank) { ringAllReduce(m, w, rank, ranks); });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
    for (int64_t rank = 0; rank < ranks; ++rank)
      for (int64_t i = 0; i < ranks; ++i)
        ASSERT_EQ(m.data(w, rank)[i], ranks * (ranks - 1) / 2 + ranks * i);
  }
}

TEST(Simulator, CalmNetwork) {
  Machine m(4);
  m.config.network = sim::Network::Calm;
  m.config.lsaSize = 2;
  int w = m.window({1 << 20}), z = m.window({4});
  m.bank({8});
  sim::Outcome outcome = m.run([&](int64_t rank) {
    ringAllReduce(m, w, rank, 4);
    m.barrier();
    // In order, even without cover.
    if (rank == 0) {
      for (uint64_t i = 1; i < 100; ++i)
        m.putValue(3, i, z, {0});
      m.put(3, m.whole(w), w, {});
      m.putValue(3, 100, z, {0});
      m.signal(3, 7, true);
    } else if (rank == 3) {
      m.wait(7, 1);
      EXPECT_EQ(m.load(z, 0), 100);
    }
    gin_await(&Machine::site, m.get((rank + 1) % 4, z, {0},
                                    m.whole(z).offset(3).view({1}, {1})));
  });
  ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  // 4 MiB at 50 GB/s are 84 us.
  EXPECT_GT(m.simulator().virtualTime(), 84000u);
  EXPECT_LT(m.simulator().virtualTime(), 200000u);
}

TEST(Simulator, SameSeedSameRun) {
  auto trace = [](uint64_t seed) {
    Machine m(4, seed);
    m.config.trace = true;
    int w = m.window({64});
    m.bank({8});
    EXPECT_EQ(m.run([&](int64_t rank) {
                 ringAllReduce(m, w, rank, 4);
                 m.fork(3, [&](int64_t i) {
                   m.store(w, i, 5);
                   m.put((rank + i) % 4, m.whole(w).view({16}, {1}), w, {32});
                 });
                 m.barrier();
               }).status,
              Status::Ok);
    std::ostringstream os;
    m.simulator().writeTrace(os);
    return os.str();
  };
  EXPECT_EQ(trace(1), trace(1));
  EXPECT_EQ(trace(2), trace(2));
  EXPECT_NE(trace(1), trace(2));
}

TEST(Simulator, Statistics) {
  Machine m(3);
  m.config.stats = true;
  int w = m.window({10});
  m.bank({1});
  sim::Outcome outcome = m.run([&](int64_t rank) {
    if (rank == 0) {
      m.put(2, m.whole(w), w, {}, 0);
      m.putValue(2, 1, w, {0});
      m.signal(1, 0);
      gin_await(&Machine::site, m.get(1, w, {0}, m.whole(w)));
      m.store(w, 0, 1);
      m.load(w, 0);
    } else {
      m.wait(0, 1);
    }
    m.barrier();
  });
  ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  const std::vector<sim::RankStats> &stats = m.simulator().stats();
  ASSERT_EQ(stats.size(), 3u);
  EXPECT_EQ(stats[0].to[2].puts, 2u);
  EXPECT_EQ(stats[0].to[2].putBytes, 44u);
  EXPECT_EQ(stats[0].to[2].signals, 1u);
  EXPECT_EQ(stats[0].to[1].signals, 1u);
  EXPECT_EQ(stats[0].to[1].gets, 1u);
  EXPECT_EQ(stats[0].to[1].getBytes, 40u);
  EXPECT_EQ(stats[0].loads, 1u);
  EXPECT_EQ(stats[0].stores, 1u);
  EXPECT_EQ(stats[1].waits, 1u);
  EXPECT_EQ(stats[2].barriers, 1u);
}

TEST(Simulator, Progress) {
  Machine m(2);
  m.bank({1});
  int reports = 0;
  uint64_t lastSteps = 0;
  m.simulator().onProgress([&](uint64_t steps, uint64_t) {
    ++reports;
    EXPECT_GE(steps, lastSteps);
    lastSteps = steps;
  });
  // Long enough to be asked for a report or two.
  std::vector<sim::Step> steps(40, launch([&](int64_t rank) {
                                 for (int64_t i = 1; i <= 20000; ++i) {
                                   m.signal(1 - rank, 0);
                                   m.wait(0, i);
                                 }
                               }));
  sim::Outcome outcome = m.run(std::move(steps));
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
  EXPECT_GT(reports, 0);
}

//===----------------------------------------------------------------------===//
// Traces
//===----------------------------------------------------------------------===//

TEST(Trace, IsWellFormed) {
  static const char *const names[] = {"a \"role\"", "another"};
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Machine m(3, seed);
    m.config.trace = true;
    int w = m.window({8});
    m.bank({8});
    std::vector<sim::Step> steps;
    steps.push_back(host([](int64_t) {}));
    steps.push_back(launch([&](int64_t rank) {
      ringAllReduce(m, w, rank, 3);
      m.fork(
          2,
          [&](int64_t role) {
            if (role == 0)
              m.signal(rank, 7);
            else
              m.wait(7, 1);
          },
          names);
      m.fork(4, [](int64_t) {});
      gin_await(&Machine::site,
                m.get(0, w, {0}, m.whole(w).offset(7).view({1}, {1})));
      m.barrier();
    }));
    ASSERT_EQ(m.run(std::move(steps)).status, Status::Ok);
    std::ostringstream os;
    m.simulator().writeTrace(os);
    nlohmann::json trace = nlohmann::json::parse(os.str());
    EXPECT_EQ(m.simulator().droppedTraceRecords(), 0u);

    std::map<std::string, int> phases, names;
    std::map<int, std::vector<double>> flows;
    using Lane = std::pair<int, int>;
    std::set<Lane> lanes;
    std::map<Lane, std::vector<std::pair<double, double>>> slices;
    for (const nlohmann::json &event : trace.at("traceEvents")) {
      std::string phase = event.at("ph"), name = event.at("name");
      Lane lane = {event.at("pid").get<int>(), event.at("tid").get<int>()};
      ++phases[phase];
      ++names[name];
      if (name == "thread_name")
        lanes.insert(lane);
      if (phase == "M")
        continue;
      EXPECT_TRUE(lanes.count(lane));
      double time = event.at("ts");
      if (phase == "X")
        slices[lane].push_back({time, time + event.at("dur").get<double>()});
      if (phase == "s" || phase == "f")
        flows[event.at("id").get<int>()].push_back(time);
    }
    // A viewer shows the slices of a thread inside each other.
    for (auto &[lane, list] : slices)
      for (auto &[begin, end] : list)
        for (auto &[otherBegin, otherEnd] : list)
          EXPECT_FALSE(begin < otherBegin && otherBegin + 1e-9 < end &&
                       end + 1e-9 < otherEnd);
    EXPECT_EQ(names["process_name"], 3);
    EXPECT_EQ(names["host step"], 3);
    EXPECT_EQ(names["launch 0"], 3);
    EXPECT_EQ(phases["s"], 12 + 3); // puts and signals
    EXPECT_EQ(phases["s"], phases["f"]);
    EXPECT_EQ(phases["b"], phases["e"]);
    for (auto &[id, times] : flows) {
      ASSERT_EQ(times.size(), 2u);
    }
  }
}
