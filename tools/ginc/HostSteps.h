//===- HostSteps.h - what the host does between launches --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The memory model lets each rank's host read and write every window between
// launches, as soon as its own rank's launch has ended. A run does so, that
// programs which end too early, or begin too early, give wrong results.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_HOST_STEPS_H
#define GINC_TOOLS_GINC_HOST_STEPS_H

#include "Arguments.h"

#include "runtime/sim/Simulator.h"

#include <vector>

namespace ginc {

/// Invariant: `kept` has room for what peers can reach, for each rank, so that
/// the steps, which run on fibers, allocate nothing.
class HostSteps {
public:
  /// Throws std::bad_alloc. `barrier`: each launch enters through a barrier.
  HostSteps(llvm::ArrayRef<Argument> arguments, int64_t ranks, bool barrier);

  /// `launch` done `repeat` times, with the host's steps between and after.
  std::vector<sim::Step> around(const sim::Step &launch, int64_t repeat);
  /// After the run: windows hold what each rank's host found when its own last
  /// launch had ended.
  void restore();

private:
  void read(int64_t rank);
  void write(int64_t rank);

  struct Kept {
    const Argument *argument;
    std::vector<std::vector<char>> parts; ///< by rank
  };
  std::vector<Kept> kept;
  std::vector<const Argument *> poisoned; ///< between launches
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_HOST_STEPS_H
