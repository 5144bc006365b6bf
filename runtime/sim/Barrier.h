//===- Barrier.h - who has entered a barrier --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_BARRIER_H
#define GINC_SIM_BARRIER_H

#include "runtime/sim/Knowledge.h"
#include "runtime/sim/Team.h"
#include "runtime/sim/Time.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ginc::sim {

/// The barriers of one group of a team.
///
/// A member that enters sends an arrival to each other member. When the
/// arrivals come is drawn at once, so only the latest at each member is kept: a
/// member passes when all have entered and the latest arrival is there.
///
/// Invariant: a member enters barrier n + 1 after it passed barrier n, hence
/// after all entered n. So two barriers at a time are enough, of even and of
/// odd number, as two sets of slots are on a real network.
struct BarrierGroup {
  struct Round {
    int64_t entered = 0;
    std::vector<Time> pass;        ///< by member: when it may go on
    std::vector<uint32_t> waiting; ///< by member: its agent's number plus 1
  };

  explicit BarrierGroup(int64_t size) : size(size) {
    number.resize(static_cast<size_t>(size));
    for (Round &round : rounds) {
      round.pass.resize(static_cast<size_t>(size));
      round.waiting.resize(static_cast<size_t>(size));
    }
  }

  int64_t size;
  std::vector<uint64_t> number; ///< by member: how many it has entered
  Round rounds[2];              ///< by parity of the number
  Knowledge knowledge;          ///< of all members (mutations only)
};

/// The barrier of a team: one for each of its groups, made when first used.
class TeamBarrier {
public:
  explicit TeamBarrier(const Team &team)
      : team(team), groups(static_cast<size_t>(team.groups())) {}

  BarrierGroup &group(int64_t index) {
    std::unique_ptr<BarrierGroup> &group = groups[static_cast<size_t>(index)];
    if (!group)
      group = std::make_unique<BarrierGroup>(team.sizeOf(index));
    return *group;
  }

private:
  const Team &team;
  std::vector<std::unique_ptr<BarrierGroup>> groups;
};

} // namespace ginc::sim

#endif // GINC_SIM_BARRIER_H
