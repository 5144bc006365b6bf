//===- Signals.h - banks of counts ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_SIGNALS_H
#define GINC_SIM_SIGNALS_H

#include "runtime/sim/Simulator.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace ginc::sim {

/// A slot of one rank. Only ever grows.
///
/// Invariant: between launches of its rank, `waited` is 0 and nobody waits.
struct Slot {
  uint64_t value;  ///< weight of all arrivals, modulo 2^64
  uint64_t base;   ///< what launches that have ended waited for
  uint64_t waited; ///< largest count waited for in this launch
  // Who waits, in a line through Agent::nextWaiter, by target: numbers plus 1;
  // 0: nobody.
  uint32_t firstWaiter, lastWaiter;
  const gin_site_t *lastSender; ///< what added last

  /// How much has arrived above the base.
  int64_t above() const { return static_cast<int64_t>(value - base); }
};

struct FreeMemory {
  void operator()(void *memory) const { std::free(memory); }
};

} // namespace ginc::sim

/// A bank of signals: the same slots on each rank.
struct gin_bank {
  /// Throws std::bad_alloc.
  gin_bank(ginc::sim::BankSpec spec, int64_t ranks, uint32_t id);

  ginc::sim::Slot &slot(int64_t rank, uint64_t index) {
    return memory.get()[static_cast<uint64_t>(rank) * slots + index];
  }
  /// E.g. "s[2][0]", or "s" for a bank without dimensions.
  std::string slotText(uint64_t index) const;

  std::string name;
  std::vector<int64_t> extents;
  uint64_t slots = 1; ///< of one rank
  uint32_t id;

private:
  // Zeros that cost nothing until they are touched: most slots of a large bank
  // are used by few ranks.
  std::unique_ptr<ginc::sim::Slot, ginc::sim::FreeMemory> memory;
};

#endif // GINC_SIM_SIGNALS_H
