//===- Engine.cpp - the discrete events of a run --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Engine.h"

#include "runtime/sim/Trace.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <new>

#if defined(GINC_SIM_MUTATIONS)
#include <alloca.h>
#endif

using namespace ginc::sim;

static thread_local Engine *active = nullptr;

/// The entry barrier of a step is not an operation of the program.
static const gin_site_t entrySite = {"", "the entry barrier", 0, 0};

/// How often to look at the clock, in events.
static constexpr uint64_t pollEvery = 1 << 14;
static constexpr auto reportEvery = std::chrono::milliseconds(100);

/// After so many tests in a row that changed nothing, see whether anything can.
static constexpr uint64_t manySpins = 1 << 20;

Engine *Engine::running() {
  return active && active->current ? active : nullptr;
}

static Config sane(Config config) {
  config.ranks = std::max<int64_t>(config.ranks, 1);
  config.stackBytes = std::max<size_t>(config.stackBytes, 16 << 10);
  return config;
}

Engine::Engine(Config given)
    : config(sane(std::move(given))), timing(config), teams(config) {
  outcome.message = mutations.parse(config.off);
  if (!outcome.message.empty())
    outcome.status = Status::Error;
  ranks.resize(static_cast<size_t>(config.ranks));
  if (config.stats) {
    stats.resize(ranks.size());
    for (RankStats &rank : stats)
      rank.to.resize(ranks.size());
  }
  if (config.trace)
    trace = std::make_unique<Trace>(config.ranks);
}

Engine::~Engine() = default;

gin_window *Engine::addWindow(WindowSpec spec) {
  spec.shapes.resize(ranks.size());
  windows.push_back(std::make_unique<gin_window>(std::move(spec)));
  return windows.back().get();
}

gin_bank *Engine::addBank(BankSpec spec) {
  banks.push_back(std::make_unique<gin_bank>(
      std::move(spec), config.ranks, static_cast<uint32_t>(banks.size())));
  return banks.back().get();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Outcome Engine::run(const std::vector<Step> &program) {
  if (outcome.status != Status::Ok)
    return outcome;
  if (started || active) {
    outcome.status = Status::Error;
    outcome.message = started ? "a simulator runs once"
                              : "a simulator cannot run within another's run";
    return outcome;
  }
  started = true;
  active = this;
  steps = &program;
  lastReport = std::chrono::steady_clock::now();
  nextPoll = pollEvery;
  if (off(Rule::ReadIssue) || off(Rule::GetIssue))
    for (const std::unique_ptr<gin_window> &window : windows)
      initial.emplace_back(window->begin(), window->end());
  try {
    for (int64_t rank = 0; rank < config.ranks; ++rank) {
      Agent &agent = newAgent(rank);
      ++ranksRunning;
      heap.push(0, EventKind::Agent, agent.id);
    }
    loop();
  } catch (const std::bad_alloc &) {
    over = true;
    outOfMemory(nullptr);
  }
  current = nullptr;
  active = nullptr;
  if (!over && ranksRunning > 0)
    describeDeadlock();
  else if (!over)
    describeBalance();
  // Agents that have not ended are forgotten, not unwound.
  for (uint32_t i = 0; i < agents.size(); ++i)
    if (agents[i].fiber)
      FiberPool::ofThread().give(std::move(agents[i].fiber));
  FiberPool::ofThread().trim();
  return outcome;
}

void Engine::loop() {
  while (!over && !heap.empty()) {
    Event event = heap.pop();
    now = event.time;
    prefetchNext();
    if (++events >= nextPoll)
      poll();
    if (event.needsFiber())
      runAgent(event);
    else
      execute(event);
  }
}

/// While one event is executed, what the next one needs comes into the cache.
void Engine::prefetchNext() {
  if (heap.empty())
    return;
  const Event &event = heap.top();
  if (event.kind() == EventKind::Transfer) {
    const char *object =
        reinterpret_cast<const char *>(&transfers[event.index()]);
    __builtin_prefetch(object);
    __builtin_prefetch(object + 64);
  } else if (event.kind() == EventKind::Agent) {
    const Agent &agent = agents[event.index()];
    if (agent.fiber)
      agent.fiber->prefetch();
  } else if (event.kind() == EventKind::Arrival) {
    __builtin_prefetch(arrivals[event.index()].slot);
  }
}

void Engine::poll() {
  nextPoll = events + pollEvery;
  if (!progress)
    return;
  auto time = std::chrono::steady_clock::now();
  if (time - lastReport < reportEvery)
    return;
  lastReport = time;
  progress(stepsEnded, total.puts);
}

void Engine::execute(const Event &event) {
  switch (event.kind()) {
  case EventKind::Transfer:
    return runTransfer(event.index());
  case EventKind::Arrival:
    arrive(arrivals[event.index()]);
    return arrivals.give(event.index());
  case EventKind::Access:
    perform(accesses[event.index()]);
    return release(event.index());
  case EventKind::Timeout:
    return timeOut(event.index());
  case EventKind::Agent:
  case EventKind::Child:
    break;
  }
}

void Engine::runAgent(const Event &event) {
  if (event.kind() == EventKind::Child)
    return startChild(event.index());
  Agent &agent = agents[event.index()];
  if (agent.ghost())
    return ghostEnds(agent);
  current = &agent;
  agent.state = Agent::State::Runnable;
  if (agent.fiber) {
    agent.fiber->resume();
  } else {
    agent.fiber = FiberPool::ofThread().take(config.stackBytes);
    agent.fiber->start(
        [](void *engine) { static_cast<Engine *>(engine)->runFiber(); }, this);
  }
  current = nullptr;
  if (agent.fiber->idle())
    freeAgent(agent);
}

void Engine::suspend() { current->fiber->suspend(); }

/// Lets the running agent act at `time`, after everything before it.
void Engine::advance(Time time) {
  time = std::max(time, now);
  while (heap.next() < time) {
    if (heap.top().needsFiber() || events >= nextPoll) {
      heap.push(time, EventKind::Agent, current->id);
      suspend();
      return;
    }
    Event event = heap.pop();
    now = event.time;
    prefetchNext();
    ++events;
    execute(event);
  }
  now = time;
}

/// Stands before each operation: the agent takes its time.
void Engine::step() { advance(now + timing.draw(Delay::Step, current->rank)); }

/// The same, and waits for ghosts that only a fork may overtake. An operation
/// that `probes` signals does not count as progress.
void Engine::begin(bool probes) {
  if (!probes)
    spins = 0;
  if (off(Rule::Fork))
    collectGhosts(*current);
  step();
}

void Engine::fail(const gin_site_t *site, std::string message) {
  outcome.status = Status::Error;
  outcome.message = std::move(message);
  outcome.site = site;
  outcome.rank = current->rank;
  throw Failure();
}

void Engine::outOfMemory(const gin_site_t *site) {
  outcome.status = Status::Error;
  outcome.message = "out of memory: run fewer ranks, or agents with smaller "
                    "stacks";
  outcome.site = site;
}

void Engine::stop() {
  over = true;
  suspend();
  std::abort(); // a run that is over resumes nobody
}

/// Counts probes that found nothing new. When there were many, and nothing is
/// under way but agents that probe, no more will come.
void Engine::spin(const gin_site_t *site, const gin_slot_t &slot,
                  uint64_t index, bool changed) {
  current->site = site;
  current->bank = slot.bank;
  current->slot = index;
  spins = changed ? 0 : spins + 1;
  if (spins < manySpins)
    return;
  spins = 0;
  for (const Event &event : heap)
    if (event.kind() != EventKind::Agent)
      return;
  describeDeadlock();
  throw Failure();
}

//===----------------------------------------------------------------------===//
// Agents
//===----------------------------------------------------------------------===//

Agent &Engine::newAgent(int64_t rank) {
  uint32_t id = agents.take();
  Agent &agent = agents[id];
  agent.id = id;
  agent.state = Agent::State::Runnable;
  agent.rank = rank;
  agent.parent = nullptr;
  agent.owner = nullptr;
  agent.role = nullptr;
  agent.site = nullptr;
  agent.bank = nullptr;
  agent.ghosts = 0;
  agent.doneMax = 0;
  agent.firstToken = 1;
  agent.done.clear();
  agent.channels.clear();
  agent.joined.clear();
  agent.known.clear();
  agent.told.clear();
  assert(agent.pending.empty() && !agent.fiber);
  return agent;
}

void Engine::freeAgent(Agent &agent) {
  if (agent.fiber)
    FiberPool::ofThread().give(std::move(agent.fiber));
  forgetStored(agent);
  agent.state = Agent::State::Free;
  agents.give(agent.id);
}

/// An agent's stores that early reads see are those of its launch.
void Engine::forgetStored(const Agent &agent) {
  if (!off(Rule::ReadIssue))
    return;
  auto own = [&](const Stored &stored) { return stored.agent == agent.id; };
  storedValues.erase(
      std::remove_if(storedValues.begin(), storedValues.end(), own),
      storedValues.end());
}

/// Lets a blocked agent go on, some time from now.
void Engine::wake(Agent &agent) {
  ++agent.wakeups;
  agent.state = Agent::State::Runnable;
  heap.push(now + timing.draw(Delay::Wake, agent.rank), EventKind::Agent,
            agent.id);
}

/// The fiber of an agent: runs it, and ends the run if it throws.
void Engine::runFiber() {
  try {
    if (current->parent)
      runChild();
    else
      runRank();
    return;
  } catch (const Failure &) {
    // It has been recorded.
  } catch (const std::exception &error) {
    outcome.status = Status::Error;
    outcome.message = error.what();
    outcome.rank = current->rank;
  }
  stop();
}

/// The life of a rank: its steps one after the other.
void Engine::runRank() {
  Agent &self = *current;
  if (trace)
    self.lane = trace->openLane(self.rank, "main");
  for (const Step &step : *steps) {
    if (step.host && off(Rule::Host))
      continue;
    advance(now + timing.draw(Delay::Launch, self.rank));
    Time begun = now;
    int64_t number = launch();
    if (step.barrier)
      barrier(&entrySite, nullptr, false);
    step.body(self.rank);
#ifdef GINC_SIM_MUTATIONS
    // Children that outlive the body still use what lay on its stack.
    if (off(Rule::Join)) {
      volatile char *kept = static_cast<char *>(alloca(32 << 10));
      kept[0] = 0;
    }
#endif
    endStep(step);
    if (trace)
      trace->step(self.lane, step.host, number, begun, now);
  }
  ranks[static_cast<size_t>(self.rank)].ended = true;
  --ranksRunning;
}

/// What the running agent moves from or to `peer`.
void Engine::countTraffic(int64_t peer, const Traffic &moved) {
  total += moved;
  if (config.stats)
    stats[static_cast<size_t>(current->rank)].to[static_cast<size_t>(peer)] +=
        moved;
}

//===----------------------------------------------------------------------===//
// Puts that nothing covers
//===----------------------------------------------------------------------===//

static std::string uncovered(int64_t source, int64_t target, int64_t launch) {
  return "uncovered-put: this put of rank " + std::to_string(source) +
         " lands at rank " + std::to_string(target) +
         " when that has ended launch " + std::to_string(launch) +
         ": nothing that it waits for covers the put; bundle a signal or send "
         "one after it, and wait for it there, or use a barrier";
}

/// A put of the running agent lands at `peer`.
void Engine::putLands(const gin_site_t *site, int64_t peer, Time time) {
  Rank &target = ranks[static_cast<size_t>(peer)];
  int64_t number = launch();
  if (target.launch > number)
    fail(site, uncovered(current->rank, peer, number));
  for (Rank::Landing &landing : target.landings)
    if (landing.launch == number) {
      if (landing.last < time)
        landing = {number, time, site, current->rank};
      return;
    }
  target.landings.push_back({number, time, site, current->rank});
}

/// The running rank ends its launch: what was put to it in this is there.
void Engine::checkLanded(Rank &rank) {
  size_t kept = 0;
  for (const Rank::Landing &landing : rank.landings) {
    if (landing.launch > rank.launch)
      rank.landings[kept++] = landing;
    else if (landing.last > now)
      fail(landing.site, uncovered(landing.source, current->rank, rank.launch));
  }
  rank.landings.resize(kept);
}

/// Everything that the step began is complete; then its bases advance.
void Engine::endStep(const Step &step) {
  Agent &self = *current;
  Rank &rank = ranks[static_cast<size_t>(self.rank)];
  collectGhosts(self);
  while (rank.strays > 0) {
    self.state = Agent::State::Collects;
    suspend();
  }
  Time end = now + timing.draw(Delay::Step, self.rank);
  if (!off(Rule::End)) {
    end = after(end, rank.doneMax);
    end = after(end, pendingMax(self, true, true));
  }
  advance(end);
  for (uint32_t access : self.pending)
    release(access);
  self.pending.clear();
  self.firstToken += static_cast<int64_t>(self.done.size());
  self.done.clear();
  self.doneMax = 0;
  self.channels.clear();
  self.joined.clear();
  rank.doneMax = 0;
  ++stepsEnded;
  forgetStored(self);
  if (step.host)
    return;
  checkLanded(rank);
  for (Slot *slot : rank.touched) {
    slot->base += slot->waited;
    slot->waited = 0;
  }
  rank.touched.clear();
  ++rank.launch;
  if (off(Rule::EarlyArrival)) {
    std::vector<Arrival> early = std::move(rank.early);
    rank.early.clear();
    for (Arrival &arrival : early)
      arrive(arrival);
  }
}

void Engine::flush(const gin_site_t *) {
  begin();
  Agent &self = *current;
  if (off(Rule::Flush))
    return;
  Agent &blocked = waiter(self);
  if (&blocked != &self) {
    heap.push(after(now, self.doneMax), EventKind::Agent, blocked.id);
    return;
  }
  advance(after(now, self.doneMax));
}

void Engine::await(const gin_site_t *site, gin_token_t token) {
  begin();
  Agent &self = *current;
  Time done = doneTime(site, self, token);
  if (off(Rule::Await))
    return;
  Agent &blocked = waiter(self);
  if (&blocked != &self) {
    heap.push(after(now, done), EventKind::Agent, blocked.id);
    return;
  }
  advance(after(now, done));
}

//===----------------------------------------------------------------------===//
// Who am I
//===----------------------------------------------------------------------===//

int64_t Engine::rankOf(const gin_team_t *description) {
  return team(nullptr, description).indexOf(current->rank);
}

int64_t Engine::numRanks(const gin_team_t *description) {
  const Team &group = team(nullptr, description);
  return group.sizeOf(group.groupOf(current->rank));
}

int64_t Engine::coord(const gin_team_t *grid, int64_t axis) {
  const Team &group = team(nullptr, grid);
  if (axis < 0 || static_cast<size_t>(axis) >= group.extents.size())
    fail(nullptr, "axis " + std::to_string(axis) + " is out of range: the " +
                      group.text() + " has " +
                      std::to_string(group.extents.size()) + " axes");
  int64_t rest = current->rank;
  for (size_t i = group.extents.size() - 1; i > static_cast<size_t>(axis); --i)
    rest /= group.extents[i];
  return rest % group.extents[static_cast<size_t>(axis)];
}

int64_t Engine::launch() {
  return ranks[static_cast<size_t>(current->rank)].launch;
}
