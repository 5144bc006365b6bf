//===- Signal.h - signals and waits -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Definitions; Gin.h says what they promise.
//
// A signal: the agent's threads meet, then one of them releases. A release at
// system scope is cumulative: it covers what the others did before the barrier,
// and what the agent had acquired. A wait: one thread polls with acquire, and
// the barrier hands on what it saw. Polling relaxed and then fencing would cost
// 1.1 us more.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_SIGNAL_H
#define GIN_DEVICE_SIGNAL_H

#include "runtime/device/Bulk.h"
#include "runtime/device/Check.h"

namespace gin {

namespace detail {

/// Asynchronous copies of this thread have arrived.
GIN_DEVICE void completeBulk(Context &context) {
  if (context.bulkPending)
    bulkWait();
  context.bulkPending = false;
}

/// The leader's part of a plain or bundled signal; its agent's threads have
/// met. Asynchronous copies were issued by the leader.
GIN_DEVICE void release(Context &context, uint64_t *address, uint64_t weight) {
  completeBulk(context);
  addRelease(address, weight + context.zero);
}

GIN_DEVICE uint64_t *slotOf(const Bank &bank, int32_t peer, uint32_t slot) {
  return wordsOf(bank.peers, peer) + static_cast<uint64_t>(slot) * slotStride;
}

GIN_DEVICE bool reached(uint64_t value, uint64_t target) {
  return static_cast<int64_t>(value - target) >= 0;
}

/// What is waited for: `count` above `base`. The rest is for the record.
struct Awaited {
  const uint64_t *address;
  uint64_t base, count;
  uint32_t bank, slot;
  int32_t peer;
  bool must; // else a time-out is no error
};

/// Polls on, with the checks that the first polls do without, and records what
/// goes wrong. Out of line, so that the short way stays short.
GIN_COLD bool pollSlowly(State *state, Awaited awaited, uint64_t timeout,
                         Site site) {
  const uint64_t begun = nanoseconds();
  uint64_t value;
  uint32_t error = GIN_SUCCESS;
  for (unsigned polls = 0; error == GIN_SUCCESS; ++polls) {
    value = loadAcquire(awaited.address);
    if (reached(value, awaited.base + awaited.count))
      return true;
    if ((polls & 15) != 15)
      continue;
    const uint64_t waited = nanoseconds() - begun;
    if (loadRelaxed(&state->stop) != 0)
      error = GIN_ERR_ABORTED;
    else if (timeout != 0 && waited >= timeout)
      error = GIN_ERR_TIMEOUT;
    // The abort flag lies in host memory, 2 us away.
    else if ((polls & 255) == 255 && loadRelaxed(state->abort) != 0)
      error = GIN_ERR_ABORTED;
    // Who has waited for long can afford to see it a little late.
    else if (waited > 100000)
      pause(waited > 10000000 ? 1000 : 200);
  }
  if (awaited.must || error == GIN_ERR_ABORTED)
    recordFault(state,
                {error, awaited.peer, awaited.bank, awaited.slot,
                 value - awaited.base, awaited.count},
                site);
  return false;
}

/// Until the count is reached, wrap-safe; false on failure. One thread.
GIN_DEVICE bool poll(const Context &context, const Awaited &awaited,
                     uint64_t timeout, const Site &site) {
  // Most waits that matter end here: 40 polls are about 20 us.
  GIN_NO_UNROLL
  for (unsigned i = 0; i < 40; ++i)
    if (likely(reached(loadAcquire(awaited.address),
                       awaited.base + awaited.count)))
      return true;
  return pollSlowly(
      context.state, awaited,
      timeout == programTimeout ? context.program->timeout : timeout, site);
}

/// The leader's wait.
GIN_DEVICE bool waitAlone(Context &context, const Bank &bank, uint32_t slot,
                          uint64_t count, uint64_t timeout, bool must,
                          const Site &site) {
  if (!checkSlot(context, context.rank, bank, slot, site))
    return false;
  const uint64_t base = bank.bases[slot];
  // Before it is known, where it costs nothing: if a wait that must succeed
  // does not, nobody counts on.
  if (must)
    maxRelaxedGpu(bank.counts + slot, count);
  const Awaited awaited{bank.values + static_cast<uint64_t>(slot) * slotStride,
                        base,
                        count,
                        bank.index,
                        slot,
                        -1,
                        must};
  const bool arrived = poll(context, awaited, timeout, site);
  if (!must && arrived)
    maxRelaxedGpu(bank.counts + slot, count);
  return arrived;
}

} // namespace detail

template <class Coop>
GIN_DEVICE void signal(Context &context, Coop scope, int32_t peer,
                       const Signal &signal, Strength strength,
                       const Site &site) {
  const detail::Crew<Coop> coop(scope, context);
  if (strength == Strength::Plain)
    coop.sync();
  // The other threads hear of an error at the next operation with a result.
  if (!coop.leader() ||
      !detail::checkSlot(context, peer, *signal.bank, signal.slot, site))
    return;
  uint64_t *address = detail::slotOf(*signal.bank, peer, signal.slot);
  if (strength == Strength::Plain)
    detail::release(context, address, signal.weight);
  else
    addRelaxed(address, signal.weight + context.zero);
}

template <class Coop>
GIN_DEVICE bool wait(Context &context, Coop scope, const Bank &bank,
                     uint32_t slot, uint64_t count, uint64_t timeout,
                     const Site &site) {
  const detail::Crew<Coop> coop(scope, context);
  if (coop.leader())
    context.failed =
        !detail::waitAlone(context, bank, slot, count, timeout, true, site);
  context.failed = coop.syncOr(context.failed);
  return !context.failed;
}

template <class Coop>
GIN_DEVICE bool waitFor(Context &context, Coop scope, const Bank &bank,
                        uint32_t slot, uint64_t count, uint64_t timeout,
                        const Site &site) {
  const detail::Crew<Coop> coop(scope, context);
  bool arrived = false;
  if (coop.leader()) {
    arrived =
        detail::waitAlone(context, bank, slot, count, timeout, false, site);
    // Without its arrival it may have ended by an error.
    if (!arrived)
      context.failed |= loadRelaxed(&context.state->stop) != 0;
  }
  context.failed = coop.syncOr(context.failed);
  return coop.syncOr(arrived);
}

namespace detail {
/// For loops of tests, which shall end as waits do: whether the launch has
/// failed. The abort flag is far away, so it is looked at for 16 us in each
/// millisecond.
GIN_COLD bool hasStopped(State *state, uint32_t bank, uint32_t slot,
                         uint64_t count, Site site) {
  if (loadRelaxed(&state->stop) != 0)
    return true;
  if ((nanoseconds() >> 14 & 63) != 0 || loadRelaxed(state->abort) == 0)
    return false;
  recordFault(state, {GIN_ERR_ABORTED, -1, bank, slot, 0, count}, site);
  return true;
}
} // namespace detail

template <class Coop>
GIN_DEVICE bool test(Context &context, Coop scope, const Bank &bank,
                     uint32_t slot, uint64_t count, const Site &site) {
  const detail::Crew<Coop> coop(scope, context);
  bool arrived = false;
  if (coop.leader() &&
      detail::checkSlot(context, context.rank, bank, slot, site)) {
    const uint64_t value =
        loadAcquire(bank.values + static_cast<uint64_t>(slot) * slotStride);
    arrived = detail::reached(value, bank.bases[slot] + count);
    if (arrived)
      maxRelaxedGpu(bank.counts + slot, count);
    else
      context.failed =
          detail::hasStopped(context.state, bank.index, slot, count, site);
  }
  context.failed = coop.syncOr(context.failed);
  return coop.syncOr(arrived);
}

GIN_DEVICE uint64_t read(Context &context, const Bank &bank, uint32_t slot,
                         const Site &site) {
  if (!detail::checkSlot(context, context.rank, bank, slot, site))
    return 0;
  const uint64_t value =
      loadAcquire(bank.values + static_cast<uint64_t>(slot) * slotStride) -
      bank.bases[slot];
  maxRelaxedGpu(bank.counts + slot, value);
  // For loops of reads, as for those of tests.
  context.failed =
      detail::hasStopped(context.state, bank.index, slot, value, site);
  return value;
}

} // namespace gin

#endif // GIN_DEVICE_SIGNAL_H
