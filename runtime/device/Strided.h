//===- Strided.h - transfers of blocks with gaps ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Puts, gets and additions of blocks of N dimensions. Offsets, strides and
// sizes are in elements of type T. What is contiguous on both sides is one
// transfer; otherwise long rows go to the scope's warps, and short ones are
// copied element by element.
//
// Checks, tokens and signals are those of put(), get() and putAccumulate(); the
// range that is checked reaches from the first element to the last. A block
// that overlaps itself is not found out.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_STRIDED_H
#define GIN_DEVICE_STRIDED_H

#include "runtime/device/Transfer.h"

namespace gin {

namespace detail {

/// A block as rows that have no gaps on either side.
template <unsigned N>
struct Rows {
  uint64_t count = 1;  // of rows; 0 for an empty block
  uint64_t length = 1; // of a row, in elements
  bool valid = true;   // no size is negative
  unsigned dims = 0;   // that rows are counted by
  int64_t sizes[N], remote[N], own[N];

  GIN_DEVICE Rows(const int64_t (&remoteStrides)[N],
                  const int64_t (&ownStrides)[N], const int64_t (&all)[N]) {
    bool contiguous = true;
    for (unsigned i = N; i-- > 0;) {
      valid &= all[i] >= 0;
      if (all[i] == 1)
        continue;
      contiguous &= remoteStrides[i] == static_cast<int64_t>(length) &&
                    ownStrides[i] == static_cast<int64_t>(length);
      if (contiguous) {
        length *= static_cast<uint64_t>(all[i]);
        continue;
      }
      count *= static_cast<uint64_t>(all[i]);
      sizes[dims] = all[i];
      remote[dims] = remoteStrides[i];
      own[dims] = ownStrides[i];
      ++dims; // the innermost comes first
    }
    if (length == 0)
      count = 0;
  }

  /// Where a row begins, counted from the block's first element.
  GIN_DEVICE int64_t begin(const int64_t (&strides)[N], uint64_t row) const {
    int64_t offset = 0;
    for (unsigned i = 0; i < dims; ++i) {
      const uint64_t size = static_cast<uint64_t>(sizes[i]);
      offset += static_cast<int64_t>(row % size) * strides[i];
      row /= size;
    }
    return offset;
  }
};

/// The elements from a block's first to its last, or more than there can be.
template <unsigned N>
GIN_DEVICE uint64_t reach(const int64_t (&strides)[N],
                          const int64_t (&sizes)[N], uint64_t most) {
  uint64_t last = 0;
  for (unsigned i = 0; i < N; ++i) {
    if (sizes[i] == 0)
      return 0;
    if (sizes[i] == 1)
      continue;
    const uint64_t step = static_cast<uint64_t>(strides[i]);
    const uint64_t steps = static_cast<uint64_t>(sizes[i]) - 1;
    if (strides[i] < 0 || sizes[i] < 0 || last > most ||
        (step != 0 && steps > most / step))
      return ~uint64_t(0);
    last += step * steps;
  }
  return last + 1;
}

template <class T>
GIN_DEVICE void copyElement(T *to, const T *from) {
  if constexpr (sizeof(T) == 1)
    store1(to, load1(from));
  else if constexpr (sizeof(T) == 2)
    storeRelaxed(reinterpret_cast<uint16_t *>(to), load2(from));
  else if constexpr (sizeof(T) == 4)
    storeRelaxed(reinterpret_cast<uint32_t *>(to), load4(from));
  else
    store8(to, load8(from));
}

enum class Action { Put, Get, Add };

/// One element of a block after the other, shared out among threads.
template <Action action, class T, unsigned N, class Coop>
GIN_DEVICE void moveElements(Coop coop, T *there, T *here,
                             const Rows<N> &rows) {
  const uint64_t count = rows.count * rows.length;
  for (uint64_t i = coop.index(); i < count; i += coop.size()) {
    const uint64_t row = i / rows.length;
    const int64_t at = static_cast<int64_t>(i % rows.length);
    T *remote = there + rows.begin(rows.remote, row) + at;
    T *own = here + rows.begin(rows.own, row) + at;
    if constexpr (action == Action::Put)
      copyElement(remote, own);
    else if constexpr (action == Action::Get)
      copyElement(own, remote);
    else
      addElement(remote, loadElement(own));
  }
}

/// A warp, or a thread alone, for the copy of one row.
struct RowPlaces : Places<8> {
  GIN_DEVICE bool leader() const { return place == 0; }
};

/// One row after the other, shared out among warps; a thread that acts alone
/// has all of them.
template <Action action, class T, unsigned N, class Coop>
GIN_DEVICE void moveRows(Coop coop, T *there, T *here, const Rows<N> &rows) {
  const unsigned lanes = coop.size() < 32 ? 1 : 32;
  const RowPlaces warp{{coop.index() % lanes, lanes}};
  for (uint64_t row = coop.index() / lanes; row < rows.count;
       row += coop.size() / lanes) {
    char *remote =
        reinterpret_cast<char *>(there + rows.begin(rows.remote, row));
    char *own = reinterpret_cast<char *>(here + rows.begin(rows.own, row));
    copyThroughRegisters(warp, action == Action::Put ? remote : own,
                         action == Action::Put ? own : remote,
                         rows.length * sizeof(T));
  }
}

template <Action action, class T, unsigned N, class Coop>
GIN_DEVICE void moveBlock(Context &context, Coop coop, int32_t peer,
                          const Window &remote, int64_t remoteOffset,
                          const int64_t (&remoteStrides)[N], const Window &own,
                          int64_t ownOffset, const int64_t (&ownStrides)[N],
                          const int64_t (&sizes)[N], const Rows<N> &rows,
                          const Signal &bundle, const Site &site) {
  constexpr uint32_t right = action == Action::Get ? GIN_RIGHT_READ
                             : action == Action::Put
                                 ? GIN_RIGHT_WRITE
                                 : GIN_RIGHT_WRITE | GIN_RIGHT_ATOMIC;
  coop.sync();
  const Part part = anyPart(context, remote, peer);
  const Part ownPart{own.base, own.bytes};
  // More elements than a part has are more bytes than it has, too.
  auto bytesOf = [](uint64_t elements) {
    return elements > ~uint64_t(0) / sizeof(T) ? ~uint64_t(0)
                                               : elements * sizeof(T);
  };
  const uint64_t remoteAt = bytesOf(static_cast<uint64_t>(remoteOffset));
  const uint64_t ownAt = bytesOf(static_cast<uint64_t>(ownOffset));
  const uint64_t remoteBytes =
      bytesOf(reach(remoteStrides, sizes, part.bytes / sizeof(T)));
  const uint64_t ownBytes =
      bytesOf(reach(ownStrides, sizes, own.bytes / sizeof(T)));
  if (likely(int(isRank(context, peer)) & !context.failed & hasSlot(bundle) &
             rows.valid & fits(part, remoteAt, remoteBytes) &
             allows(remote, part, right) & fits(ownPart, ownAt, ownBytes))) {
    T *there = reinterpret_cast<T *>(part.base + remoteAt);
    T *here = reinterpret_cast<T *>(own.base + ownAt);
    bool same = action != Action::Add && there == here;
    for (unsigned i = 0; i < rows.dims; ++i)
      same &= rows.remote[i] == rows.own[i];
    if (same)
      return;
    compilerFence();
    if (action != Action::Add && rows.length * sizeof(T) >= 512 &&
        (coop.size() == 1 || coop.size() % 32 == 0))
      moveRows<action>(coop, there, here, rows);
    else
      moveElements<action>(coop, there, here, rows);
    compilerFence();
    return;
  }
  const bool record = coop.leader() && !context.failed;
  if (!recordAccess(context.state, record, peer, part, remoteAt, remoteBytes,
                    claimOf(remote, right), site) &&
      !recordAccess(context.state, record, context.rank, ownPart, ownAt,
                    ownBytes, {own.id, 0, 0}, site) &&
      hasSlot(bundle) && !rows.valid)
    recordArgument(context.state, record, peer, 0, 0, site);
  context.failed |= hasSlot(bundle);
  checkBundle(context, coop, peer, bundle, site);
}

} // namespace detail

/// Writes a block of the own part of `source` to `peer`'s part of `target`.
template <class T, unsigned N, class Coop>
GIN_DEVICE Token putBlock(Context &context, Coop scope, int32_t peer,
                          const Window &target, int64_t targetOffset,
                          const int64_t (&targetStrides)[N],
                          const Window &source, int64_t sourceOffset,
                          const int64_t (&sourceStrides)[N],
                          const int64_t (&sizes)[N], const Signal &bundle,
                          const Site &site) {
  const detail::Rows<N> rows(targetStrides, sourceStrides, sizes);
  if (rows.dims == 0 && rows.valid)
    return put(context, scope, peer, target,
               static_cast<uint64_t>(targetOffset) * sizeof(T), source,
               static_cast<uint64_t>(sourceOffset) * sizeof(T),
               rows.length * sizeof(T), bundle, site);
  const detail::Crew<Coop> coop(scope, context);
  detail::moveBlock<detail::Action::Put, T>(
      context, coop, peer, target, targetOffset, targetStrides, source,
      sourceOffset, sourceStrides, sizes, rows, bundle, site);
  detail::bundled(context, coop, peer, bundle);
  return {};
}

template <class T, unsigned N, class Coop>
GIN_DEVICE Token putBlock(Context &context, Coop scope, int32_t peer,
                          const Window &target, int64_t targetOffset,
                          const int64_t (&targetStrides)[N],
                          const Window &source, int64_t sourceOffset,
                          const int64_t (&sourceStrides)[N],
                          const int64_t (&sizes)[N], const Site &site) {
  return putBlock<T>(context, scope, peer, target, targetOffset, targetStrides,
                     source, sourceOffset, sourceStrides, sizes, Signal(),
                     site);
}

/// Adds a block to that at `peer`, each element atomically.
template <class T, unsigned N, class Coop>
GIN_DEVICE Token putAccumulateBlock(Context &context, Coop scope, int32_t peer,
                                    const Window &target, int64_t targetOffset,
                                    const int64_t (&targetStrides)[N],
                                    const Window &source, int64_t sourceOffset,
                                    const int64_t (&sourceStrides)[N],
                                    const int64_t (&sizes)[N],
                                    const Signal &bundle, const Site &site) {
  const detail::Rows<N> rows(targetStrides, sourceStrides, sizes);
  const detail::Crew<Coop> coop(scope, context);
  detail::moveBlock<detail::Action::Add, T>(
      context, coop, peer, target, targetOffset, targetStrides, source,
      sourceOffset, sourceStrides, sizes, rows, bundle, site);
  detail::bundled(context, coop, peer, bundle);
  return {};
}

template <class T, unsigned N, class Coop>
GIN_DEVICE Token putAccumulateBlock(Context &context, Coop scope, int32_t peer,
                                    const Window &target, int64_t targetOffset,
                                    const int64_t (&targetStrides)[N],
                                    const Window &source, int64_t sourceOffset,
                                    const int64_t (&sourceStrides)[N],
                                    const int64_t (&sizes)[N],
                                    const Site &site) {
  return putAccumulateBlock<T>(context, scope, peer, target, targetOffset,
                               targetStrides, source, sourceOffset,
                               sourceStrides, sizes, Signal(), site);
}

/// Reads a block of `peer`'s part of `source` into the own part of `target`.
template <class T, unsigned N, class Coop>
GIN_DEVICE Token getBlock(Context &context, Coop scope, int32_t peer,
                          const Window &source, int64_t sourceOffset,
                          const int64_t (&sourceStrides)[N],
                          const Window &target, int64_t targetOffset,
                          const int64_t (&targetStrides)[N],
                          const int64_t (&sizes)[N], const Site &site) {
  const detail::Rows<N> rows(sourceStrides, targetStrides, sizes);
  if (rows.dims == 0 && rows.valid)
    return get(context, scope, peer, source,
               static_cast<uint64_t>(sourceOffset) * sizeof(T), target,
               static_cast<uint64_t>(targetOffset) * sizeof(T),
               rows.length * sizeof(T), site);
  const detail::Crew<Coop> coop(scope, context);
  detail::moveBlock<detail::Action::Get, T>(
      context, coop, peer, source, sourceOffset, sourceStrides, target,
      targetOffset, targetStrides, sizes, rows, {}, site);
  return {};
}

} // namespace gin

#endif // GIN_DEVICE_STRIDED_H
