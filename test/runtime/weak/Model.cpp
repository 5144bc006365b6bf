//===- Model.cpp - weak memory, explored ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/runtime/weak/Model.h"

#include <algorithm>
#include <cstring>

using namespace ginweak;

static void joinEach(std::vector<uint32_t> &into,
                     const std::vector<uint32_t> &from) {
  if (into.size() < from.size())
    into.resize(from.size());
  for (size_t i = 0; i < from.size(); ++i)
    into[i] = std::max(into[i], from[i]);
}

void Knowledge::join(const Knowledge &other) {
  joinEach(clocks, other.clocks);
  joinEach(views, other.views);
}

static bool acquires(Order order) {
  return order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST || order == __ATOMIC_CONSUME;
}
static bool releases(Order order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}

Model::Model(unsigned count, uint64_t seed, Rule off)
    : random(seed), off(off), agents(count) {
  for (unsigned i = 0; i < count; ++i) {
    agents[i].now.clocks.resize(count);
    agents[i].now.clocks[i] = 1;
  }
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

/// Notes an access, and whether one of another agent, which this agent does not
/// know of, races with it.
void Model::check(unsigned agent, const void *address, size_t size, bool store,
                  bool atomic) {
  const std::vector<uint32_t> &known = agents[agent].now.clocks;
  auto unknown = [&](const std::vector<uint32_t> &accesses) {
    for (size_t i = 0; i < accesses.size(); ++i)
      if (i != agent && accesses[i] > known[i])
        return true;
    return false;
  };
  for (size_t i = 0; i < size; ++i) {
    Byte &byte = bytes[reinterpret_cast<uintptr_t>(address) + i];
    if (byte.reads.empty())
      byte.reads = byte.writes = byte.atomicReads = byte.atomicWrites =
          std::vector<uint32_t>(agents.size());
    bool races = unknown(byte.writes);
    if (store)
      races |= unknown(byte.reads);
    if (!atomic)
      races |=
          unknown(byte.atomicWrites) || (store && unknown(byte.atomicReads));
    if (races && race.empty())
      race = std::string("race: agent ") + std::to_string(agent) +
             (atomic ? " atomically" : "") + (store ? " stores" : " loads");
    std::vector<uint32_t> &mine =
        atomic ? (store ? byte.atomicWrites : byte.atomicReads)
               : (store ? byte.writes : byte.reads);
    mine[agent] = known[agent];
  }
}

void Model::read(unsigned agent, const void *address, size_t size) {
  check(agent, address, size, false, false);
}

void Model::write(unsigned agent, const void *address, size_t size) {
  check(agent, address, size, true, false);
  auto found = locations.find(reinterpret_cast<uintptr_t>(address));
  if (found == locations.end())
    return;
  // The value comes after this: it is read when somebody looks.
  found->second.outdated = true;
  found->second.writer = agents[agent].now;
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

Model::Location &Model::locate(const void *address, size_t size) {
  auto [found, fresh] =
      locations.try_emplace(reinterpret_cast<uintptr_t>(address));
  Location &location = found->second;
  if (fresh)
    location.index = locations.size() - 1;
  if (fresh || location.outdated) {
    Message message{0, std::move(location.writer)};
    std::memcpy(&message.value, address, size);
    // Whoever does not know of an ordinary store races with it.
    location.messages.assign(location.messages.size() + 1, message);
    location.outdated = false;
    for (Agent &agent : agents) {
      joinEach(agent.now.views, std::vector<uint32_t>(location.index + 1, 0));
      agent.now.views[location.index] =
          static_cast<uint32_t>(location.messages.size() - 1);
    }
  }
  return location;
}

/// What comes with a value that an agent has loaded.
void Model::learn(unsigned agent, const Location &location, size_t index,
                  Order order) {
  Agent &self = agents[agent];
  if (self.now.views.size() <= location.index)
    self.now.views.resize(location.index + 1);
  self.now.views[location.index] = static_cast<uint32_t>(index);
  const Knowledge &known = location.messages[index].known;
  if (acquires(order) && off != Rule::AcquireLoad)
    self.now.join(known);
  else
    self.unacquired.join(known);
}

uint64_t Model::load(unsigned agent, const void *address, size_t size,
                     Order order) {
  check(agent, address, size, false, true);
  const Location &location = locate(address, size);
  const std::vector<uint32_t> &views = agents[agent].now.views;
  const size_t first =
      location.index < views.size() ? views[location.index] : 0;
  const size_t count = location.messages.size() - first;
  // Often the newest: polls shall come to an end.
  size_t index = location.messages.size() - 1;
  if (count > 1 && random() % 2)
    index = first + random() % count;
  learn(agent, location, index, order);
  return location.messages[index].value;
}

uint64_t Model::last(unsigned agent, const void *address, size_t size) {
  check(agent, address, size, true, true);
  return locate(address, size).messages.back().value;
}

void Model::learnLast(unsigned agent, const void *address, Order order) {
  const Location &location = locations.at(reinterpret_cast<uintptr_t>(address));
  learn(agent, location, location.messages.size() - 1, order);
}

void Model::append(unsigned agent, void *address, size_t size, uint64_t value,
                   Order order, bool add) {
  if (add)
    learnLast(agent, address, order);
  Location &location = locations.at(reinterpret_cast<uintptr_t>(address));
  Agent &self = agents[agent];
  const bool weakened = off == (add ? Rule::ReleaseAdd : Rule::ReleaseStore);
  Message message{value,
                  releases(order) && !weakened ? self.now : self.released};
  // An addition passes on what came with the value that it adds to.
  if (add)
    message.known.join(location.messages.back().known);
  if (self.now.views.size() <= location.index)
    self.now.views.resize(location.index + 1);
  self.now.views[location.index] =
      static_cast<uint32_t>(location.messages.size());
  joinEach(message.known.views, std::vector<uint32_t>(location.index + 1, 0));
  message.known.views[location.index] =
      static_cast<uint32_t>(location.messages.size());
  location.messages.push_back(std::move(message));
  // What follows is not part of what was released.
  ++self.now.clocks[agent];
  std::memcpy(address, &value, size);
}

void Model::store(unsigned agent, void *address, size_t size, uint64_t value,
                  Order order) {
  check(agent, address, size, true, true);
  locate(address, size);
  append(agent, address, size, value, order, false);
}

void Model::fence(unsigned agent, Order order) {
  if (off == Rule::Fence)
    return;
  Agent &self = agents[agent];
  if (acquires(order))
    self.now.join(self.unacquired);
  if (releases(order)) {
    self.released = self.now;
    ++self.now.clocks[agent];
  }
}

//===----------------------------------------------------------------------===//
// Agents
//===----------------------------------------------------------------------===//

void Model::meet(const std::vector<unsigned> &group) {
  Knowledge all;
  for (unsigned agent : group)
    all.join(agents[agent].now);
  for (unsigned agent : group) {
    agents[agent].now.join(all);
    ++agents[agent].now.clocks[agent];
  }
}

void Model::inherit(const std::vector<unsigned> &from, unsigned to) {
  for (unsigned agent : from) {
    agents[to].now.join(agents[agent].now);
    ++agents[agent].now.clocks[agent];
  }
}
