//===- Barrier.cpp - barriers of teams ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Barrier.h"

#include "runtime/sim/Engine.h"
#include "runtime/sim/Trace.h"

#include <algorithm>

using namespace ginc::sim;

void Engine::barrier(const gin_site_t *site, const gin_team_t *description,
                     bool global) {
  begin();
  Agent &self = *current;
  const Team &members = team(site, description);
  if (config.stats)
    ++stats[static_cast<size_t>(self.rank)].barriers;
  Time begun = now;
  int rounds = global && !off(Rule::BarrierGlobal) ? 2 : 1;
  for (int i = 0; i < rounds; ++i) {
    if (off(Rule::Fork))
      collectGhosts(self);
    if (off(Rule::BarrierWait) || off(Rule::BarrierSlots) ||
        off(Rule::BarrierParity) || off(Rule::ProgramOrder) || off(Rule::Fork))
      countedRound(site, members);
    else
      barrierRound(site, members);
  }
  if (trace)
    trace->barrier(self.lane, site, begun, now);
}

TeamBarrier &Engine::barrierOf(const Team &team) {
  if (team.id >= barriers.size())
    barriers.resize(team.id + 1);
  if (!barriers[team.id])
    barriers[team.id] = std::make_unique<TeamBarrier>(team);
  return *barriers[team.id];
}

/// When all puts that precede are delivered: to each peer, into `cover`, and to
/// any, into `all`. The caller zeroes `cover` after use.
void Engine::coverByPeer(Agent &agent, std::vector<Time> &cover, Time &all) {
  cover.resize(ranks.size());
  for (const Agent *one = &agent; one; one = one->parent)
    for (const ChannelTable *table : {&one->channels, &one->joined})
      for (const Channel &channel : *table) {
        Time &latest = cover[static_cast<size_t>(channel.peer)];
        latest = std::max(latest, channel.delivered);
        all = std::max(all, channel.delivered);
      }
}

/// Enters the barrier of the own group of `team`, and waits until it is passed.
void Engine::barrierRound(const gin_site_t *site, const Team &team) {
  Agent &self = *current;
  int64_t groupIndex = team.groupOf(self.rank);
  BarrierGroup &group = barrierOf(team).group(groupIndex);
  size_t own = static_cast<size_t>(team.indexOf(self.rank));
  size_t size = static_cast<size_t>(group.size);
  BarrierGroup::Round &round = group.rounds[group.number[own]++ & 1];
  if (group.rounds[0].waiting[own] || group.rounds[1].waiting[own])
    fail(site, "another agent of rank " + std::to_string(self.rank) +
                   " waits in a barrier of the " + team.text() +
                   ": one agent of a rank at a time may be in a team's "
                   "barrier");
  Time everything = 0;
  if (!off(Rule::BarrierPut))
    coverByPeer(self, coverScratch, everything);
  else
    coverScratch.resize(ranks.size());
  Time access = off(Rule::BarrierAccess) ? 0 : pendingMax(self, true, true);
  for (size_t member = 0; member < size; ++member) {
    size_t rank = static_cast<size_t>(
        team.member(groupIndex, static_cast<int64_t>(member)));
    Time time = now;
    Time before = std::max(
        access, off(Rule::BarrierThird) ? everything : coverScratch[rank]);
    if (before)
      time = after(time, before);
    if (member != own)
      time += timing.draw(Delay::Barrier, self.rank);
    round.pass[member] = std::max(round.pass[member], time);
  }
  for (const Agent *one = &self; one; one = one->parent)
    for (const ChannelTable *table : {&one->channels, &one->joined})
      for (const Channel &channel : *table)
        coverScratch[static_cast<size_t>(channel.peer)] = 0;
  if (off(Rule::ThirdRank))
    group.knowledge.add(self.told);

  Time pass = round.pass[own];
  if (++round.entered == group.size) {
    for (size_t member = 0; member < size; ++member)
      if (uint32_t waiting = round.waiting[member]) {
        Agent &agent = agents[waiting - 1];
        ++agent.wakeups;
        agent.state = Agent::State::Runnable;
        heap.push(round.pass[member] + 1 + timing.draw(Delay::Wake, agent.rank),
                  EventKind::Agent, agent.id);
        round.waiting[member] = 0;
      }
    std::fill(round.pass.begin(), round.pass.end(), 0);
    round.entered = 0;
    if (size > 1)
      pass += 1 + timing.draw(Delay::Wake, self.rank);
    advance(pass);
  } else {
    self.state = Agent::State::InBarrier;
    self.site = site;
    self.team = &team;
    round.waiting[own] = self.id + 1;
    suspend();
  }
  if (off(Rule::ThirdRank)) {
    self.known.add(group.knowledge);
    self.told.add(group.knowledge);
  }
}

/// The same with arrivals that are counted, as slots would: for mutations that
/// change which slots there are, or do not wait for them.
void Engine::countedRound(const gin_site_t *site, const Team &team) {
  Agent &self = *current;
  int64_t groupIndex = team.groupOf(self.rank);
  BarrierGroup &group = barrierOf(team).group(groupIndex);
  int64_t own = team.indexOf(self.rank);
  uint64_t number = group.number[static_cast<size_t>(own)]++;
  std::unique_ptr<gin_bank> &made = barrierSlots[team.id];
  if (!made)
    made = std::make_unique<gin_bank>(BankSpec{"barrier", {config.ranks, 2}},
                                      config.ranks, 0);
  gin_bank *bank = made.get();
  bool summed = off(Rule::BarrierSlots);
  uint64_t kinds = off(Rule::BarrierParity) || summed ? 1 : 2;
  auto slotOf = [&](int64_t source) {
    return summed ? 0 : static_cast<uint64_t>(source) * 2 + number % kinds;
  };
  std::vector<Time> cover;
  Time everything = 0;
  coverByPeer(self, cover, everything);
  Time access = pendingMax(self, true, true);
  Time ownPass =
      after(now, std::max(access, cover[static_cast<size_t>(self.rank)]));
  for (int64_t member = 0; member < group.size; ++member) {
    if (member == own)
      continue;
    int64_t rank = team.member(groupIndex, member);
    Time before = std::max(access, cover[static_cast<size_t>(rank)]);
    Time time = after(now, before) + timing.draw(Delay::Barrier, self.rank);
    Arrival arrival;
    fillArrival(arrival, site, bank->slot(rank, slotOf(own)), rank, 1);
    send(arrival, time);
  }
  advance(ownPass);
  if (off(Rule::BarrierWait))
    return;
  for (int64_t member = 0; member < group.size; ++member) {
    if (member == own)
      continue;
    uint64_t index = slotOf(member);
    uint64_t target = summed
                          ? static_cast<uint64_t>(group.size - 1) * (number + 1)
                          : number / kinds + 1;
    const Slot &slot = bank->slot(self.rank, index);
    if (static_cast<int64_t>(slot.value - target) < 0)
      block(site, bank, index, target, 0);
    if (summed)
      break;
  }
}
