//===- Put.cpp - the issue of puts and gets -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Accumulate.h"
#include "runtime/sim/Engine.h"
#include "runtime/sim/Trace.h"

#include <algorithm>
#include <cstring>

using namespace ginc::sim;

//===----------------------------------------------------------------------===//
// Local completion
//===----------------------------------------------------------------------===//

/// Numbers an operation that is done at `done`.
gin_token_t Engine::issue(Agent &agent, Time done) {
  // What is done needs no record. Drop it when all is, or when the record has
  // doubled since it was last looked through.
  if (agent.doneMax < now) {
    agent.firstToken += static_cast<int64_t>(agent.done.size());
    agent.done.clear();
  } else if (agent.done.size() == agent.done.capacity()) {
    size_t old = 0;
    while (old < agent.done.size() && agent.done[old] < now)
      ++old;
    if (old >= agent.done.size() / 2) {
      agent.done.erase(agent.done.begin(),
                       agent.done.begin() + static_cast<ptrdiff_t>(old));
      agent.firstToken += static_cast<int64_t>(old);
    }
  }
  agent.done.push_back(done);
  agent.doneMax = std::max(agent.doneMax, done);
  Time &launchMax = ranks[static_cast<size_t>(agent.rank)].doneMax;
  launchMax = std::max(launchMax, done);
  return agent.firstToken + static_cast<int64_t>(agent.done.size()) - 1;
}

/// When the operation of `token` is done; 0 if that was before now.
Time Engine::doneTime(const gin_site_t *site, Agent &agent, gin_token_t token) {
  int64_t end = agent.firstToken + static_cast<int64_t>(agent.done.size());
  if (token < 0 || token >= end)
    fail(site, "token " + std::to_string(token) +
                   " is not of this agent: await it where it was made");
  return token < agent.firstToken
             ? 0
             : agent.done[static_cast<size_t>(token - agent.firstToken)];
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

gin_token_t Engine::put(const PutRequest &request) {
  Time begun = now;
  begin();
  Agent &self = *current;
  const gin_site_t *site = request.site;
  int64_t peer = worldRank(site, request.team, request.peer);
  unsigned bytes = bytesOfType(request.type);
  if (bytes == 0)
    fail(site, "unknown element type " + std::to_string(request.type));
  View root = view(site, request.target->descriptor, request.target->rank,
                   "the target");
  checkRoot(site, root, "the target");
  if (root.window->bytes != bytes)
    fail(site, "the target has elements of " +
                   std::to_string(root.window->bytes) + " bytes, not of " +
                   std::to_string(bytes));
  checkRemote(site, *root.window, peer,
              request.add ? RemoteAtomic : RemoteWrite, request.what);
  CopyDim dims[maxDims];
  View source;
  if (request.source) {
    source = view(site, request.source->descriptor, request.source->rank,
                  "the source");
    checkLocal(site, source, bytes, "the source");
    for (int64_t i = 0; i < source.dims; ++i) {
      dims[i].size = source.sizes[i];
      dims[i].source = source.strides[i];
    }
  }
  char *target =
      remoteBase(site, root, request.target->indices, peer,
                 request.source ? &source : nullptr, dims, request.what);
  bool signals = request.slot && request.slot->bank;
  uint64_t slot = 0;
  if (signals) {
    checkWeight(site, request.weight);
    slot = slotIndex(site, *request.slot);
  }

  uint32_t id = transfers.take();
  Transfer &transfer = transfers[id];
  Copy &copy = transfer.copy;
  copy.bytes = bytes;
  copy.source = request.source ? source.base : nullptr;
  copy.target = target;
  copy.setDims(dims, static_cast<unsigned>(request.source ? source.dims : 0));
  transfer.type = static_cast<uint8_t>(request.type);
  transfer.add = request.add;
  transfer.hasRead = !request.source;
  transfer.phase = Transfer::Phase::Read;
  transfer.arrival.slot = nullptr;
  bool nothing = copy.count == 0;
  if (request.source && peer == self.rank && !nothing) {
    nothing = copy.inPlace();
    if (!nothing && copy.overlaps())
      fail(site, "the source and the target of this put to the own rank "
                 "overlap in window '" +
                     root.window->name +
                     "': put to the very same place (a no-op) or a disjoint "
                     "one");
  }

  Traffic moved;
  moved.puts = 1;
  moved.putBytes = copy.count * bytes;
  moved.signals = signals;
  countTraffic(peer, moved);
  Channel &channel = self.channels.at(peer, request.context);
  Plan plan{now, now};
  Time putBefore = channel.delivered;
  if (!nothing) {
    if (transfer.hasRead) {
      transfer.makeBuffer();
      std::memcpy(transfer.buffer(), &request.value, bytes);
    } else if (!self.pending.empty() || self.parent) {
      collectForwards(self, transfer);
    }
    if (off(Rule::ReadIssue) && !transfer.hasRead)
      collectStored(self, transfer);
    plan = planPut(self, transfer, peer, channel);
    channel.delivered = std::max(channel.delivered, plan.lastWrite);
    if (config.coverPuts)
      putLands(site, peer, plan.lastWrite);
    if (off(Rule::ThirdRank))
      self.told.add(peer, plan.lastWrite);
  }
  Time done = (off(Rule::DoneRead) ? now : plan.lastRead) +
              timing.draw(Delay::Done, self.rank);
  if (off(Rule::DoneEarly))
    done = std::max(done, plan.lastWrite);
  gin_token_t token = issue(self, done);

  uint64_t flow = trace ? trace->send(self.lane, site, peer, begun, now) : 0;
  if (trace)
    trace->delivery(flow, peer, site, plan.lastWrite, copy.count * bytes,
                    signals);
  if (signals) {
    Time time = (off(Rule::Bundled) ? now : plan.lastWrite) +
                timing.draw(Delay::Arrive, self.rank);
    if (off(Rule::BundledOvertakes) && putBefore)
      time = after(time, putBefore);
    if (off(Rule::SignalOrder))
      time = after(time, channel.arrived);
    if (off(Rule::ThirdRank))
      time = after(time, self.known.of(peer));
    channel.arrived = std::max(channel.arrived, time);
    transfer.arriveAt = time;
    Arrival arrival;
    fillArrival(arrival, site, request.slot->bank->slot(peer, slot), peer,
                request.weight);
    arrival.flow = flow;
    if (nothing || off(Rule::Bundled))
      send(arrival, time);
    else
      transfer.arrival = std::move(arrival);
  }
  if (nothing)
    transfers.give(id);
  else
    start(id, plan);
  if (off(Rule::LateRead))
    advance(plan.lastRead + 1);
  if (off(Rule::SelfPut) && peer == self.rank)
    advance(plan.lastWrite + 1);
  return token;
}

gin_token_t Engine::get(const gin_site_t *site, const gin_team_t *description,
                        int64_t peerInTeam, int64_t, const gin_place_t &source,
                        const gin_place_t &target, int32_t type) {
  begin();
  Agent &self = *current;
  int64_t peer = worldRank(site, description, peerInTeam);
  unsigned bytes = bytesOfType(type);
  if (bytes == 0)
    fail(site, "unknown element type " + std::to_string(type));
  View root = view(site, source.descriptor, source.rank, "the source");
  checkRoot(site, root, "the source");
  checkRemote(site, *root.window, peer, RemoteRead, "the get");
  View local = view(site, target.descriptor, target.rank, "the destination");
  checkLocal(site, local, bytes, "the destination");
  if (root.window->bytes != bytes)
    fail(site, "the source has elements of " +
                   std::to_string(root.window->bytes) + " bytes, not of " +
                   std::to_string(bytes));
  CopyDim dims[maxDims];
  char *remote =
      remoteBase(site, root, source.indices, peer, &local, dims, "the get");
  for (int64_t i = 0; i < local.dims; ++i)
    dims[i] = {local.sizes[i], dims[i].target, local.strides[i]};

  uint32_t id = transfers.take();
  Transfer &transfer = transfers[id];
  Copy &copy = transfer.copy;
  copy.bytes = bytes;
  copy.source = remote;
  copy.target = local.base;
  copy.setDims(dims, static_cast<unsigned>(local.dims));
  transfer.type = static_cast<uint8_t>(type);
  transfer.add = transfer.hasRead = false;
  transfer.phase = Transfer::Phase::Read;
  transfer.arrival.slot = nullptr;
  bool nothing = copy.count == 0;
  if (peer == self.rank && !nothing) {
    nothing = copy.inPlace();
    if (!nothing && copy.overlaps())
      fail(site, "the source and the destination of this get from the own rank "
                 "overlap in window '" +
                     root.window->name + "'");
  }
  Traffic moved;
  moved.gets = 1;
  moved.getBytes = copy.count * bytes;
  countTraffic(peer, moved);
  Plan plan{now, now};
  if (!nothing) {
    Copy::Extent extent = copy.targetExtent();
    Time writable = sameCell(self, extent.low,
                             static_cast<uint64_t>(extent.high - extent.low));
    plan = planGet(self, transfer, peer, writable);
  }
  Time done = (off(Rule::GetDone) ? plan.lastRead : plan.lastWrite) +
              timing.draw(Delay::GetDone, self.rank);
  gin_token_t token = issue(self, done);
  if (trace)
    trace->get(self.lane, site, peer, now, done, copy.count * bytes);
  if (nothing)
    transfers.give(id);
  else
    start(id, plan);
  if (off(Rule::LateGet))
    advance(done + 1);
  return token;
}
