//===- Timing.h - how long things take --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_TIMING_H
#define GINC_SIM_TIMING_H

#include "runtime/sim/Random.h"
#include "runtime/sim/Simulator.h"
#include "runtime/sim/Time.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ginc::sim {

/// The delays that make up a run.
enum class Delay : uint8_t {
  Step,     ///< of an agent, before each of its operations
  Access,   ///< the same before a load or store of one element
  Launch,   ///< of a rank, before each of its steps
  Wake,     ///< from the arrival that satisfies a wait to the agent going on
  Fork,     ///< from the fork to a child's first operation
  Read,     ///< from the issue of a put to a source read
  Deliver,  ///< from there to the delivery of what was read
  Done,     ///< from the last source read to local completion
  Arrive,   ///< from the delivery of a put to its bundled signal
  Signal,   ///< from the issue of a signal, or the last that it covers, on
  GetRead,  ///< from the issue of a get to a remote read
  GetWrite, ///< from there to the write
  GetDone,  ///< from the last write to local completion
  Store,    ///< from a store to its being visible
  Load,     ///< from the issue of a load to its being performed
  Barrier,  ///< from entering a barrier to the arrival at a member
  Count
};

/// Draws delays.
///
/// On a hostile network a delay is drawn evenly on a logarithmic scale from a
/// range of powers of two. Which range a kind of delay has on a rank is drawn
/// from the seed, once for a run: so one run has prompt signals and very late
/// source reads, and the next the opposite. Now and then a delay ignores its
/// range, so that every order of events has a positive probability in each run.
class Timing {
public:
  explicit Timing(const Config &config);

  bool calm() const { return network == Network::Calm; }

  Time draw(Delay kind, int64_t rank) {
    if (calm())
      return calmDelay(kind);
    const Range &own =
        ranges[static_cast<size_t>(rank) * kinds + static_cast<size_t>(kind)];
    uint64_t r = random();
    Range range = own;
    if ((r & 15) == 0)
      range = anything;
    else if (((r >> 56) & 0xff) < own.late)
      range = latest;
    if (((r >> 4) & 0xff) < range.none)
      return 0;
    unsigned exponent = range.low + ((((r >> 12) & 0x3fff) * range.span) >> 14);
    uint64_t power = uint64_t(1) << exponent;
    return power + ((r >> 26) & (power - 1));
  }

  /// A delay from the widest range, whatever the kind's own range is.
  Time drawAnything() {
    uint64_t r = random();
    uint64_t power = uint64_t(1) << (((r & 0xffff) * anything.span) >> 16);
    return power + ((r >> 16) & (power - 1));
  }

  /// How likely puts are torn in this run, of 256.
  unsigned tornChance() const { return torn; }

  /// On a calm network, when a transfer of `bytes` has left `rank` for `peer`,
  /// which frees its source, and when it is there. The link of a rank takes one
  /// transfer after the other.
  struct Transit {
    Time left, there;
  };
  Transit calmTransit(int64_t rank, int64_t peer, uint64_t bytes, Time now);

  Random random;

private:
  struct Range {
    uint8_t low = 0;  ///< of the power of two, in picoseconds
    uint8_t span = 1; ///< number of powers from there
    uint8_t none = 0; ///< chance of no delay at all, of 256
    uint8_t late = 0; ///< chance of the latest range instead, of 256
  };
  static constexpr size_t kinds = static_cast<size_t>(Delay::Count);

  static Time calmDelay(Delay kind);
  Range drawRange(Delay kind);

  Network network;
  int64_t lsaSize;
  Range anything, latest;
  unsigned torn = 0;
  std::vector<Range> ranges;  ///< by rank and kind
  std::vector<Time> linkFree; ///< by rank, on a calm network
};

} // namespace ginc::sim

#endif // GINC_SIM_TIMING_H
