//===- Channel.h - what an agent has under way to whom ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_CHANNEL_H
#define GINC_SIM_CHANNEL_H

#include "runtime/sim/Time.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ginc::sim {

/// The puts of one agent to one peer on one context, in this launch.
///
/// When a put is issued, the times of all its events are drawn, so they are
/// known from then on. What a plain signal waits for is therefore one number
/// for each channel, the time of the latest delivery so far, however many puts
/// are under way.
struct Channel {
  int64_t peer;
  int64_t context;
  Time delivered; ///< when everything put so far is there
  Time arrived;   ///< when all signals sent so far have arrived
};

/// The channels of an agent, found by peer and context.
class ChannelTable {
public:
  Channel &at(int64_t peer, int64_t context) {
    if (last < entries.size() && is(entries[last], peer, context))
      return entries[last];
    return find(peer, context);
  }
  /// Null if nothing was sent there yet.
  const Channel *get(int64_t peer, int64_t context) const {
    if (last < entries.size() && is(entries[last], peer, context))
      return &entries[last];
    uint32_t place = locate(peer, context);
    return place == none ? nullptr : &entries[place];
  }

  bool empty() const { return entries.empty(); }
  std::vector<Channel>::const_iterator begin() const { return entries.begin(); }
  std::vector<Channel>::const_iterator end() const { return entries.end(); }

  void clear();
  /// Takes over what `other` has under way (a joined child's).
  void merge(const ChannelTable &other);

private:
  static constexpr uint32_t none = UINT32_MAX;
  static constexpr size_t scanned = 8; ///< up to here a search is a scan

  static bool is(const Channel &entry, int64_t peer, int64_t context) {
    return entry.peer == peer && entry.context == context;
  }
  static size_t hash(int64_t peer, int64_t context) {
    uint64_t key = static_cast<uint64_t>(peer) * 0x9e3779b97f4a7c15 +
                   static_cast<uint64_t>(context);
    return static_cast<size_t>(key * 0x94d049bb133111eb >> 32);
  }
  uint32_t locate(int64_t peer, int64_t context) const;
  Channel &find(int64_t peer, int64_t context);
  void index(uint32_t place);
  void rehash();

  std::vector<Channel> entries;
  std::vector<uint32_t> table; ///< open addressing; empty while scanning does
  size_t last = 0;
};

} // namespace ginc::sim

#endif // GINC_SIM_CHANNEL_H
