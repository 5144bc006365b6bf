//===- ByHandTest.cu - the kernels of examples/by-hand --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the examples of the same names compute, launched several times.
//
//===----------------------------------------------------------------------===//

#include "examples/by-hand/all_to_all.cuh"
#include "examples/by-hand/moe.cuh"
#include "examples/by-hand/ring_all_reduce.cuh"
#include "test/gpu/Harness.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <utility>

using namespace gintest;

static constexpr int launches = 3;

namespace {

/// Stands for a buffer of each rank, as a pointer.
template <class T>
struct P {
  const Buffers *buffers;
};

/// Arrays of all ranks, on both sides.
template <class T>
struct Arrays {
  Arrays(const Group &group, int64_t count)
      : buffers(group, static_cast<size_t>(count) * sizeof(T)),
        at(buffers.at.size(), std::vector<T>(static_cast<size_t>(count))) {}

  std::vector<T> &operator[](int rank) { return at[static_cast<size_t>(rank)]; }
  void write() {
    for (size_t rank = 0; rank < at.size(); ++rank)
      buffers.write(static_cast<int>(rank), 0, at[rank].data(), buffers.bytes);
  }
  void read() {
    for (size_t rank = 0; rank < at.size(); ++rank) {
      const auto bytes = buffers.read(static_cast<int>(rank), 0, buffers.bytes);
      std::memcpy(at[rank].data(), bytes.data(), bytes.size());
    }
  }
  void draw(std::mt19937 &random) {
    for (std::vector<T> &values : at)
      for (T &value : values)
        value =
            static_cast<T>(static_cast<int>(random() % 2001) - 1000) / T(1000);
    write();
  }
  P<T> pointer() const { return {&buffers}; }

  Buffers buffers;
  std::vector<std::vector<T>> at;
};

} // namespace

namespace gintest {
template <class T>
T *of(const Group &, int rank, P<T> p) {
  return reinterpret_cast<T *>(p.buffers->at[static_cast<size_t>(rank)]);
}
} // namespace gintest

static bool near(double have, double want) {
  return std::abs(have - want) <= 1e-4 + 1e-5 * std::abs(want);
}

//===----------------------------------------------------------------------===//
// Moving and adding
//===----------------------------------------------------------------------===//

GIN_TEST(AllToAllByHand) {
  std::mt19937 random(1);
  for (int64_t m : {1, 16, 131}) {
    Group group(ranks, {static_cast<uint32_t>(ranks)});
    Arrays<float> x(group, ranks * m), y(group, ranks * m);
    group.add(x.buffers);
    group.add(y.buffers);
    for (int launch = 0; launch < launches; ++launch) {
      x.draw(random);
      CHECK_EQUAL(group.launch(all_to_all, 1, 64, 0, W{0}, W{1}, B{0}, m),
                  GIN_SUCCESS);
      CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
      y.read();
      bool right = true;
      for (int p = 0; p < ranks; ++p)
        for (int q = 0; q < ranks; ++q)
          right &= std::equal(&x[p][static_cast<size_t>(q * m)],
                              &x[p][static_cast<size_t>(q * m)] + m,
                              &y[q][static_cast<size_t>(p * m)]);
      CHECK(right);
    }
  }
}

GIN_TEST(RingAllReduceByHand) {
  std::mt19937 random(2);
  for (int64_t m : {1, 5, 61, 257}) {
    Group group(ranks, {2 * static_cast<uint32_t>(ranks)});
    Arrays<float> x(group, m), y(group, m);
    group.add(y.buffers);
    for (int launch = 0; launch < launches; ++launch) {
      x.draw(random);
      CHECK_EQUAL(
          group.launch(ring_all_reduce, 3, 64, 0, x.pointer(), W{0}, B{0}, m),
          GIN_SUCCESS);
      CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
      y.read();
      bool right = true;
      for (size_t i = 0; i < static_cast<size_t>(m); ++i) {
        double sum = 0;
        for (int rank = 0; rank < ranks; ++rank)
          sum += static_cast<double>(x[rank][i]);
        for (int rank = 0; rank < ranks; ++rank)
          right &= near(static_cast<double>(y[rank][i]), sum);
      }
      CHECK(right);
    }
  }
}

//===----------------------------------------------------------------------===//
// Mixture of experts
//===----------------------------------------------------------------------===//

namespace {

/// One size of it, on all ranks.
struct Moe {
  Moe(int ranks, int64_t tokens, int64_t h)
      : ranks(ranks), tokens(tokens), h(h),
        group(ranks, {2 * static_cast<uint32_t>(ranks)}), x(group, tokens * h),
        gates(group, tokens * moeChoices), w(group, moeExperts * h * h),
        y(group, tokens * h), table(group, 8 * moeRows * moeChoices),
        positions(group, tokens * moeChoices),
        counts(group, ranks * moeExperts), sent(group, ranks * moeExperts),
        received(group, ranks * moeExperts * moeCapacity * h),
        results(group, ranks * moeExperts * moeCapacity * h),
        returned(group, ranks * moeExperts * moeCapacity * h) {
    for (const Buffers *buffers :
         {&x.buffers, &counts.buffers, &received.buffers, &results.buffers,
          &returned.buffers, &sent.buffers})
      group.add(*buffers);
  }

  void draw(std::mt19937 &random);
  ginResult_t run();
  void check();

  int ranks;
  int64_t tokens, h;
  Group group;
  Arrays<float> x, gates, w, y;
  Arrays<int32_t> table, positions, counts, sent;
  Arrays<float> received, results, returned;
};

} // namespace

void Moe::draw(std::mt19937 &random) {
  x.draw(random);
  gates.draw(random);
  w.draw(random);
  // A few experts get more tokens than they have room for. Every rank has the
  // same table.
  const unsigned experts = static_cast<unsigned>(ranks * moeExperts);
  for (size_t i = 0; i < table[0].size(); i += moeChoices) {
    const unsigned one = random() % experts * (random() % 2),
                   step = 1 + random() % (experts - 1);
    table[0][i] = static_cast<int32_t>(one);
    table[0][i + 1] = static_cast<int32_t>((one + step) % experts);
  }
  for (int rank = 1; rank < ranks; ++rank)
    table[rank] = table[0];
  table.write();
}

ginResult_t Moe::run() {
  const ginResult_t result =
      group.launch(moe, 4, 64, 0, W{0}, table.pointer(), gates.pointer(),
                   w.pointer(), y.pointer(), positions.pointer(), W{1}, W{2},
                   W{3}, W{4}, W{5}, B{0}, tokens, h);
  return result != GIN_SUCCESS ? result : group.synchronize();
}

void Moe::check() {
  y.read();
  positions.read();
  counts.read();
  bool right = true;
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<int32_t> taken(static_cast<size_t>(ranks * moeExperts));
    const int64_t row = std::min(rank * tokens, moeRows - tokens);
    const int32_t *chosen = &table[rank][static_cast<size_t>(
        ((std::min(ranks, 8) - 1) * moeRows + row) * moeChoices)];
    for (int64_t t = 0; t < tokens; ++t) {
      std::vector<double> want(static_cast<size_t>(h));
      for (int64_t k = t * moeChoices; k < (t + 1) * moeChoices; ++k) {
        int32_t &place = taken[static_cast<size_t>(chosen[k])];
        const bool fits = place < moeCapacity;
        right &= positions[rank][static_cast<size_t>(k)] == (fits ? place : -1);
        if (!fits)
          continue;
        ++place;
        const float *matrix =
            &w[chosen[k] / moeExperts]
              [static_cast<size_t>(chosen[k] % moeExperts * h * h)];
        for (int64_t i = 0; i < h; ++i) {
          double sum = 0;
          for (int64_t j = 0; j < h; ++j)
            sum +=
                static_cast<double>(x[rank][static_cast<size_t>(t * h + j)]) *
                static_cast<double>(matrix[j * h + i]);
          want[static_cast<size_t>(i)] +=
              sum * static_cast<double>(gates[rank][static_cast<size_t>(k)]);
        }
      }
      for (int64_t i = 0; i < h; ++i)
        right &=
            near(static_cast<double>(y[rank][static_cast<size_t>(t * h + i)]),
                 want[static_cast<size_t>(i)]);
    }
    for (int expert = 0; expert < ranks * moeExperts; ++expert)
      right &= counts[expert / moeExperts][static_cast<size_t>(
                   rank * moeExperts + expert % moeExperts)] ==
               taken[static_cast<size_t>(expert)];
  }
  CHECK(right);
}

GIN_TEST(MoeByHand) {
  std::mt19937 random(3);
  for (auto [tokens, h] :
       {std::pair<int64_t, int64_t>{1, 3}, {24, 16}, {61, 7}}) {
    Moe moe(ranks, tokens, h);
    for (int launch = 0; launch < launches; ++launch) {
      moe.draw(random);
      CHECK_EQUAL(moe.run(), GIN_SUCCESS);
      moe.check();
    }
  }
}
