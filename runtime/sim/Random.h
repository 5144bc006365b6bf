//===- Random.h - the dice of a run -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_RANDOM_H
#define GINC_SIM_RANDOM_H

#include <cstdint>

namespace ginc::sim {

/// xoroshiro128++ (Blackman and Vigna): fast, and the same on every machine.
class Random {
public:
  explicit Random(uint64_t seed) {
    low = splitMix(seed);
    high = splitMix(seed);
  }

  uint64_t operator()() {
    uint64_t a = low, b = high;
    uint64_t result = rotate(a + b, 17) + a;
    b ^= a;
    low = rotate(a, 49) ^ b ^ (b << 21);
    high = rotate(b, 28);
    return result;
  }

  /// A number in [0, bound), bound > 0. The bias is below bound / 2^32.
  uint64_t below(uint64_t bound) {
    if (bound >> 32)
      return (*this)() % bound;
    return (((*this)() >> 32) * bound) >> 32;
  }

private:
  static uint64_t rotate(uint64_t x, int by) {
    return (x << by) | (x >> (64 - by));
  }
  static uint64_t splitMix(uint64_t &state) {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  uint64_t low, high;
};

} // namespace ginc::sim

#endif // GINC_SIM_RANDOM_H
