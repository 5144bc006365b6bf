//===- Check.h - errors of device functions ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Checks compare kernel parameters and cost a few instructions. The first error
// of a rank is recorded in host memory; every rank of the program then leaves
// its waits, and all further operations do nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_CHECK_H
#define GIN_DEVICE_CHECK_H

#include "runtime/device/Platform.h"
#include "runtime/device/Types.h"

namespace gin::detail {

GIN_DEVICE Part partOf(const Window &window, int32_t rank) {
  if (__builtin_expect(static_cast<uint32_t>(rank) < directRanks, 1))
    return window.direct[rank];
  return window.more[rank];
}
GIN_DEVICE uint64_t *wordsOf(const Words &words, int32_t rank) {
  if (__builtin_expect(static_cast<uint32_t>(rank) < directRanks, 1))
    return words.direct[rank];
  return words.more[rank];
}

/// What an error record says beside its site.
struct Fault {
  uint32_t code;
  int32_t peer;
  uint32_t bank;
  uint64_t slot, have, want;
};

GIN_DEVICE void copyText(char *to, const char *from, unsigned size) {
  unsigned i = 0;
  // As payload is read, so that no read-only load stands in any kernel.
  for (uint32_t letter; from && i + 1 < size && (letter = load1(from + i)); ++i)
    to[i] = static_cast<char>(letter);
  to[i] = 0;
}

/// Records an error, and makes every rank of the program leave. One thread.
/// Takes no reference, which would keep the caller's variables in memory.
GIN_COLD void recordFault(State *state, Fault fault, Site site) {
  if (exchangeIf(&state->claimed, 0, 1) == 0) {
    ErrorRecord *record = state->record;
    record->rank = state->rank;
    record->peer = fault.peer;
    record->block = blockInGrid();
    record->thread = threadInBlock();
    record->line = site.line;
    record->bank = fault.bank;
    record->slot = fault.slot;
    record->have = fault.have;
    record->want = fault.want;
    record->launch = state->launch;
    copyText(record->text, site.text, sizeof record->text);
    copyText(record->file, site.file, sizeof record->file);
    storeRelease(&record->code, fault.code);
  }
  for (int32_t rank = 0; rank < state->ranks; ++rank)
    storeRelaxed(state->stops[rank], fault.code);
}

// Operations check by one condition without short cuts, and one branch to one
// call of a function below, which finds out what it was: whatever stands
// between a wait and the next signal costs latency, by its mere size too. One
// of the conditions is an int, which tells compilers that `&` is meant.

GIN_DEVICE bool likely(bool value) { return __builtin_expect(value, 1); }

GIN_DEVICE bool isRank(const Context &context, int32_t peer) {
  return static_cast<uint32_t>(peer) < static_cast<uint32_t>(context.ranks);
}

/// `peer`'s part, or any if there is no such peer.
GIN_DEVICE Part anyPart(const Context &context, const Window &window,
                        int32_t peer) {
  return partOf(window, isRank(context, peer) ? peer : 0);
}

/// Whether a range lies within a part. 0 bytes may stand at the end.
GIN_DEVICE bool fits(const Part &part, uint64_t offset, uint64_t bytes) {
  return (offset <= part.bytes) & (bytes <= part.bytes - offset);
}

GIN_DEVICE bool allows(const Window &window, const Part &part, uint32_t right) {
  return ((window.rights & right) == right) & (part.base != nullptr);
}

/// What is wrong with an access to `peer`'s part; returns whether anything is.
/// `window` holds its number, its rights, and those that are needed.
struct Claim {
  uint32_t window, rights, right;
};
GIN_DEVICE Claim claimOf(const Window &window, uint32_t right) {
  return {window.id, window.rights, right};
}
GIN_COLD bool recordAccess(State *state, bool record, int32_t peer, Part part,
                           uint64_t offset, uint64_t bytes, Claim claim,
                           Site site) {
  Fault fault{GIN_SUCCESS, peer, 0, claim.window, part.bytes, offset + bytes};
  if (static_cast<uint32_t>(peer) >= static_cast<uint32_t>(state->ranks))
    fault = {GIN_ERR_INVALID_ARGUMENT, peer, 0, 0, uint64_t(peer),
             uint64_t(state->ranks)};
  else if (!fits(part, offset, bytes))
    fault.code = GIN_ERR_WINDOW_FULL;
  else if ((claim.rights & claim.right) != claim.right)
    fault = {GIN_ERR_ACCESS, peer, 0, claim.window, claim.rights, claim.right};
  else if (!part.base)
    fault.code = GIN_ERR_NO_PEER_ACCESS;
  if (fault.code == GIN_SUCCESS)
    return false;
  if (record)
    recordFault(state, fault, site);
  return true;
}

/// An argument is wrong; `have` and `want` say how.
GIN_COLD void recordArgument(State *state, bool record, int32_t peer,
                             uint64_t have, uint64_t want, Site site) {
  if (record)
    recordFault(state, {GIN_ERR_INVALID_ARGUMENT, peer, 0, 0, have, want},
                site);
}

/// What is wrong with a slot at `peer`.
GIN_COLD void recordSlot(State *state, bool record, int32_t peer, uint32_t bank,
                         uint32_t slots, uint32_t slot, Site site) {
  if (!record)
    return;
  if (slot >= slots)
    recordFault(state,
                {GIN_ERR_NO_SLOT, peer, bank, slot, slots, uint64_t(slot) + 1},
                site);
  else
    recordFault(state,
                {GIN_ERR_INVALID_ARGUMENT, peer, 0, 0, uint64_t(peer),
                 uint64_t(state->ranks)},
                site);
}

/// Whether the leader may use a slot of a bank at `peer`.
GIN_DEVICE bool checkSlot(Context &context, int32_t peer, const Bank &bank,
                          uint32_t slot, const Site &site) {
  if (likely((slot < bank.slots) & isRank(context, peer) & !context.failed))
    return true;
  recordSlot(context.state, !context.failed, peer, bank.index, bank.slots, slot,
             site);
  context.failed = true;
  return false;
}

} // namespace gin::detail

#endif // GIN_DEVICE_CHECK_H
