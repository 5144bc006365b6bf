//===- Knowledge.h - which puts an agent can know of ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A network that does not promise cover through a third rank need not keep
// track of who knows of which put. For the test that shows that programs can
// tell (mutation `third-rank`), this keeps track.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_KNOWLEDGE_H
#define GINC_SIM_KNOWLEDGE_H

#include "runtime/sim/Time.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ginc::sim {

/// For each peer, when all puts to it that are known of are delivered. Empty
/// if nothing is known.
class Knowledge {
public:
  Time of(int64_t peer) const {
    size_t at = static_cast<size_t>(peer);
    return at < times.size() ? times[at] : 0;
  }
  void add(int64_t peer, Time delivered) {
    size_t at = static_cast<size_t>(peer);
    if (at >= times.size())
      times.resize(at + 1, 0);
    times[at] = std::max(times[at], delivered);
  }
  void add(const Knowledge &other) {
    for (size_t i = 0; i < other.times.size(); ++i)
      add(static_cast<int64_t>(i), other.times[i]);
  }
  void clear() { times.clear(); }

private:
  std::vector<Time> times;
};

} // namespace ginc::sim

#endif // GINC_SIM_KNOWLEDGE_H
