//===- Channel.cpp - what an agent has under way to whom ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Channel.h"

#include <algorithm>

using namespace ginc::sim;

uint32_t ChannelTable::locate(int64_t peer, int64_t context) const {
  if (table.empty()) {
    for (size_t i = 0; i < entries.size(); ++i)
      if (is(entries[i], peer, context))
        return static_cast<uint32_t>(i);
    return none;
  }
  size_t mask = table.size() - 1;
  for (size_t at = hash(peer, context) & mask; table[at] != none;
       at = (at + 1) & mask)
    if (is(entries[table[at]], peer, context))
      return table[at];
  return none;
}

void ChannelTable::index(uint32_t place) {
  size_t mask = table.size() - 1;
  size_t at = hash(entries[place].peer, entries[place].context) & mask;
  while (table[at] != none)
    at = (at + 1) & mask;
  table[at] = place;
}

void ChannelTable::rehash() {
  table.assign(std::max<size_t>(32, table.size() * 2), none);
  for (uint32_t i = 0; i < entries.size(); ++i)
    index(i);
}

Channel &ChannelTable::find(int64_t peer, int64_t context) {
  uint32_t place = locate(peer, context);
  if (place == none) {
    place = static_cast<uint32_t>(entries.size());
    entries.push_back({peer, context, 0, 0});
    if (entries.size() > scanned && entries.size() * 2 > table.size())
      rehash();
    else if (!table.empty())
      index(place);
  }
  last = place;
  return entries[place];
}

void ChannelTable::clear() {
  entries.clear();
  table.clear();
  last = 0;
}

void ChannelTable::merge(const ChannelTable &other) {
  for (const Channel &entry : other) {
    Channel &own = at(entry.peer, entry.context);
    own.delivered = std::max(own.delivered, entry.delivered);
    own.arrived = std::max(own.arrived, entry.arrived);
  }
}
