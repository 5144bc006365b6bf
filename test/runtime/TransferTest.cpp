//===- TransferTest.cpp - puts and gets -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include <gtest/gtest.h>
#include <limits>
#include <numeric>

using namespace ginc;
using namespace ginc::test;
using sim::Status;

static constexpr uint64_t seeds = 200;

/// Runs `body` on `ranks` ranks with one window of `shape` and a slot, and
/// returns the message of the error that it must end with.
static std::string errorOf(int64_t ranks, std::vector<int64_t> shape,
                           std::function<void(Machine &, int64_t)> body,
                           unsigned rights = sim::AllRights) {
  Machine m(ranks);
  m.window(std::move(shape), 32, rights);
  m.bank({2});
  sim::Outcome outcome = m.run([&](int64_t rank) { body(m, rank); });
  EXPECT_EQ(outcome.status, Status::Error);
  EXPECT_EQ(outcome.site, &Machine::site);
  return outcome.message;
}

TEST(Transfer, StridedBlocksArriveWhole) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Machine m(2, seed);
    int from = m.window({6, 8}), to = m.window({4, 3, 5});
    m.bank({1});
    std::iota(m.data(from, 0), m.data(from, 0) + 48, 0);
    // A 3x4 block, every other row and column, to the last two dimensions.
    sim::Outcome outcome = m.run([&](int64_t rank) {
      if (rank == 0)
        m.put(
            1,
            m.whole(from).offset(9).view({3, 4}, {16, 2}).view({3, 3}, {16, 2}),
            to, {2, 0, 1}, 0);
      else
        m.wait(0, 1);
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 3; ++j)
        EXPECT_EQ(m.data(to, 1)[2 * 15 + i * 5 + 1 + j], 9 + i * 16 + j * 2);
    EXPECT_EQ(std::accumulate(m.data(to, 1), m.data(to, 1) + 60, 0), 9 * 27);
  }
}

TEST(Transfer, BigPutsAreTornAndComplete) {
  constexpr int64_t count = 100000;
  bool torn = false;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Machine m(2, seed);
    int from = m.window({count}, 16), to = m.window({count}, 16);
    m.bank({1});
    for (int64_t i = 0; i < count; ++i)
      m.data<uint16_t>(from, 0)[i] = static_cast<uint16_t>(i | 1);
    sim::Outcome outcome = m.run([&](int64_t rank) {
      if (rank == 0) {
        m.put(1, m.whole(from), to, {}, 0, 0, 0, GIN_I16);
        return;
      }
      const uint16_t *data = m.data<uint16_t>(to, 1);
      while (!m.test(0, 1)) {
        int64_t there = 0;
        for (int64_t i = 0; i < count; i += 500)
          there += data[i] != 0;
        torn |= there > 0 && there < count / 500;
      }
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
    for (int64_t i = 0; i < count; ++i)
      ASSERT_EQ(m.data<uint16_t>(to, 1)[i], static_cast<uint16_t>(i | 1));
  }
  EXPECT_TRUE(torn);
}

TEST(Transfer, GetOfStridedBlock) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Machine m(2, seed);
    int from = m.window({4, 4}), to = m.window({8, 2});
    std::iota(m.data(from, 1), m.data(from, 1) + 16, 100);
    sim::Outcome outcome = m.run([&](int64_t rank) {
      if (rank != 0)
        return;
      gin_token_t token =
          m.get(1, from, {1, 2}, m.whole(to).offset(1).view({2, 2}, {4, 2}));
      gin_await(&Machine::site, token);
      gin_await(&Machine::site, token); // as often as one likes
      EXPECT_EQ(m.data(to, 0)[1], 106);
      EXPECT_EQ(m.data(to, 0)[3], 107);
      EXPECT_EQ(m.data(to, 0)[5], 110);
      EXPECT_EQ(m.data(to, 0)[7], 111);
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  }
}

TEST(Transfer, WindowsOfDifferentSizes) {
  Machine m(3);
  sim::WindowSpec spec;
  spec.shapes = {{2, 4}, {0, 4}, {5, 4}};
  int w = m.window(spec);
  m.bank({1});
  sim::Outcome outcome = m.run([&](int64_t rank) {
    Memref whole = m.whole(w);
    for (int64_t peer = 0; peer < 3; ++peer)
      EXPECT_EQ(gin_window_dim(&Machine::site, nullptr, peer,
                               whole.descriptor(), 2, 0),
                spec.shapes[size_t(peer)][0]);
    if (rank == 0)
      m.putValue(2, 7, w, {4, 3}, 0); // beyond the own part
    if (rank == 2)
      m.wait(0, 1);
  });
  ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  EXPECT_EQ(m.data(w, 2)[19], 7);
}

TEST(Transfer, EmptyBlocksSignal) {
  Machine m(2);
  int w = m.window({4, 4});
  m.bank({1});
  sim::Outcome outcome = m.run([&](int64_t rank) {
    if (rank == 0) {
      gin_token_t token =
          m.put(1, m.whole(w).view({0, 4}, {4, 1}), w, {4, 0}, 0);
      gin_await(&Machine::site, token);
    } else {
      m.wait(0, 1);
    }
  });
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
}

TEST(Transfer, OutOfBounds) {
  auto put = [](Numbers indices) {
    return [indices](Machine &m, int64_t rank) {
      if (rank == 0)
        m.put(1, m.whole(0).view({2, 3}, {4, 1}), 0, indices, 0);
      else
        m.wait(0, 1);
    };
  };
  EXPECT_EQ(errorOf(2, {3, 4}, put({2, 0})),
            "the put is out of bounds: indices 2 to 3 of dimension 0, whose "
            "size is 3 in window 'w0' of rank 1 (3x4)");
  EXPECT_EQ(errorOf(2, {3, 4}, put({0, -1})),
            "the put is out of bounds: indices -1 to 1 of dimension 1, whose "
            "size is 4 in window 'w0' of rank 1 (3x4)");
  constexpr int64_t huge = std::numeric_limits<int64_t>::max();
  EXPECT_NE(errorOf(2, {3, 4}, put({huge, 0})).find("out of bounds"),
            std::string::npos);
  EXPECT_NE(errorOf(2, {3, 4}, put({0, huge - 1})).find("out of bounds"),
            std::string::npos);
  EXPECT_NE(errorOf(2, {3, 4}, put({-huge - 1, 0})).find("out of bounds"),
            std::string::npos);
}

TEST(Transfer, LocalSideOutsideTheOwnPart) {
  auto put = [](int64_t offset, Numbers sizes, Numbers strides) {
    return [=](Machine &m, int64_t) {
      m.put(0, m.whole(0).offset(offset).view(sizes, strides), 0, {0, 0});
    };
  };
  std::string message = "the source lies outside window 'w0' of rank 0 (4x4): "
                        "only a rank's own part can be the local side";
  constexpr int64_t huge = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(errorOf(1, {4, 4}, put(15, {2}, {1})), message);
  EXPECT_EQ(errorOf(1, {4, 4}, put(-1, {1}, {1})), message);
  EXPECT_EQ(errorOf(1, {4, 4}, put(0, {2}, {-1})), message);
  EXPECT_EQ(errorOf(1, {4, 4}, put(0, {3, 3}, {huge / 2, huge})), message);
  EXPECT_EQ(errorOf(1, {4, 4}, put(0, {2, 2}, {huge / 2, huge / 2 + 2})),
            message);
}

TEST(Transfer, TargetMustBeAWholeWindow) {
  std::string message = errorOf(1, {4, 4}, [](Machine &m, int64_t) {
    Memref part = m.whole(0).view({2, 4}, {4, 1});
    gin_place_t from = {part.descriptor(), 2, nullptr};
    gin_put(&Machine::site, nullptr, 0, 0, &from, &from, GIN_I32, 0, nullptr,
            1);
  });
  EXPECT_EQ(message,
            "the target is not the whole of window 'w0' of rank 0 (4x4): name "
            "the window itself, and the place by indices");
}

TEST(Transfer, Rights) {
  auto value = [](Machine &m, int64_t rank) {
    m.putValue(1 - rank, 1, 0, {0});
  };
  EXPECT_NE(errorOf(2, {1}, value, sim::RemoteRead)
                .find("which does not allow remote writes: change the access "
                      "rights of the argument"),
            std::string::npos);
  auto get = [](Machine &m, int64_t rank) {
    m.get(1 - rank, 0, {0}, m.whole(0));
  };
  EXPECT_NE(errorOf(2, {1}, get, sim::RemoteWrite).find("remote reads"),
            std::string::npos);
  auto add = [](Machine &m, int64_t rank) {
    m.put(1 - rank, m.whole(0), 0, {0}, -1, 0, GIN_PUT_ACCUMULATE);
  };
  EXPECT_NE(errorOf(2, {1}, add, sim::RemoteWrite | sim::RemoteRead)
                .find("remote atomics"),
            std::string::npos);
}

TEST(Transfer, OwnPartNeedsNoRights) {
  Machine m(1);
  int w = m.window({2}, 32, 0);
  m.bank({1});
  sim::Outcome outcome = m.run([&](int64_t) {
    m.putValue(0, 5, w, {1}, 0);
    m.wait(0, 1);
    EXPECT_EQ(m.load(w, 1), 5);
  });
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
}

TEST(Transfer, OverlapWithItself) {
  auto put = [](Numbers sizes, Numbers strides, Numbers to) {
    return [=](Machine &m, int64_t) {
      m.put(0, m.whole(0).view(sizes, strides), 0, to, 0);
      m.wait(0, 1);
    };
  };
  EXPECT_NE(errorOf(1, {4, 4}, put({2, 2}, {4, 1}, {1, 1})).find("overlap"),
            std::string::npos);
  // Transposed in place: every element but the diagonal moves.
  EXPECT_NE(errorOf(1, {4, 4}, put({4, 4}, {1, 4}, {0, 0})).find("overlap"),
            std::string::npos);
  // Columns beside each other do not overlap, though their extents do.
  Machine m(1);
  int w = m.window({4, 4});
  m.bank({1});
  m.data(w, 0)[4] = 9;
  sim::Outcome outcome =
      m.run([&](int64_t) { put({4, 2}, {4, 1}, {0, 2})(m, 0); });
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
  EXPECT_EQ(m.data(w, 0)[6], 9);
}

TEST(Transfer, PeerOutOfRange) {
  auto value = [](int64_t peer) {
    return [peer](Machine &m, int64_t) { m.putValue(peer, 1, 0, {0}); };
  };
  EXPECT_EQ(errorOf(3, {1}, value(3)), "peer 3 is out of range: the world has "
                                       "3 ranks, and peers count from 0");
  EXPECT_EQ(errorOf(3, {1}, value(-1)), "peer -1 is out of range: the world "
                                        "has 3 ranks, and peers count from 0");
}

TEST(Transfer, TokenOfAnother) {
  EXPECT_EQ(
      errorOf(1, {1}, [](Machine &, int64_t) { gin_await(&Machine::site, 7); }),
      "token 7 is not of this agent: await it where it was made");
}

TEST(Transfer, ElementAccessOutOfBounds) {
  std::string store =
      errorOf(1, {4}, [](Machine &m, int64_t) { m.store(0, 1 << 20, 1); });
  EXPECT_EQ(store, "the store is out of bounds: the address is in no rank's "
                   "part of window 'w0'; that of rank 0 is 4");
  std::string load = errorOf(1, {4}, [](Machine &m, int64_t) { m.load(0, 4); });
  EXPECT_NE(load.find("the load is out of bounds"), std::string::npos);
}

TEST(Transfer, PeerViewWithinTheLsaTeam) {
  Machine m(4);
  m.config.lsaSize = 2;
  int w = m.window({1});
  sim::Outcome outcome = m.run([&](int64_t rank) {
    Memref whole = m.whole(w), peer = whole;
    int64_t other = rank ^ 1;
    gin_peer_view(&Machine::site, nullptr, other, whole.descriptor(), 1,
                  peer.descriptor());
    EXPECT_EQ(peer.aligned(), m.data(w, other));
    gin_store(&Machine::site, m.record(w), peer.aligned(), 5, 32);
    if (rank == 1)
      gin_peer_view(&Machine::site, nullptr, 2, whole.descriptor(), 1,
                    peer.descriptor());
  });
  EXPECT_EQ(outcome.status, Status::Error);
  EXPECT_EQ(outcome.message,
            "rank 1 cannot view the memory of rank 2: they are in different "
            "LSA teams of 2 ranks");
}

TEST(Transfer, ManyOutstandingPutsOfOneAgent) {
  constexpr int64_t puts = 4096;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Machine m(2, seed);
    int w = m.window({puts});
    m.bank({1});
    sim::Outcome outcome = m.run([&](int64_t rank) {
      for (int64_t i = 0; i < puts; ++i) {
        if (rank == 0) {
          m.putValue(1, static_cast<uint64_t>(i + 1), w, {i});
          m.signal(1, 0);
        } else {
          m.wait(0, i + 1);
          ASSERT_EQ(m.data(w, 1)[i], i + 1); // one source, plain signals
        }
      }
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  }
}

TEST(Transfer, AtomicAddIsCoveredLikeAPut) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Machine m(4, seed);
    int w = m.window({2}, 64);
    m.bank({1});
    sim::Outcome outcome = m.run([&](int64_t rank) {
      if (rank == 0) {
        m.wait(0, 3);
        EXPECT_EQ(m.data<int64_t>(w, 0)[1], 6000000000);
        return;
      }
      Memref whole = m.whole(w);
      int64_t index = 1;
      gin_place_t target = {whole.descriptor(), 1, &index};
      gin_atomic_add(&Machine::site, nullptr, 0, 0,
                     static_cast<uint64_t>(rank) * 1000000000, &target,
                     GIN_I64);
      m.signal(0, 0);
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  }
}

TEST(Transfer, LocalAtomicAddReturnsTheOldValue) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Machine m(1, seed);
    int w = m.window({1});
    int64_t sum = 0;
    sim::Outcome outcome = m.run([&](int64_t) {
      m.store(w, 0, 100);
      m.fork(8, [&](int64_t) {
        sum += static_cast<int64_t>(gin_local_atomic_fetch_add(
            &Machine::site, m.record(w), m.data(w, 0), 1, GIN_I32));
      });
      EXPECT_EQ(m.load(w, 0), 108);
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
    EXPECT_EQ(sum, 8 * 100 + 28);
  }
}

TEST(Transfer, DrainPerformsWhatIsPending) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Machine m(1, seed);
    int w = m.window({300});
    sim::Outcome outcome = m.run([&](int64_t) {
      for (int64_t i = 0; i < 150; ++i)
        m.store(w, i, 1);
      m.store(w, 7, 2); // to one cell: in order
      m.fork(2, [&](int64_t child) {
        m.store(w, 200 + child, 3);
        gin_drain();
        EXPECT_EQ(m.data(w, 0)[7], 2); // the ancestors' too
      });
      m.store(w, 250, 4);
      EXPECT_EQ(m.load(w, 250), 4);
      gin_drain();
      EXPECT_EQ(m.data(w, 0)[149], 1);
      EXPECT_EQ(m.data(w, 0)[201], 3);
      EXPECT_EQ(m.data(w, 0)[250], 4);
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
  }
}

TEST(Transfer, SourceReadSeesOwnPendingStores) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Machine m(2, seed);
    int w = m.window({4, 4}), to = m.window({4, 4});
    m.bank({1});
    sim::Outcome outcome = m.run([&](int64_t rank) {
      if (rank == 1) {
        m.wait(0, 2);
        return;
      }
      for (int64_t i = 0; i < 16; ++i)
        m.store(w, i, static_cast<int32_t>(i + 1));
      m.put(1, m.whole(w).view({4, 2}, {4, 1}), to, {0, 0}, 0);
      // Transposed: the strides are not those of a row-major block.
      m.put(1, m.whole(w).offset(2).view({2, 4}, {1, 4}).view({2, 2}, {1, 4}),
            to, {0, 2}, 0);
    });
    ASSERT_EQ(outcome.status, Status::Ok) << outcome.message;
    for (int64_t i = 0; i < 4; ++i)
      for (int64_t j = 0; j < 2; ++j)
        EXPECT_EQ(m.data(to, 1)[i * 4 + j], i * 4 + j + 1);
    EXPECT_EQ(m.data(to, 1)[2], 3);
    EXPECT_EQ(m.data(to, 1)[3], 7);
    EXPECT_EQ(m.data(to, 1)[6], 4);
    EXPECT_EQ(m.data(to, 1)[7], 8);
  }
}
