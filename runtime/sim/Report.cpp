//===- Report.cpp - how a run ended, in words -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Engine.h"

#include <algorithm>
#include <map>

using namespace ginc::sim;

/// Lines of a report; what is beyond is counted.
static constexpr size_t maxLines = 32;
/// Numbers in a list of ranks.
static constexpr size_t maxListed = 8;

static std::string placeOf(const gin_site_t *site) {
  if (!site)
    return "";
  std::string text;
  if (site->file && *site->file)
    text = " at " + std::string(site->file) + ":" + std::to_string(site->line) +
           ":" + std::to_string(site->column);
  if (site->text && *site->text)
    text += " in '" + std::string(site->text) + "'";
  return text;
}

/// "rank 3", or "ranks 0 to 5, 8 and 9"; `ranks` ascends.
static std::string listRanks(const std::vector<int64_t> &ranks) {
  if (ranks.size() == 1)
    return "rank " + std::to_string(ranks.front());
  std::vector<std::string> parts;
  for (size_t i = 0; i < ranks.size();) {
    size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1)
      ++end;
    if (end - i > 2) {
      parts.push_back(std::to_string(ranks[i]) + " to " +
                      std::to_string(ranks[end - 1]));
    } else {
      for (size_t j = i; j < end; ++j)
        parts.push_back(std::to_string(ranks[j]));
    }
    i = end;
  }
  std::string text = "ranks ";
  size_t listed = std::min(parts.size(), maxListed);
  for (size_t i = 0; i < listed; ++i) {
    if (i > 0)
      text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  if (listed < parts.size())
    text += " and others";
  return text;
}

namespace {

/// Who waits for the same.
struct Blocked {
  const gin_site_t *site;
  std::string role, what;
  std::vector<int64_t> ranks;
};

} // namespace

static void appendLines(std::vector<std::string> &details,
                        std::vector<Blocked> &groups) {
  // Where each rank waits for a slot of its own, one of them is shown.
  if (groups.size() > maxLines) {
    std::map<std::pair<const gin_site_t *, std::string>, size_t> first;
    std::vector<Blocked> merged;
    for (Blocked &group : groups) {
      auto [at, isNew] =
          first.try_emplace({group.site, group.role}, merged.size());
      if (isNew) {
        group.what +=
            " (" + listRanks({group.ranks.begin(), group.ranks.begin() + 1}) +
            ")";
        merged.push_back(std::move(group));
        continue;
      }
      std::vector<int64_t> &ranks = merged[at->second].ranks;
      ranks.insert(ranks.end(), group.ranks.begin(), group.ranks.end());
    }
    groups = std::move(merged);
  }
  for (size_t i = 0; i < groups.size(); ++i) {
    if (i == maxLines) {
      details.push_back("and " + std::to_string(groups.size() - i) +
                        " more places");
      break;
    }
    Blocked &group = groups[i];
    std::sort(group.ranks.begin(), group.ranks.end());
    group.ranks.erase(std::unique(group.ranks.begin(), group.ranks.end()),
                      group.ranks.end());
    details.push_back(listRanks(group.ranks) + group.role +
                      (group.ranks.size() == 1 ? " waits" : " wait") +
                      placeOf(group.site) + ": " + group.what);
  }
}

/// What a blocked agent waits for; empty for one that is only held up by its
/// own children.
std::string Engine::waitsFor(const Agent &agent) {
  if (agent.state == Agent::State::Waits) {
    const Slot &slot = agent.bank->slot(agent.rank, agent.slot);
    int64_t needed = static_cast<int64_t>(agent.target - slot.base);
    return agent.bank->slotText(agent.slot) + " has " +
           std::to_string(slot.above()) + " above its base " +
           std::to_string(slot.base) + ", and needs " + std::to_string(needed);
  }
  if (agent.state == Agent::State::Runnable && agent.bank) {
    const Slot &slot = agent.bank->slot(agent.rank, agent.slot);
    return agent.bank->slotText(agent.slot) + " is polled in vain, with " +
           std::to_string(slot.above()) + " above its base " +
           std::to_string(slot.base);
  }
  if (agent.state != Agent::State::InBarrier)
    return "";
  const Team &team = *agent.team;
  int64_t groupIndex = team.groupOf(agent.rank);
  BarrierGroup &group = barrierOf(team).group(groupIndex);
  uint64_t number = group.number[static_cast<size_t>(team.indexOf(agent.rank))];
  std::vector<int64_t> missing;
  for (int64_t member = 0; member < group.size; ++member)
    if (group.number[static_cast<size_t>(member)] < number)
      missing.push_back(team.member(groupIndex, member));
  std::sort(missing.begin(), missing.end());
  return "a barrier of the " + team.text() + " that " + listRanks(missing) +
         (missing.size() == 1 ? " has" : " have") + " not entered";
}

void Engine::describeDeadlock() {
  outcome.status = Status::Deadlock;
  std::vector<Blocked> groups;
  std::map<std::pair<const gin_site_t *, std::string>, size_t> known;
  std::vector<int64_t> ended;
  size_t blocked = 0;
  for (uint32_t i = 0; i < agents.size(); ++i) {
    Agent &agent = agents[i];
    std::string what = agent.state == Agent::State::Free ? "" : waitsFor(agent);
    if (what.empty())
      continue;
    ++blocked;
    std::string role;
    if (agent.role)
      role = ", role '" + std::string(agent.role) + "',";
    else if (agent.parent)
      role = ", iteration " + std::to_string(agent.index) + ",";
    int64_t launch = ranks[static_cast<size_t>(agent.rank)].launch;
    if (launch > 0)
      role += (role.empty() ? "," : "") + std::string(" in launch ") +
              std::to_string(launch) + ",";
    auto [at, isNew] =
        known.try_emplace({agent.site, role + what}, groups.size());
    if (isNew)
      groups.push_back({agent.site, role, what, {}});
    groups[at->second].ranks.push_back(agent.rank);
  }
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    if (ranks[rank].ended)
      ended.push_back(static_cast<int64_t>(rank));
  outcome.message = "deadlock: " + std::to_string(blocked) +
                    (blocked == 1 ? " agent waits" : " agents wait") +
                    ", and nothing is under way that could end it";
  if (groups.size() == 1) {
    outcome.site = groups.front().site;
    if (groups.front().ranks.size() == 1)
      outcome.rank = groups.front().ranks.front();
  }
  appendLines(outcome.details, groups);
  if (!ended.empty())
    outcome.details.push_back(
        listRanks(ended) + (ended.size() == 1 ? " has" : " have") + " ended");
}

/// What arrived and nobody waited for would count in the next launch.
void Engine::describeBalance() {
  size_t found = 0;
  for (const std::unique_ptr<gin_bank> &bank : banks)
    for (int64_t rank = 0; rank < config.ranks; ++rank)
      for (uint64_t index = 0; index < bank->slots; ++index) {
        const Slot &slot = bank->slot(rank, index);
        if (slot.value == slot.base)
          continue;
        std::string text =
            bank->slotText(index) + " of rank " + std::to_string(rank);
        if (found++ == 0) {
          outcome.status = Status::Unbalanced;
          outcome.site = slot.lastSender;
          outcome.rank = rank;
        }
        if (found <= maxLines)
          outcome.details.push_back(
              text + " has counted " + std::to_string(slot.value) +
              ", of which " + std::to_string(slot.base) + " were waited for");
      }
  if (found == 0)
    return;
  if (found > maxLines)
    outcome.details.push_back("and " + std::to_string(found - maxLines) +
                              " more slots");
  outcome.message =
      "unconsumed-signal: " +
      (found == 1 ? std::string("a slot") : std::to_string(found) + " slots") +
      " got more than anybody waited for; the rest would count in the next "
      "launch";
}
