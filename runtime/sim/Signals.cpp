//===- Signals.cpp - signals and waits ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Engine.h"
#include "runtime/sim/Trace.h"

#include <algorithm>
#include <new>

using namespace ginc::sim;

gin_bank::gin_bank(BankSpec spec, int64_t ranks, uint32_t id)
    : name(std::move(spec.name)), extents(std::move(spec.extents)), id(id) {
  uint64_t all;
  for (int64_t extent : extents)
    if (extent < 0 ||
        __builtin_mul_overflow(slots, static_cast<uint64_t>(extent), &slots))
      throw std::bad_alloc();
  if (__builtin_mul_overflow(slots, static_cast<uint64_t>(ranks), &all) ||
      all > (uint64_t(1) << 40))
    throw std::bad_alloc();
  memory.reset(static_cast<Slot *>(
      std::calloc(std::max<uint64_t>(all, 1), sizeof(Slot))));
  if (!memory)
    throw std::bad_alloc();
}

std::string gin_bank::slotText(uint64_t index) const {
  std::string text;
  for (size_t i = extents.size(); i-- > 0;) {
    uint64_t extent = static_cast<uint64_t>(extents[i]);
    text = "[" + std::to_string(index % extent) + "]" + text;
    index /= extent;
  }
  return name + text;
}

//===----------------------------------------------------------------------===//
// Arrivals
//===----------------------------------------------------------------------===//

void Engine::fillArrival(Arrival &arrival, const gin_site_t *site, Slot &slot,
                         int64_t rank, int64_t weight) {
  arrival.slot = &slot;
  arrival.weight = static_cast<uint64_t>(weight);
  arrival.site = site;
  arrival.flow = 0;
  arrival.rank = static_cast<int32_t>(rank);
  arrival.source = static_cast<int32_t>(current->rank);
  arrival.launch = static_cast<uint32_t>(launch());
#ifdef GINC_SIM_MUTATIONS
  if (off(Rule::ThirdRank))
    arrival.knowledge = current->told;
#endif
}

/// Lets a signal arrive at `time`, at once if that is now.
void Engine::send(const Arrival &arrival, Time time) {
  uint32_t id = arrivals.take();
  arrivals[id] = arrival;
  if (time > now) {
    heap.push(time, EventKind::Arrival, id);
    return;
  }
  arrive(arrivals[id]);
  arrivals.give(id);
}

void Engine::arrive(Arrival &arrival) {
  Slot &slot = *arrival.slot;
#ifdef GINC_SIM_MUTATIONS
  if (off(Rule::EarlyArrival)) {
    Rank &rank = ranks[static_cast<size_t>(arrival.rank)];
    if (rank.launch < arrival.launch) {
      rank.early.push_back(arrival);
      return;
    }
  }
  if (off(Rule::ThirdRank))
    slotKnowledge[&slot].add(arrival.knowledge);
#endif
  slot.value += arrival.weight;
  slot.lastSender = arrival.site;
  spins = 0;
  Agent *woken = nullptr;
  while (slot.firstWaiter) {
    Agent &agent = agents[slot.firstWaiter - 1];
    if (static_cast<int64_t>(slot.value - agent.target) < 0)
      break;
    leaveLine(slot, agent, 0);
    woken = &agent;
    wake(agent);
  }
  if (trace)
    trace->arrival(arrival.flow, arrival.rank, arrival.source, arrival.site,
                   now, woken ? &woken->lane : nullptr);
}

/// When all puts to `peer` on `context` that precede in program order are
/// there; 0 if there are none.
Time Engine::covered(Agent &agent, int64_t peer, int64_t context) {
  Time latest = 0;
  for (const Agent *one = &agent; one; one = one->parent) {
    if (off(Rule::Peer) || off(Rule::Context)) {
      for (const Channel &channel : one->channels)
        if ((channel.peer == peer || off(Rule::Peer)) &&
            (channel.context == context || off(Rule::Context)))
          latest = std::max(latest, channel.delivered);
    } else if (const Channel *channel = one->channels.get(peer, context)) {
      latest = std::max(latest, channel->delivered);
    }
    if (off(Rule::PlainFamily))
      break;
  }
  return latest;
}

void Engine::signal(const gin_site_t *site, const gin_team_t *description,
                    int64_t peerInTeam, int64_t context, const gin_slot_t &slot,
                    int64_t weight, bool relaxed) {
  Time begun = now;
  begin();
  Agent &self = *current;
  int64_t peer = worldRank(site, description, peerInTeam);
  checkWeight(site, weight);
  uint64_t index = slotIndex(site, slot);
  Traffic moved;
  moved.signals = 1;
  countTraffic(peer, moved);
  Time before = 0;
  if (!relaxed || off(Rule::Relaxed)) {
    if (!off(Rule::PlainPut))
      before = covered(self, peer, context);
    before = std::max(before, pendingMax(self, !off(Rule::PlainLoad),
                                         !off(Rule::PlainStore)));
  }
  if (off(Rule::SignalOrder))
    before = std::max(before, self.channels.at(peer, context).arrived);
  if (off(Rule::ThirdRank))
    before = std::max(before, self.known.of(peer));
  Time time =
      timing.calm() ? timing.calmTransit(self.rank, peer, 16, now).there : now;
  if (before)
    time = after(time, before);
  time += timing.draw(Delay::Signal, self.rank);
  if (off(Rule::SignalOrder))
    self.channels.at(peer, context).arrived = time;
  Arrival arrival;
  fillArrival(arrival, site, slot.bank->slot(peer, index), peer, weight);
  if (trace)
    arrival.flow = trace->send(self.lane, site, peer, begun, now);
  send(arrival, time);
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

/// Blocks until the slot's value is `target`, or for `timeout` (0: for ever).
/// Returns whether it is. The value is not yet `target`.
bool Engine::block(const gin_site_t *site, gin_bank *bank, uint64_t index,
                   uint64_t target, Time timeout) {
  Agent &self = *current;
  Agent &blocked = timeout ? self : waiter(self);
  blocked.site = site;
  blocked.bank = bank;
  blocked.slot = index;
  blocked.target = target;
  blocked.timedOut = false;
  blocked.state = Agent::State::Waits;
  Slot &slot = bank->slot(self.rank, index);
  enterLine(slot, blocked);
  if (timeout) {
    uint32_t id = timeouts.take();
    timeouts[id] = {blocked.id, blocked.wakeups};
    heap.push(now + timeout, EventKind::Timeout, id);
  }
  if (&blocked != &self)
    return true;
  Time begun = now;
  suspend();
  if (config.stats)
    stats[static_cast<size_t>(self.rank)].waitedNs += (now - begun) / psPerNs;
  if (trace)
    trace->wait(self.lane, site, begun, now);
  return !self.timedOut;
}

/// Puts `agent` into the line of `slot`: behind those with targets up to its
/// own, mostly at the end. Those of one target are woken in the order they
/// came.
void Engine::enterLine(Slot &slot, Agent &agent) {
  auto standsBefore = [&](uint32_t other) {
    return static_cast<int64_t>(agent.target - agents[other - 1].target) >= 0;
  };
  uint32_t before = 0;
  if (slot.lastWaiter && standsBefore(slot.lastWaiter))
    before = slot.lastWaiter;
  else
    for (uint32_t id = slot.firstWaiter; id && standsBefore(id);
         id = agents[id - 1].nextWaiter)
      before = id;
  uint32_t &link = before ? agents[before - 1].nextWaiter : slot.firstWaiter;
  agent.nextWaiter = link;
  link = agent.id + 1;
  if (!agent.nextWaiter)
    slot.lastWaiter = agent.id + 1;
}

/// Takes `agent` out of the line of `slot`, where `before` (0: nobody) stands
/// before it.
void Engine::leaveLine(Slot &slot, const Agent &agent, uint32_t before) {
  if (before)
    agents[before - 1].nextWaiter = agent.nextWaiter;
  else
    slot.firstWaiter = agent.nextWaiter;
  if (!agent.nextWaiter)
    slot.lastWaiter = before;
}

void Engine::timeOut(uint32_t id) {
  Timeout timeout = timeouts[id];
  timeouts.give(id);
  Agent &agent = agents[timeout.agent];
  if (agent.wakeups != timeout.wakeups || agent.state != Agent::State::Waits)
    return; // it has got what it waited for
  Slot &slot = agent.bank->slot(agent.rank, agent.slot);
  uint32_t before = 0;
  for (uint32_t id = slot.firstWaiter; id != agent.id + 1;
       id = agents[id - 1].nextWaiter)
    before = id;
  leaveLine(slot, agent, before);
  agent.timedOut = true;
  wake(agent);
}

/// Remembers that this launch waited for `count` on an own slot.
void Engine::count(Slot &slot, int64_t count) {
  if (count <= 0)
    return;
  if (slot.waited == 0)
    ranks[static_cast<size_t>(current->rank)].touched.push_back(&slot);
  slot.waited = std::max(slot.waited, static_cast<uint64_t>(count));
}

/// What the arrivals at a slot tell about puts (mutations only).
void Engine::learn(const Slot &slot) {
  if (!off(Rule::ThirdRank))
    return;
  auto found = slotKnowledge.find(&slot);
  if (found == slotKnowledge.end())
    return;
  current->known.add(found->second);
  current->told.add(found->second);
}

bool Engine::wait(const gin_site_t *site, const gin_slot_t &slot,
                  int64_t number, int64_t timeout, bool must) {
  begin();
  Agent &self = *current;
  uint64_t index = slotIndex(site, slot);
  gin_bank *bank = slot.bank;
  number = std::max<int64_t>(number, 0); // 0 or less never blocks
  Slot &own = bank->slot(self.rank, index);
  uint64_t target =
      (off(Rule::Base) ? 0 : own.base) + static_cast<uint64_t>(number);
  if (config.stats)
    ++stats[static_cast<size_t>(self.rank)].waits;
  if (static_cast<int64_t>(own.value - target) < 0 && !off(Rule::Wait)) {
    Time limit = 0;
    if (timeout >= 0)
      limit = std::max<Time>(1, static_cast<Time>(std::min<int64_t>(
                                    timeout, INT64_MAX / 2 / 1000)) *
                                    psPerNs);
    if (!block(site, bank, index, target, limit)) {
      if (must)
        fail(site, "timed out after " + std::to_string(timeout) +
                       " ns: " + bank->slotText(index) + " of rank " +
                       std::to_string(self.rank) + " has counted " +
                       std::to_string(own.above()) + " of " +
                       std::to_string(number));
      return false;
    }
  }
  count(own, number);
  learn(own);
  return true;
}

bool Engine::test(const gin_site_t *site, const gin_slot_t &slot,
                  int64_t number) {
  begin(true);
  uint64_t index = slotIndex(site, slot);
  number = std::max<int64_t>(number, 0);
  Slot &own = slot.bank->slot(current->rank, index);
  uint64_t base = off(Rule::Base) ? 0 : own.base;
  bool reached = static_cast<int64_t>(own.value - base -
                                      static_cast<uint64_t>(number)) >= 0;
  spin(site, slot, index, reached);
  if (reached) {
    count(own, number);
    learn(own);
  }
  return reached;
}

int64_t Engine::read(const gin_site_t *site, const gin_slot_t &slot) {
  begin(true);
  uint64_t index = slotIndex(site, slot);
  Slot &own = slot.bank->slot(current->rank, index);
  int64_t value =
      static_cast<int64_t>(own.value - (off(Rule::Base) ? 0 : own.base));
  spin(site, slot, index, false);
  count(own, value);
  if (value > 0)
    learn(own);
  return value;
}
