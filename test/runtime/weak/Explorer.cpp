//===- Explorer.cpp - small kernels under weak memory ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/runtime/weak/Explorer.h"

#include <algorithm>

using namespace ginweak;
using gin::threads::Meeting;
using gin::threads::Orders;

__thread gin::threads::Index threadIdx, blockIdx, blockDim, gridDim;

static Explorer *currentExplorer = nullptr;
static constexpr size_t stackBytes = size_t(64) << 10;
// Of hooks. Programs take some thousand.
static constexpr uint64_t maxSteps = 300000;

unsigned Explorer::count(const std::vector<std::vector<Launch>> &launches) {
  unsigned sum = 0;
  for (const std::vector<Launch> &rank : launches)
    for (const Launch &launch : rank)
      sum += launch.blocks * launch.threads;
  return sum;
}

Explorer::Explorer(std::vector<std::vector<Launch>> given, uint64_t seed,
                   Rule off)
    : launches(std::move(given)), model(count(launches), seed, off),
      live(launches.size()) {
  unsigned number = 0;
  agents.reserve(count(launches));
  for (unsigned rank = 0; rank < launches.size(); ++rank)
    for (unsigned launch = 0; launch < launches[rank].size(); ++launch) {
      const Launch &work = launches[rank][launch];
      for (unsigned i = 0; i < work.blocks * work.threads; ++i) {
        Agent agent{};
        agent.number = number++;
        agent.rank = rank;
        agent.launch = launch;
        agent.block = i / work.threads;
        agent.thread = i % work.threads;
        agent.work = &work;
        agents.push_back(std::move(agent));
      }
    }
}

Explorer::~Explorer() {
  for (Agent &agent : agents)
    if (agent.fiber)
      ginc::FiberPool::ofThread().give(std::move(agent.fiber));
}

Inside::Inside() : explorer(currentExplorer) { currentExplorer = nullptr; }
Inside::~Inside() { currentExplorer = explorer; }

//===----------------------------------------------------------------------===//
// Agents
//===----------------------------------------------------------------------===//

void Explorer::begin(unsigned rank, unsigned launch) {
  for (Agent &agent : agents)
    if (agent.rank == rank && agent.launch == launch) {
      agent.fiber = ginc::FiberPool::ofThread().take(stackBytes);
      live[rank].push_back(&agent);
    }
}

/// The next launch of the rank knows all of this one.
void Explorer::end(Agent &agent) {
  ginc::FiberPool::ofThread().give(std::move(agent.fiber));
  std::vector<Agent *> &here = live[agent.rank];
  here.erase(std::find(here.begin(), here.end(), &agent));
  for (Agent &later : agents)
    if (later.rank == agent.rank && later.launch > agent.launch)
      model.inherit({agent.number}, later.number);
  if (here.empty())
    begin(agent.rank, agent.launch + 1);
}

void Explorer::runAgent(void *argument) {
  Agent &agent = *static_cast<Agent *>(argument);
  agent.stack = static_cast<const char *>(__builtin_frame_address(0));
  agent.work->kernel();
  agent.ended = true;
}

std::string Explorer::run() {
  for (unsigned rank = 0; rank < launches.size(); ++rank)
    begin(rank, 0);
  for (;;) {
    std::vector<Agent *> ready;
    bool any = false;
    for (const std::vector<Agent *> &rank : live)
      for (Agent *agent : rank) {
        any = true;
        if (!agent->waits)
          ready.push_back(agent);
      }
    if (!any || !failure.empty() || !model.failure().empty())
      break;
    if (ready.empty() || steps > maxSteps) {
      failure = ready.empty() ? "all agents wait" : "no end";
      break;
    }
    running = ready[model.random() % ready.size()];
    currentExplorer = this;
    threadIdx = {running->thread, 0, 0};
    blockIdx = {running->block, 0, 0};
    blockDim = {running->work->threads, 1, 1};
    gridDim = {running->work->blocks, 1, 1};
    if (running->started)
      running->fiber->resume();
    else {
      running->started = true;
      running->fiber->start(runAgent, running);
    }
    currentExplorer = nullptr;
    if (running->ended)
      end(*running);
  }
  return failure.empty() ? model.failure() : failure;
}

void Explorer::claim(bool holds, const char *what) {
  if (!holds && failure.empty())
    failure = what;
}

/// Not for variables of the running kernel.
bool Explorer::concerns(const void *address) const {
  const char *place = static_cast<const char *>(address);
  return place > running->stack + 1024 || place < running->stack - stackBytes;
}

void Explorer::suspend() {
  running->fiber->suspend();
  currentExplorer = nullptr; // as before: this is inside
}

void Explorer::maybeChange(unsigned oneIn) {
  ++steps;
  if (model.random() % oneIn == 0)
    suspend();
}

void Explorer::yield() {
  ++steps;
  suspend();
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Explorer::wait() {
  running->waits = true;
  suspend();
}

/// The threads of a block or a warp that have not returned, this one included.
std::vector<Explorer::Agent *> Explorer::peersOf(const Agent &agent,
                                                 bool warp) {
  std::vector<Agent *> peers;
  for (Agent *other : live[agent.rank])
    if (!other->ended && other->block == agent.block &&
        (!warp || other->thread / 32 == agent.thread / 32))
      peers.push_back(other);
  return peers;
}

bool Explorer::syncBlock(bool value) {
  Agent &self = *running;
  self.barriers = 1;
  self.inWarp = false;
  self.value = value;
  const std::vector<Agent *> peers = peersOf(self, false);
  bool any = false;
  for (const Agent *peer : peers) {
    if (peer->barriers == 0 || peer->inWarp) {
      wait();
      return self.result;
    }
    any |= peer->value;
  }
  std::vector<unsigned> numbers;
  for (Agent *peer : peers) {
    peer->barriers = 0;
    peer->waits = false;
    peer->result = any;
    numbers.push_back(peer->number);
  }
  if (!model.isOff(Rule::BlockBarrier))
    model.meet(numbers);
  return any;
}

Meeting Explorer::meet(uint32_t mask, uint64_t value, unsigned from,
                       Orders orders) {
  Agent &self = *running;
  self.barriers = 1;
  self.inWarp = true;
  self.mask = mask | uint32_t(1) << lane();
  self.word = value;
  self.from = from;
  const std::vector<Agent *> peers = peersOf(self, true);
  std::vector<Agent *> lanes;
  for (Agent *peer : peers)
    if (self.mask >> peer->thread % 32 & 1) {
      if (peer->barriers == 0 || !peer->inWarp || peer->mask != self.mask) {
        wait();
        return self.met;
      }
      lanes.push_back(peer);
    }
  Meeting met{};
  std::vector<unsigned> numbers;
  for (const Agent *peer : lanes) {
    met.lanes |= uint32_t(1) << peer->thread % 32;
    met.votes |= uint32_t(peer->word != 0) << peer->thread % 32;
    numbers.push_back(peer->number);
  }
  for (Agent *peer : lanes) {
    peer->met = met;
    peer->met.value = peer->word;
    for (const Agent *source : lanes)
      if (source->thread % 32 == peer->from)
        peer->met.value = source->word;
    peer->barriers = 0;
    peer->waits = false;
  }
  if (orders == Orders::Memory)
    model.meet(numbers);
  return self.met;
}

// What HostThreads.h declares.
void gin::threads::yield() {
  Inside here;
  here.explorer->yield();
}
bool gin::threads::syncBlock(bool value) {
  Inside here;
  return here.explorer->syncBlock(value);
}
Meeting gin::threads::meet(uint32_t mask, uint64_t value, unsigned from,
                           Orders orders) {
  Inside here;
  return here.explorer->meet(mask, value, from, orders);
}
unsigned gin::threads::lane() { return Inside().explorer->lane(); }
void *gin::threads::dynamicMemory() { return nullptr; }
void gin::threads::fence() {
  Inside here;
  here.explorer->memory().fence(here.explorer->agent(), __ATOMIC_ACQ_REL);
}
uint64_t gin::threads::nanoseconds() { return Inside().explorer->time(); }

//===----------------------------------------------------------------------===//
// What the host runtime would make
//===----------------------------------------------------------------------===//

Machine::Machine(unsigned ranks, unsigned slots, size_t windowBytes)
    : programs(ranks), banks(ranks), windows(ranks), states(ranks),
      records(ranks), stops(ranks), aborts(ranks) {
  for (unsigned i = 0; i < ranks; ++i) {
    values.emplace_back(slots * gin::slotStride);
    bases.emplace_back(slots);
    counts.emplace_back(slots);
    barriers.emplace_back(size_t(2) * ranks * gin::slotStride);
    rounds.emplace_back(1);
    memory.emplace_back(windowBytes / 8);
    stops[i] = &states[i].stop;
  }
  for (unsigned i = 0; i < ranks; ++i) {
    gin::State &state = states[i];
    state.slots = slots;
    state.rank = static_cast<int32_t>(i);
    state.ranks = static_cast<int32_t>(ranks);
    state.bases = bases[i].data();
    state.counts = counts[i].data();
    state.rounds = rounds[i].data();
    state.record = &records[i];
    state.abort = &aborts[i];
    state.stops = stops.data();
    programs[i].rank = state.rank;
    programs[i].ranks = state.ranks;
    programs[i].state = &state;
    programs[i].teams = 1;
    banks[i].values = values[i].data();
    banks[i].bases = bases[i].data();
    banks[i].counts = counts[i].data();
    banks[i].slots = slots;
    windows[i].base = reinterpret_cast<char *>(memory[i].data());
    windows[i].bytes = windowBytes;
    windows[i].ranks = ranks;
    windows[i].rights = GIN_RIGHT_ALL;
    windows[i].own = i;
    for (unsigned peer = 0; peer < ranks; ++peer) {
      programs[i].barriers.direct[peer] = barriers[peer].data();
      banks[i].peers.direct[peer] = values[peer].data();
      windows[i].direct[peer] = {reinterpret_cast<char *>(memory[peer].data()),
                                 windowBytes};
    }
  }
}
