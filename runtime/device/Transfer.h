//===- Transfer.h - one-sided transfers -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Definitions; Gin.h says what they promise.
//
// A transfer begins with a barrier of the agent's threads, since each copies
// what others may have written, and ends without one: signal, await and flush
// have it.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_TRANSFER_H
#define GIN_DEVICE_TRANSFER_H

#include "runtime/device/Accumulate.h"
#include "runtime/device/Copy.h"
#include "runtime/device/Signal.h"

namespace gin {

namespace detail {

/// What was wrong with a transfer; nothing if it was to the same place.
GIN_COLD bool recordTransfer(State *state, bool record, int32_t peer,
                             Part remote, uint64_t remoteOffset, Part own,
                             uint64_t ownOffset, uint64_t bytes, Claim claim,
                             uint32_t ownWindow, Site site) {
  if (recordAccess(state, record, peer, remote, remoteOffset, bytes, claim,
                   site) ||
      recordAccess(state, record, state->rank, own, ownOffset, bytes,
                   {ownWindow, 0, 0}, site))
    return true;
  const uint64_t distance = static_cast<uint64_t>((remote.base + remoteOffset) -
                                                  (own.base + ownOffset));
  if (distance == 0 || (distance >= bytes && -distance >= bytes))
    return false;
  recordArgument(state, record, peer, distance, bytes, site);
  return true;
}

/// Whether the slot of a bundled signal exists, or there is none.
GIN_DEVICE bool hasSlot(const Signal &bundle) {
  return !bundle.bank || bundle.slot < bundle.bank->slots;
}
template <class Coop>
GIN_DEVICE void checkBundle(Context &context, Coop coop, int32_t peer,
                            const Signal &bundle, const Site &site) {
  if (hasSlot(bundle))
    return;
  // NOLINTBEGIN(clang-analyzer-core.NullDereference): hasSlot() excludes it.
  recordSlot(context.state, coop.leader() && !context.failed, peer,
             bundle.bank->index, bundle.bank->slots, bundle.slot, site);
  // NOLINTEND(clang-analyzer-core.NullDereference)
  context.failed = true;
}

/// Puts and gets, which differ in direction, as `right` says. A short one is of
/// at most 16 bytes for each thread.
template <bool Short, class Coop>
GIN_DEVICE void transfer(Context &context, Coop coop, int32_t peer,
                         const Window &remote, uint64_t remoteOffset,
                         const Window &own, uint64_t ownOffset, uint64_t bytes,
                         uint32_t right, const Signal &bundle,
                         const Site &site) {
  // What threads stored may be read by the copy engine.
  if constexpr (std::is_base_of_v<BulkBlock, Coop>)
    fenceAsync();
  coop.sync();
  const Part ownPart{own.base, own.bytes};
  char *here = own.base + ownOffset;
  Part part;
  char *there;
  auto mayTransfer = [&] {
    opaque(peer); // not to be done before what stands before
    part = anyPart(context, remote, peer);
    there = part.base + remoteOffset;
    // Modulo 2^64, and so right between allocations too.
    const uint64_t distance = static_cast<uint64_t>(there - here);
    return int(isRank(context, peer)) & !context.failed & hasSlot(bundle) &
           fits(part, remoteOffset, bytes) & allows(remote, part, right) &
           fits(ownPart, ownOffset, bytes) & (distance >= bytes) &
           (-distance >= bytes);
  };
  bool good;
  const bool toPeer = right == GIN_RIGHT_WRITE;
  // As windows are, which begin at multiples of 16.
  const bool vectors = ((remoteOffset | ownOffset | bytes) & 15) == 0;
  if (toPeer && vectors && !prefersShared(coop, bytes)) {
    const bool mayRead = fits(ownPart, ownOffset, bytes);
    if (Short || bytes <= 16 * static_cast<uint64_t>(coop.size())) {
      // Warps that have none of a short message leave, all but the first, which
      // checks for them.
      if (coop.index() >= 32 && 16 * uint64_t(coop.index() & ~31u) >= bytes)
        return;
      good = copyAhead<1>(coop, there, here, bytes, mayRead, mayTransfer);
    } else {
      good = copyAhead<Coop::unroll>(coop, there, here, bytes, mayRead,
                                     mayTransfer);
    }
  } else {
    good = mayTransfer();
    if (likely(good)) {
      char *to = toPeer ? there : here, *from = toPeer ? here : there;
      if (copyThroughShared(coop, to, from, bytes))
        context.bulkPending |= coop.leader();
      else if (toPeer)
        copyOdd(coop, to, from, bytes);
      else
        copyThroughRegisters(coop, to, from, bytes);
    }
  }
  if (likely(good))
    return;
  context.failed |= recordTransfer(
      context.state, coop.leader() && !context.failed, peer, part, remoteOffset,
      ownPart, ownOffset, bytes, claimOf(remote, right), own.id, site);
  checkBundle(context, coop, peer, bundle, site);
}

/// Whether one thread may access `bytes` at a multiple of `alignment`.
GIN_DEVICE bool checkElement(Context &context, int32_t peer,
                             const Window &window, const Part &part,
                             uint64_t offset, uint64_t bytes,
                             uint64_t alignment, uint32_t right,
                             const Signal &bundle, const Site &site) {
  if (likely(int(isRank(context, peer)) & !context.failed & hasSlot(bundle) &
             fits(part, offset, bytes) & allows(window, part, right) &
             (offset % alignment == 0)))
    return true;
  const bool record = !context.failed;
  if (!hasSlot(bundle))
    checkBundle(context, Thread(), peer, bundle, site);
  else if (!recordAccess(context.state, record, peer, part, offset, bytes,
                         claimOf(window, right), site))
    recordArgument(context.state, record, peer, offset, alignment, site);
  context.failed = true;
  return false;
}

/// The bundled signal, whose slot the transfer has checked. The same as a plain
/// one, which is stronger.
template <class Coop>
GIN_DEVICE void bundled(Context &context, Coop coop, int32_t peer,
                        const Signal &bundle) {
  if (!bundle.bank)
    return;
  coop.sync();
  if (coop.leader() && likely(!context.failed))
    release(context, slotOf(*bundle.bank, peer, bundle.slot), bundle.weight);
}

} // namespace detail

template <class Coop>
GIN_DEVICE Token put(Context &context, Coop scope, int32_t peer,
                     const Window &target, uint64_t targetOffset,
                     const Window &source, uint64_t sourceOffset,
                     uint64_t bytes, const Signal &bundle, const Site &site) {
  const detail::Crew<Coop> coop(scope, context);
  // What a warp writes by one access a thread, its own release covers, without
  // a second barrier of the block.
  if constexpr (Coop::fixedSize == 0)
    if (bundle.bank && bytes <= 512 && coop.size() >= 32) {
      coop.sync();
      if (coop.index() < 32) {
        const detail::Crew<Warp> warp(Warp(), context);
        detail::transfer<true>(context, warp, peer, target, targetOffset,
                               source, sourceOffset, bytes, GIN_RIGHT_WRITE,
                               bundle, site);
        detail::bundled(context, warp, peer, bundle);
      }
      return {};
    }
  detail::transfer<false>(context, coop, peer, target, targetOffset, source,
                          sourceOffset, bytes, GIN_RIGHT_WRITE, bundle, site);
  detail::bundled(context, coop, peer, bundle);
  return {};
}

template <class Coop>
GIN_DEVICE Token get(Context &context, Coop scope, int32_t peer,
                     const Window &source, uint64_t sourceOffset,
                     const Window &target, uint64_t targetOffset,
                     uint64_t bytes, const Site &site) {
  const detail::Crew<Coop> coop(scope, context);
  detail::transfer<false>(context, coop, peer, source, sourceOffset, target,
                          targetOffset, bytes, GIN_RIGHT_READ, {}, site);
  return {};
}

template <class T, class Coop>
GIN_DEVICE Token putValue(Context &context, Coop scope, int32_t peer,
                          const Window &target, uint64_t targetOffset, T value,
                          const Signal &bundle, const Site &site) {
  const detail::Crew<Coop> coop(scope, context);
  static_assert(sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                "a value has 1, 2, 4 or 8 bytes");
  const Part part = detail::anyPart(context, target, peer);
  if (coop.leader() &&
      detail::checkElement(context, peer, target, part, targetOffset, sizeof(T),
                           sizeof(T), GIN_RIGHT_WRITE, bundle, site)) {
    using Word = detail::WordOf<sizeof(T)>;
    Word word;
    __builtin_memcpy(&word, &value, sizeof word);
    storeRelaxed(reinterpret_cast<Word *>(part.base + targetOffset), word);
  }
  detail::bundled(context, coop, peer, bundle);
  return {};
}

template <class T, class Coop>
GIN_DEVICE Token putAccumulate(Context &context, Coop scope, int32_t peer,
                               const Window &target, uint64_t targetOffset,
                               const Window &source, uint64_t sourceOffset,
                               uint64_t count, const Signal &bundle,
                               const Site &site) {
  const detail::Crew<Coop> coop(scope, context);
  coop.sync();
  const Part part = detail::anyPart(context, target, peer);
  // A count whose bytes do not fit into 64 bits fits nowhere.
  const uint64_t bytes =
      count > ~uint64_t(0) / sizeof(T) ? ~uint64_t(0) : count * sizeof(T);
  bool good = true;
  if (coop.leader()) {
    good = detail::checkElement(
               context, peer, target, part, targetOffset, bytes, sizeof(T),
               GIN_RIGHT_WRITE | GIN_RIGHT_ATOMIC, bundle, site) &&
           detail::checkElement(context, context.rank, source,
                                {source.base, source.bytes}, sourceOffset,
                                bytes, sizeof(T), 0, {}, site);
  }
  context.failed = coop.syncOr(!good);
  if (!context.failed) {
    T *to = reinterpret_cast<T *>(part.base + targetOffset);
    const T *from = reinterpret_cast<const T *>(source.base + sourceOffset);
    compilerFence();
    for (uint64_t i = coop.index(); i < count; i += coop.size())
      detail::addElement(to + i, detail::loadElement(from + i));
  }
  detail::bundled(context, coop, peer, bundle);
  return {};
}

template <class T, class Coop>
GIN_DEVICE Token atomicAdd(Context &context, Coop scope, int32_t peer,
                           const Window &target, uint64_t targetOffset, T value,
                           const Site &site) {
  const detail::Crew<Coop> coop(scope, context);
  const Part part = detail::anyPart(context, target, peer);
  if (coop.leader() &&
      detail::checkElement(context, peer, target, part, targetOffset, sizeof(T),
                           sizeof(T), GIN_RIGHT_ATOMIC, {}, site))
    detail::addElement(reinterpret_cast<T *>(part.base + targetOffset), value);
  return {};
}

template <class T>
GIN_DEVICE T *peerView(Context &context, int32_t peer, const Window &window,
                       const Site &site) {
  const Part part = detail::anyPart(context, window, peer);
  if (!detail::checkElement(context, peer, window, part, 0, 0, 1, 0, {}, site))
    return nullptr;
  return reinterpret_cast<T *>(part.base);
}

GIN_DEVICE uint64_t bytesAt(const Window &window, int32_t peer) {
  return detail::partOf(window, peer).bytes;
}

template <class Coop>
GIN_DEVICE void flush(Context &context, Coop scope) {
  const detail::Crew<Coop> coop(scope, context);
  detail::completeBulk(context);
  coop.sync();
}

template <class Coop>
GIN_DEVICE void await(Context &context, Coop scope, Token) {
  flush(context, scope);
}

} // namespace gin

#endif // GIN_DEVICE_TRANSFER_H
