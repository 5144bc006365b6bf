//===- Access.cpp - late loads and stores ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Accumulate.h"
#include "runtime/sim/Engine.h"

#include <algorithm>
#include <cstring>

using namespace ginc::sim;

/// Pending accesses of one agent: past this many the oldest is performed.
static constexpr size_t maxPending = 64;

static bool touches(const Access &access, const char *address, uint64_t bytes) {
  return access.address < address + bytes &&
         address < access.address + access.bytes;
}

/// Calls visit(access) for what is pending of `agent` and of its ancestors
/// before their forks, latest first.
template <typename Visit>
static void eachPending(Pool<Access> &accesses, const Agent &agent,
                        Visit visit) {
  for (const Agent *one = &agent; one; one = one->parent)
    for (size_t i = one->pending.size(); i-- > 0;)
      if (Access &access = accesses[one->pending[i]]; !access.performed)
        visit(one->pending[i], access);
}

static uint64_t loadBytes(const char *address, unsigned bytes) {
  uint64_t value = 0;
  std::memcpy(&value, address, bytes);
  return value;
}

uint32_t Engine::newAccess(char *address, unsigned bytes, bool load,
                           uint64_t value) {
  uint32_t id = accesses.take();
  Access &access = accesses[id];
  access.address = address;
  access.value = value;
  access.time = now;
  access.uses = 0;
  access.bytes = static_cast<uint8_t>(bytes);
  access.addType = -1;
  access.load = load;
  access.performed = false;
  return id;
}

void Engine::release(uint32_t id) {
  Access &access = accesses[id];
  if (--access.uses > 0)
    return;
  for (uint32_t forward : access.forwards)
    release(forward);
  access.forwards.clear();
  accesses.give(id);
}

void Engine::perform(Access &access) {
  if (access.performed)
    return;
  access.performed = true;
  if (access.addType >= 0) {
    for (size_t i = access.forwards.size(); i-- > 0;)
      perform(accesses[access.forwards[i]]);
    addElements(access.addType, access.address, &access.value, 1);
    return;
  }
  if (!access.load) {
    std::memcpy(access.address, &access.value, access.bytes);
    return;
  }
  for (uint32_t forward : access.forwards)
    if (Access &other = accesses[forward]; other.addType >= 0) {
      perform(other);
    } else if (!other.performed) {
      access.value = other.value;
      return;
    }
  access.value = loadBytes(access.address, access.bytes);
}

/// Forgets what was performed.
void Engine::compact(Agent &agent) {
  size_t kept = 0;
  for (uint32_t id : agent.pending)
    if (accesses[id].performed)
      release(id);
    else
      agent.pending[kept++] = id;
  agent.pending.resize(kept);
}

/// When all that is pending in these bytes has been performed; 0 if nothing is.
Time Engine::sameCell(const Agent &agent, const char *address,
                      uint64_t bytes) const {
  Time latest = 0;
  eachPending(const_cast<Pool<Access> &>(accesses), agent,
              [&](uint32_t, const Access &access) {
                if (touches(access, address, bytes))
                  latest = std::max(latest, access.time);
              });
  return latest;
}

Time Engine::pendingMax(const Agent &agent, bool loads, bool stores) const {
  Time latest = 0;
  eachPending(const_cast<Pool<Access> &>(accesses), agent,
              [&](uint32_t, const Access &access) {
                if (access.load ? loads : stores)
                  latest = std::max(latest, access.time);
              });
  return latest;
}

/// Performs what is pending in these bytes now, in program order.
void Engine::force(Agent &agent, const char *address, uint64_t bytes) {
  if (agent.parent)
    force(*agent.parent, address, bytes);
  for (uint32_t id : agent.pending)
    if (touches(accesses[id], address, bytes))
      perform(accesses[id]);
}

void Engine::drainAll(Agent &agent) {
  if (agent.parent)
    drainAll(*agent.parent);
  for (uint32_t id : agent.pending)
    perform(accesses[id]);
  compact(agent);
}

void Engine::drain() { drainAll(*current); }

/// Performs `access` at `time`, at once if that is now.
void Engine::schedule(Agent &agent, uint32_t id, Time time) {
  Access &access = accesses[id];
  access.time = time;
  if (time == now) {
    perform(access);
    return;
  }
  access.uses += 2;
  heap.push(time, EventKind::Access, id);
  agent.pending.push_back(id);
  if (agent.pending.size() <= maxPending)
    return;
  compact(agent);
  if (agent.pending.size() <= maxPending)
    return;
  const Access &oldest = accesses[agent.pending.front()];
  force(agent, oldest.address, oldest.bytes);
}

/// Stands before each load and store: mostly they take no time.
void Engine::beginAccess() {
  spins = 0;
  if (off(Rule::Fork))
    collectGhosts(*current);
  if (Time pause = timing.draw(Delay::Access, current->rank))
    advance(now + pause);
}

int64_t Engine::loadBegin(const gin_site_t *site, const gin_window *window,
                          const void *address, int32_t bits) {
  beginAccess();
  Agent &self = *current;
  unsigned bytes = static_cast<unsigned>(bits) / 8;
  elementOwner(site, window, address, bytes, RemoteRead, "the load");
  if (config.stats)
    ++stats[static_cast<size_t>(self.rank)].loads;
  char *place = static_cast<char *>(const_cast<void *>(address));
  uint32_t id = newAccess(place, bytes, true, 0);
  Access &access = accesses[id];
  access.uses = 1; // the caller's
  Time delay = off(Rule::LateLoad) ? 0 : timing.draw(Delay::Load, self.rank);
  Time time = now + delay;
  bool added = false;
  eachPending(accesses, self, [&](uint32_t store, Access &other) {
    if (added || other.load || !touches(other, place, bytes))
      return;
    ++other.uses;
    access.forwards.push_back(store);
    added = other.addType >= 0;
    if (added)
      time = after(time, other.time);
  });
  schedule(self, id, time);
  return static_cast<int64_t>(id) + 1;
}

uint64_t Engine::loadEnd(int64_t load) {
  uint32_t id = static_cast<uint32_t>(load - 1);
  if (load < 1 || load > accesses.size() || !accesses[id].load ||
      accesses[id].uses == 0)
    fail(nullptr, "a load ends that did not begin");
  // The value is needed: as on a machine, the agent may have to wait for it.
  if (Time time = accesses[id].time; !accesses[id].performed && time > now)
    if ((timing.random() & 1) == 0)
      advance(time);
  Access &access = accesses[id];
  perform(access);
  uint64_t value = access.value;
  release(id);
  return value;
}

/// Lets others see a store or an addition, at some time after what is pending
/// in its cell.
void Engine::writeLate(Agent &agent, uint32_t id) {
  Access &access = accesses[id];
  Time delay = off(Rule::LateStore) ? 0 : timing.draw(Delay::Store, agent.rank);
  Time time = now + delay;
  if (Time before = sameCell(agent, access.address, access.bytes))
    time = after(time, before);
  access.uses = 1;
  schedule(agent, id, time);
  release(id);
  if (off(Rule::LateStore))
    advance(time + 1);
}

void Engine::store(const gin_site_t *site, const gin_window *window,
                   void *address, uint64_t value, int32_t bits) {
  beginAccess();
  Agent &self = *current;
  unsigned bytes = static_cast<unsigned>(bits) / 8;
  elementOwner(site, window, address, bytes, RemoteWrite, "the store");
  if (config.stats)
    ++stats[static_cast<size_t>(self.rank)].stores;
  char *place = static_cast<char *>(address);
  if (off(Rule::ReadIssue))
    storedValues.push_back(
        {place, value, static_cast<uint8_t>(bytes), self.id});
  uint32_t id = newAccess(place, bytes, false, value);
  writeLate(self, id);
}

/// The size of an element that `window` allows to be added to.
unsigned Engine::addedBytes(const gin_site_t *site, const gin_window *window,
                            const void *address, int32_t type) {
  unsigned bytes = bytesOfType(type);
  if (bytes == 0)
    fail(site, "unknown element type " + std::to_string(type));
  elementOwner(site, window, address, bytes, RemoteAtomic,
               "the atomic addition");
  return bytes;
}

void Engine::localAdd(const gin_site_t *site, const gin_window *window,
                      void *address, uint64_t value, int32_t type) {
  beginAccess();
  Agent &self = *current;
  unsigned bytes = addedBytes(site, window, address, type);
  char *place = static_cast<char *>(address);
  uint32_t id = newAccess(place, bytes, false, value);
  Access &access = accesses[id];
  access.addType = static_cast<int8_t>(type);
  eachPending(accesses, self, [&](uint32_t earlier, Access &other) {
    if (!touches(other, place, bytes))
      return;
    ++other.uses;
    access.forwards.push_back(earlier);
  });
  writeLate(self, id);
}

uint64_t Engine::localFetchAdd(const gin_site_t *site, const gin_window *window,
                               void *address, uint64_t value, int32_t type) {
  begin();
  Agent &self = *current;
  unsigned bytes = addedBytes(site, window, address, type);
  char *place = static_cast<char *>(address);
  force(self, place, bytes);
  uint64_t old = loadBytes(place, bytes);
  addElements(type, place, &value, 1);
  return old;
}
