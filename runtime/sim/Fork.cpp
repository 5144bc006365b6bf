//===- Fork.cpp - agents that make agents ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Engine.h"
#include "runtime/sim/Trace.h"

#include <algorithm>

using namespace ginc::sim;

/// Children wait for their start in the heap: this many need about 1 GB.
static constexpr int64_t maxChildren = int64_t(1) << 24;

void Engine::fork(const gin_site_t *site, int64_t count,
                  void (*body)(void *, int64_t), void *captures,
                  const char *const *names) {
  spins = 0;
  step(); // a fork may overtake ghosts: see begin()
  if (count <= 0)
    return;
  if (count > maxChildren)
    fail(site, "forks " + std::to_string(count) +
                   " agents, more than the simulator's memory holds (" +
                   std::to_string(maxChildren) +
                   "): let each do more, in a loop of its own");
  Agent &self = *current;
  uint32_t id = forks.take();
  Fork &fork = forks[id];
  fork.parent = &self;
  fork.site = site;
  fork.body = body;
  fork.captures = captures;
  fork.names = names;
  fork.count = fork.running = count;
  fork.left.clear();
  fork.channels.clear();
  // Without concurrency each child is started by the end of the one before.
  for (int64_t i = 0; i < (off(Rule::Agents) ? 1 : count); ++i)
    pushChild(id, i);
  if (off(Rule::Join)) {
    ranks[static_cast<size_t>(self.rank)].strays += count;
    return;
  }
  self.state = Agent::State::Joins;
  self.site = site;
  suspend();
  joinFamily(fork);
  forks.give(id);
  collectGhosts(self);
}

void Engine::pushChild(uint32_t fork, int64_t index) {
  uint32_t child = children.take();
  children[child] = {fork, index};
  heap.push(now + timing.draw(Delay::Fork, forks[fork].parent->rank),
            EventKind::Child, child);
}

/// What joined children have under way is the parent's from now on. In the
/// order of their indices: that is program order for the stores of one cell.
void Engine::joinFamily(Fork &fork) {
  Agent &self = *fork.parent;
  std::sort(fork.left.begin(), fork.left.end(),
            [](const Fork::Left &a, const Fork::Left &b) {
              return a.index < b.index;
            });
  for (const Fork::Left &left : fork.left)
    self.pending.insert(self.pending.end(), left.pending.begin(),
                        left.pending.end());
  fork.left.clear();
  if (off(Rule::PlainFamily))
    self.joined.merge(fork.channels);
  else
    self.channels.merge(fork.channels);
}

void Engine::startChild(uint32_t child) {
  auto [forkId, index] = children[child];
  children.give(child);
  Fork &fork = forks[forkId];
  Agent &agent = newAgent(fork.parent->rank);
  agent.parent = fork.parent;
  agent.fork = forkId;
  agent.index = index;
  agent.role = fork.names ? fork.names[index] : nullptr;
  agent.known = fork.parent->known;
  agent.told = fork.parent->told;
  runAgent({now, agent.id << 3 | static_cast<uint32_t>(EventKind::Agent)});
}

/// The life of a child.
void Engine::runChild() {
  Agent &self = *current;
  Fork &fork = forks[self.fork];
  if (trace)
    self.lane = trace->openLane(self.rank, self.role ? self.role : "iteration");
  Time begun = now;
  fork.body(fork.captures, self.index);
  if (trace) {
    trace->agent(self.lane, fork.site, self.index, begun, now);
    trace->closeLane(self.lane);
  }
  collectGhosts(self);
  compact(self);
  Agent &parent = *self.parent;
  parent.known.add(self.known);
  parent.told.add(self.told);
  --fork.running;
  if (off(Rule::Agents) && fork.running > 0)
    pushChild(self.fork, self.index + 1);
  if (off(Rule::Join)) {
    // Nobody joins: only the end of the launch waits.
    for (uint32_t access : self.pending)
      release(access);
    self.pending.clear();
    Rank &rank = ranks[static_cast<size_t>(self.rank)];
    if (--rank.strays == 0)
      for (uint32_t i = 0; i < agents.size(); ++i)
        if (agents[i].state == Agent::State::Collects && !agents[i].parent &&
            agents[i].rank == self.rank && agents[i].ghosts == 0)
          wake(agents[i]);
    return;
  }
  if (!self.pending.empty()) {
    fork.left.push_back({self.index, std::move(self.pending)});
    self.pending.clear();
  }
  fork.channels.merge(self.channels);
  fork.channels.merge(self.joined);
  if (fork.running == 0)
    wake(parent);
}

//===----------------------------------------------------------------------===//
// Ghosts: how operations that block are taken out of program order
//===----------------------------------------------------------------------===//
//
// If operations need not issue in program order (mutation `po`), what follows a
// wait does not wait for it, although the launch cannot end before it. And if
// children need not start after their fork (`fork`), they do not wait for what
// stands just before it. In both cases a ghost, an agent without a fiber,
// blocks instead of the agent.

/// The agent that blocks in the place of `agent`: itself, or a new ghost.
Agent &Engine::waiter(Agent &agent) {
  if (!off(Rule::ProgramOrder) && !off(Rule::Fork))
    return agent;
  Agent &ghost = newAgent(agent.rank);
  ghost.owner = &agent;
  ghost.role = agent.role;
  ghost.site = agent.site;
  ++agent.ghosts;
  return ghost;
}

void Engine::ghostEnds(Agent &ghost) {
  Agent &owner = *ghost.owner;
  owner.known.add(ghost.known);
  owner.told.add(ghost.told);
  freeAgent(ghost);
  if (--owner.ghosts == 0 && owner.state == Agent::State::Collects)
    wake(owner);
}

/// Waits until nothing blocks in the place of `agent` any more.
void Engine::collectGhosts(Agent &agent) {
  while (agent.ghosts > 0) {
    agent.state = Agent::State::Collects;
    suspend();
  }
}
