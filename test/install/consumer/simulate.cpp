//===- simulate.cpp - a program that embeds the simulator -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every simulated rank stores its number into its own part of a window.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/Simulator.h"

#include <cstdio>

int main() {
  using namespace ginc::sim;
  constexpr int64_t ranks = 3;

  Config config;
  config.ranks = ranks;
  Simulator simulator(config);

  WindowSpec spec;
  spec.name = "x";
  spec.shapes.assign(ranks, {1});
  gin_window_t *window = simulator.addWindow(spec);

  Step launch;
  launch.body = [&](int64_t rank) {
    *static_cast<int32_t *>(simulator.data(window, rank)) =
        static_cast<int32_t>(rank);
  };
  Outcome outcome = simulator.run({launch});
  if (outcome.status != Status::Ok) {
    std::fprintf(stderr, "%s\n", outcome.message.c_str());
    return 1;
  }

  int64_t sum = 0;
  for (int64_t rank = 0; rank < ranks; ++rank)
    sum += *static_cast<int32_t *>(simulator.data(window, rank));
  std::printf("sum of ranks: %lld\n", static_cast<long long>(sum));
  return sum == 3 ? 0 : 1;
}
