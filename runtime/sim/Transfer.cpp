//===- Transfer.cpp - puts and gets under way -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Transfer.h"

#include "runtime/sim/Engine.h"

#include <algorithm>
#include <cstring>

using namespace ginc::sim;

/// Up to so many elements any of them may be a piece of its own.
static constexpr uint64_t smallCount = 16;

/// Makes `transfer` one that goes in pieces, or might.
static Pieces &inPieces(Transfer &transfer) {
  if (transfer.phase != Transfer::Phase::InPieces) {
    transfer.phase = Transfer::Phase::InPieces;
    if (!transfer.pieces)
      transfer.pieces = std::make_unique<Pieces>();
    transfer.pieces->plan.clear();
    transfer.pieces->bounds.clear();
    transfer.pieces->next = 0;
  }
  return *transfer.pieces;
}

//===----------------------------------------------------------------------===//
// Plans: when the pieces are read and written
//===----------------------------------------------------------------------===//

/// Perhaps cuts a transfer into pieces.
void Engine::split(Transfer &transfer) {
  uint64_t count = transfer.copy.count;
  if (count < 2 || off(Rule::Torn))
    return;
  Random &random = timing.random;
  uint64_t dice = random();
  if ((dice & 0xff) >= timing.tornChance() && (dice >> 8 & 0xf) != 0)
    return;
  std::vector<uint64_t> &bounds = inPieces(transfer).bounds;
  if (count <= smallCount) {
    uint64_t cuts = dice >> 12 & 1 ? ~uint64_t(0) : random();
    for (uint64_t i = 1; i < count; ++i)
      if (cuts >> i & 1)
        bounds.push_back(i);
  } else {
    // Networks tear at packets and words, memory at elements.
    uint64_t word = std::max<uint64_t>(1, 8 / transfer.copy.bytes);
    uint64_t cuts = 1 + (dice >> 12 & 7), align = dice >> 15 & 1 ? word : 1;
    for (uint64_t i = 0; i < cuts; ++i)
      if (uint64_t at = random.below(count) / align * align)
        bounds.push_back(at);
    std::sort(bounds.begin(), bounds.end());
    bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  }
  if (!bounds.empty())
    bounds.insert(bounds.begin(), 0);
}

Engine::Plan Engine::planPut(Agent &agent, Transfer &transfer, int64_t peer,
                             const Channel &channel) {
  if (timing.calm()) {
    Timing::Transit transit = timing.calmTransit(
        agent.rank, peer, transfer.copy.count * transfer.copy.bytes, now);
    if (transfer.phase != Transfer::Phase::InPieces)
      return {transit.left, transit.there};
    transfer.pieces->plan = {{transit.left, 0, false, false},
                             {transit.there, 0, true, false}};
    return {transit.left, transit.there};
  }
  split(transfer);
  if (off(Rule::ReadIssue) || off(Rule::DeliverRead))
    inPieces(transfer);
  bool torn = transfer.phase == Transfer::Phase::InPieces;
  size_t number =
      torn ? std::max<size_t>(1, transfer.pieces->bounds.size()) : 1;
  Plan result{now, now};
  Time write = 0;
  for (uint32_t piece = 0; piece < number; ++piece) {
    Time read = now;
    if (!transfer.hasRead) {
      bool early = off(Rule::ReadIssue) && (timing.random() & 1);
      if (!off(Rule::LateRead))
        read += timing.draw(Delay::Read, agent.rank);
      if (torn)
        transfer.pieces->plan.push_back({read, piece, false, early});
    }
    Time base = off(Rule::DeliverRead) ? now : read;
    Time last = write;
    write = base + timing.draw(Delay::Deliver, agent.rank);
    // Pieces may lie far apart even where deliveries are prompt.
    if (number > 1 && (timing.random() & 3) == 0)
      write = base + timing.drawAnything();
    if (off(Rule::AnyOrder) && piece > 0)
      write = after(write, last);
    if (off(Rule::PutOrder))
      write = after(write, channel.delivered);
    if (torn)
      transfer.pieces->plan.push_back({write, piece, true, false});
    result.lastRead = std::max(result.lastRead, read);
    result.lastWrite = std::max(result.lastWrite, write);
  }
  return result;
}

/// Nothing is written up to the time `writable`.
Engine::Plan Engine::planGet(Agent &agent, Transfer &transfer, int64_t peer,
                             Time writable) {
  if (timing.calm()) {
    Timing::Transit request = timing.calmTransit(agent.rank, peer, 16, now);
    Timing::Transit reply = timing.calmTransit(
        peer, agent.rank, transfer.copy.count * transfer.copy.bytes,
        request.there);
    return {request.there, after(reply.there, writable)};
  }
  split(transfer);
  if (off(Rule::GetIssue) || off(Rule::GetWrite))
    inPieces(transfer);
  bool torn = transfer.phase == Transfer::Phase::InPieces;
  size_t number =
      torn ? std::max<size_t>(1, transfer.pieces->bounds.size()) : 1;
  Plan result{now, now};
  for (uint32_t piece = 0; piece < number; ++piece) {
    bool early = off(Rule::GetIssue) && (timing.random() & 1);
    Time read = now + timing.draw(Delay::GetRead, agent.rank);
    Time base = off(Rule::GetWrite) ? now : read;
    Time write = base + timing.draw(Delay::GetWrite, agent.rank);
    if (writable)
      write = after(write, writable);
    if (torn) {
      transfer.pieces->plan.push_back({read, piece, false, early});
      transfer.pieces->plan.push_back({write, piece, true, false});
    }
    result.lastRead = std::max(result.lastRead, read);
    result.lastWrite = std::max(result.lastWrite, write);
  }
  return result;
}

/// Begins what is planned.
void Engine::start(uint32_t id, Plan planned) {
  Transfer &transfer = transfers[id];
  transfer.writeAt = planned.lastWrite;
  if ((off(Rule::DeliverRead) || off(Rule::GetWrite)) && !transfer.hasRead) {
    // What is written without having been read is zero.
    transfer.makeBuffer();
    std::memset(transfer.buffer(), 0,
                transfer.copy.count * transfer.copy.bytes);
  }
  Time first;
  if (transfer.phase == Transfer::Phase::InPieces) {
    // By insertion, which keeps the order of equals: a piece's read stands
    // before its write. Plans are short.
    std::vector<Pieces::Action> &plan = transfer.pieces->plan;
    for (size_t i = 1; i < plan.size(); ++i)
      for (size_t j = i; j > 0 && plan[j].time < plan[j - 1].time; --j)
        std::swap(plan[j], plan[j - 1]);
    first = plan.front().time;
  } else if (transfer.hasRead) {
    transfer.phase = Transfer::Phase::Write;
    first = planned.lastWrite;
  } else {
    first = planned.lastRead;
  }
  if (first == now)
    return runTransfer(id);
  heap.push(first, EventKind::Transfer, id);
}

//===----------------------------------------------------------------------===//
// Own stores that a source read sees
//===----------------------------------------------------------------------===//

/// The agent sees its own stores, so its puts read them, performed or not.
void Engine::collectForwards(Agent &agent, Transfer &transfer) {
  if (agent.parent)
    collectForwards(*agent.parent, transfer);
  if (agent.pending.empty())
    return;
  Copy::Extent extent = transfer.copy.sourceExtent();
  for (uint32_t id : agent.pending) {
    Access &access = accesses[id];
    if (access.load || access.performed ||
        !extent.overlaps({access.address, access.address + access.bytes}))
      continue;
    bool whole = access.bytes == transfer.copy.bytes && access.addType < 0;
    int64_t element = whole ? transfer.copy.sourceElement(access.address) : -2;
    if (element == -2) {
      force(*current, access.address, access.bytes);
    } else if (element >= 0) {
      ++access.uses;
      inPieces(transfer).forwards.push_back(
          {id, static_cast<uint64_t>(element)});
    }
  }
}

/// The same for a read that comes before its issue.
void Engine::collectStored(const Agent &agent, Transfer &transfer) {
  if (agent.parent)
    collectStored(*agent.parent, transfer);
  for (const Stored &stored : storedValues) {
    int64_t element = stored.agent == agent.id
                          ? transfer.copy.sourceElement(stored.address)
                          : -1;
    if (element < 0)
      continue;
    uint32_t id = newAccess(stored.address, stored.bytes, false, stored.value);
    accesses[id].uses = 1;
    inPieces(transfer).stored.push_back({id, static_cast<uint64_t>(element)});
  }
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

void Engine::writePiece(Transfer &transfer, uint64_t first, uint64_t last) {
  if (transfer.add && !off(Rule::Accumulate))
    transfer.copy.add(transfer.buffer(), first, last, transfer.type);
  else
    transfer.copy.write(transfer.buffer(), first, last);
}

/// Does what is next. At the end, sends the bundled signal.
void Engine::runTransfer(uint32_t id) {
  Transfer &transfer = transfers[id];
  switch (transfer.phase) {
  case Transfer::Phase::Read:
    if (transfer.writeAt == now && !transfer.add) {
      transfer.copy.move(0, transfer.copy.count);
      break;
    }
    transfer.makeBuffer();
    transfer.copy.read(transfer.buffer(), 0, transfer.copy.count);
    transfer.phase = Transfer::Phase::Write;
    if (transfer.writeAt > now) {
      heap.push(transfer.writeAt, EventKind::Transfer, id);
      return;
    }
    [[fallthrough]];
  case Transfer::Phase::Write:
    writePiece(transfer, 0, transfer.copy.count);
    break;
  case Transfer::Phase::InPieces:
    if (!runPieces(id, transfer))
      return;
    break;
  case Transfer::Phase::Arrive:
    arrive(transfer.arrival);
    transfers.give(id);
    return;
  }
  transfer.dropBuffer();
  if (transfer.arrival.slot && transfer.arriveAt > now) {
    transfer.phase = Transfer::Phase::Arrive;
    heap.push(transfer.arriveAt, EventKind::Transfer, id);
    return;
  }
  if (transfer.arrival.slot)
    arrive(transfer.arrival);
  transfers.give(id);
}

/// Does what is planned for now; returns whether that was the end.
bool Engine::runPieces(uint32_t id, Transfer &transfer) {
  Pieces &pieces = *transfer.pieces;
  while (pieces.next < pieces.plan.size()) {
    const Pieces::Action &action = pieces.plan[pieces.next];
    if (action.time > now) {
      heap.push(action.time, EventKind::Transfer, id);
      return false;
    }
    uint64_t first = 0, last = transfer.copy.count;
    if (!pieces.bounds.empty()) {
      first = pieces.bounds[action.piece];
      if (action.piece + 1 < pieces.bounds.size())
        last = pieces.bounds[action.piece + 1];
    }
    transfer.makeBuffer();
    if (action.write)
      writePiece(transfer, first, last);
    else
      readPiece(transfer, first, last, action.early);
    ++pieces.next;
  }
  for (auto *list : {&pieces.forwards, &pieces.stored}) {
    for (const Pieces::Forward &forward : *list)
      release(forward.access);
    list->clear();
  }
  return true;
}

void Engine::readPiece(Transfer &transfer, uint64_t first, uint64_t last,
                       bool early) {
  Copy &copy = transfer.copy;
  char *buffer = transfer.buffer();
  char *source = copy.source;
  if (early)
    for (size_t i = 0; i < windows.size(); ++i)
      if (source >= windows[i]->begin() && source < windows[i]->end())
        copy.source = initial[i].data() + (source - windows[i]->begin());
  copy.read(buffer, first, last);
  copy.source = source;
  const Pieces &pieces = *transfer.pieces;
  for (const Pieces::Forward &forward :
       early ? pieces.stored : pieces.forwards) {
    const Access &access = accesses[forward.access];
    if (!access.performed && forward.element >= first && forward.element < last)
      std::memcpy(buffer + forward.element * copy.bytes, &access.value,
                  copy.bytes);
  }
}
