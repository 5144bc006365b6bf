//===- SimulatorBench.cpp - how fast the simulator is ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// items_per_second counts puts, with all that belongs to them: issue, source
// read, delivery, bundled signal and its wait.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/Simulator.h"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstdlib>

using namespace ginc::sim;

namespace {

struct Memref {
  void *allocated, *aligned;
  int64_t offset, size, stride;
};

/// A simulator with a window of `size` f32 on each rank and a bank of `slots`.
struct Machine {
  Simulator simulator;
  int64_t ranks, size;
  gin_window_t *window;
  gin_bank_t *bank;

  Machine(const Config &config, int64_t size, int64_t slots)
      : simulator(config), ranks(config.ranks), size(size) {
    WindowSpec spec;
    spec.name = "w";
    spec.shapes.assign(static_cast<size_t>(ranks), {size});
    window = simulator.addWindow(spec);
    bank = simulator.addBank({"s", {slots}});
  }

  Memref part(int64_t rank) {
    return {window, simulator.data(window, rank), 0, size, 1};
  }

  /// Puts `count` elements from `from` to `to` of `peer`.
  void put(int64_t rank, int64_t peer, int64_t from, int64_t to, int64_t count,
           int64_t slot, int32_t flags = 0) {
    Memref whole = part(rank);
    Memref block = whole;
    block.offset = from;
    block.size = count;
    gin_place_t source = {&block, 1, nullptr};
    gin_place_t target = {&whole, 1, &to};
    gin_slot_t signal = {bank, 1, &slot};
    gin_put(nullptr, nullptr, peer, 0, &source, &target, GIN_F32, flags,
            &signal, 1);
  }

  void wait(int64_t slot, int64_t count) {
    gin_slot_t signal = {bank, 1, &slot};
    gin_wait(nullptr, &signal, count, -1, 1);
  }

  void run(std::function<void(int64_t)> body) {
    Step step;
    step.body = std::move(body);
    Outcome outcome = simulator.run({step});
    if (outcome.status != Status::Ok) {
      std::fprintf(stderr, "%s\n", outcome.message.c_str());
      std::abort();
    }
  }
};

Config hostile(int64_t ranks, uint64_t seed) {
  Config config;
  config.ranks = ranks;
  config.seed = seed;
  return config;
}

} // namespace

/// Each rank puts to its right neighbour and waits for its left one.
static void ringPutWait(benchmark::State &state) {
  int64_t ranks = state.range(0), rounds = 200000 / ranks;
  uint64_t seed = 0;
  for (auto _ : state) {
    Machine machine(hostile(ranks, seed++), 2, 1);
    machine.run([&](int64_t rank) {
      for (int64_t i = 0; i < rounds; ++i) {
        machine.put(rank, (rank + 1) % ranks, 0, 1, 1, 0);
        machine.wait(0, i + 1);
      }
    });
  }
  state.SetItemsProcessed(state.iterations() * ranks * rounds);
}
BENCHMARK(ringPutWait)->Arg(2)->Arg(8)->Arg(1000);

/// Each rank puts a row to every other, then waits for all rows.
static void allToAll(benchmark::State &state) {
  int64_t ranks = state.range(0);
  uint64_t seed = 0;
  for (auto _ : state) {
    Machine machine(hostile(ranks, seed++), ranks * 2, ranks);
    machine.run([&](int64_t rank) {
      for (int64_t peer = 0; peer < ranks; ++peer)
        machine.put(rank, peer, peer, ranks + rank, 1, rank);
      for (int64_t peer = 0; peer < ranks; ++peer)
        machine.wait(peer, 1);
    });
  }
  state.SetItemsProcessed(state.iterations() * ranks * ranks);
}
BENCHMARK(allToAll)->Arg(8)->Arg(64)->Arg(512);

/// A signal after each of 4096 puts that are all under way.
static void manyOutstanding(benchmark::State &state) {
  constexpr int64_t puts = 4096;
  uint64_t seed = 0;
  for (auto _ : state) {
    Machine machine(hostile(2, seed++), puts + 1, 1);
    machine.run([&](int64_t rank) {
      if (rank == 1)
        return machine.wait(0, puts);
      Memref whole = machine.part(0);
      Memref block = whole;
      block.size = 1;
      int64_t slot = 0;
      gin_slot_t signal = {machine.bank, 1, &slot};
      for (int64_t i = 1; i <= puts; ++i) {
        gin_place_t source = {&block, 1, nullptr};
        gin_place_t target = {&whole, 1, &i};
        gin_put(nullptr, nullptr, 1, 0, &source, &target, GIN_F32, 0, nullptr,
                0);
        gin_signal(nullptr, nullptr, 1, 0, &signal, 1, 0);
      }
    });
  }
  state.SetItemsProcessed(state.iterations() * puts);
}
BENCHMARK(manyOutstanding);

/// One rank puts megabytes to another.
static void bigPuts(benchmark::State &state) {
  int64_t count = state.range(0) / 4;
  constexpr int64_t puts = 16;
  uint64_t seed = 0;
  for (auto _ : state) {
    Machine machine(hostile(2, seed++), count, 1);
    machine.run([&](int64_t rank) {
      for (int64_t i = 0; i < puts; ++i) {
        if (rank == 0)
          machine.put(0, 1, 0, 0, count, 0);
        else
          machine.wait(0, i + 1);
      }
    });
  }
  state.SetItemsProcessed(state.iterations() * puts);
  state.SetBytesProcessed(state.iterations() * puts * count * 4);
}
BENCHMARK(bigPuts)->Arg(64 << 10)->Arg(1 << 20)->Arg(16 << 20);

/// Reduce-scatter, then all-gather, in place: 2 (N - 1) steps of one chunk.
static void ringAllReduce(benchmark::State &state) {
  int64_t ranks = state.range(0);
  uint64_t seed = 0;
  for (auto _ : state) {
    Machine machine(hostile(ranks, seed++), ranks, 2 * ranks - 2);
    machine.run([&](int64_t rank) {
      int64_t right = (rank + 1) % ranks;
      for (int64_t step = 0; step < 2 * ranks - 2; ++step) {
        int64_t chunk = ((rank - step) % ranks + ranks) % ranks;
        machine.put(rank, right, chunk, chunk, 1, step,
                    step < ranks - 1 ? GIN_PUT_ACCUMULATE : 0);
        machine.wait(step, 1);
      }
    });
  }
  state.SetItemsProcessed(state.iterations() * ranks * (2 * ranks - 2));
}
BENCHMARK(ringAllReduce)->Arg(8)->Arg(1000)->Unit(benchmark::kMillisecond);

/// Nothing but what a run costs: 2 ranks, one put.
static void smallRun(benchmark::State &state) {
  uint64_t seed = 0;
  for (auto _ : state) {
    Machine machine(hostile(2, seed++), 2, 1);
    machine.run([&](int64_t rank) {
      if (rank == 0)
        machine.put(0, 1, 0, 1, 1, 0);
      else
        machine.wait(0, 1);
    });
  }
}
BENCHMARK(smallRun);

BENCHMARK_MAIN();
