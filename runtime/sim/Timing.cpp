//===- Timing.cpp - how long things take ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Timing.h"

#include <algorithm>

using namespace ginc::sim;

// The latest delay is 2^30 ps, about a millisecond: far beyond what programs do
// in the meantime, and still below any sensible time-out.
static constexpr uint8_t powers = 30;

// A plausible machine: NVLink-like within an LSA team, a 400 Gbit/s network
// between them.
static constexpr Time calmStep = 20 * psPerNs;
static constexpr Time calmWake = 500 * psPerNs;
static constexpr Time lsaLatency = 1000 * psPerNs;
static constexpr Time netLatency = 3000 * psPerNs;
static constexpr Time lsaPsPerKiB = 1024 * 3;  // 333 GB/s
static constexpr Time netPsPerKiB = 1024 * 20; // 50 GB/s

Timing::Timing(const Config &config)
    : random(config.seed), network(config.network),
      lsaSize(config.lsaSize > 0 ? config.lsaSize : config.ranks),
      anything{0, powers, 16, 0}, latest{27, 3, 0, 0} {
  size_t ranks = static_cast<size_t>(config.ranks);
  if (calm()) {
    linkFree.assign(ranks, 0);
    return;
  }
  static constexpr unsigned chances[] = {0, 32, 128, 224, 256};
  torn = chances[random.below(5)];
  Range common[kinds];
  for (size_t kind = 0; kind < kinds; ++kind)
    common[kind] = drawRange(static_cast<Delay>(kind));
  // In some runs the ranks are alike, in others each has its own character.
  unsigned own = static_cast<unsigned>(random.below(3)) * 128;
  ranges.resize(ranks * kinds);
  for (size_t i = 0; i < ranges.size(); ++i)
    ranges[i] = random.below(256) < own
                    ? drawRange(static_cast<Delay>(i % kinds))
                    : common[i % kinds];
}

Timing::Range Timing::drawRange(Delay kind) {
  static constexpr Range prompt{0, 8, 224, 0}, quick{0, 16, 64, 0},
      middle{10, 12, 16, 0}, late{20, 10, 8, 0}, wide{0, powers, 32, 0},
      last{27, 3, 4, 0};
  // An agent is mostly prompt, so that the network has a chance to be late.
  static constexpr Range ofAgents[] = {prompt, prompt, quick, quick,
                                       middle, wide,   late};
  static constexpr Range ofNetwork[] = {prompt, prompt, quick, middle,
                                        late,   wide,   wide,  last};
  if (kind == Delay::Access) {
    // Element accesses come by the million, most of them at no time.
    Range range = ofAgents[random.below(std::size(ofAgents))];
    range.none = static_cast<uint8_t>(std::max<int>(range.none, 224));
    return range;
  }
  if (kind <= Delay::Fork)
    return ofAgents[random.below(std::size(ofAgents))];
  // Stragglers, even among what is prompt.
  static constexpr uint8_t stragglers[] = {0, 0, 16, 96};
  Range range = ofNetwork[random.below(std::size(ofNetwork))];
  range.late = stragglers[random.below(std::size(stragglers))];
  return range;
}

Time Timing::calmDelay(Delay kind) {
  switch (kind) {
  case Delay::Step:
  case Delay::Fork:
  case Delay::Launch:
    return calmStep;
  case Delay::Access:
    return psPerNs;
  case Delay::Wake:
    return calmWake;
  case Delay::Barrier:
    return netLatency;
  default:
    return 0;
  }
}

Timing::Transit Timing::calmTransit(int64_t rank, int64_t peer, uint64_t bytes,
                                    Time now) {
  bool near = rank / lsaSize == peer / lsaSize;
  Time &link = linkFree[static_cast<size_t>(rank)];
  Time perKiB = near ? lsaPsPerKiB : netPsPerKiB;
  link = std::max(link, now) + bytes * perKiB / 1024;
  return {link, link + (near ? lsaLatency : netLatency)};
}
