//===- Index.h - 64-bit indices as device functions take them ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Programs compute peers, slots and counts in 64 bits with a sign. What does
// not fit becomes something that the device functions refuse, never another
// peer or slot.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_INDEX_H
#define GIN_DEVICE_INDEX_H

#include "runtime/device/Check.h"

namespace gin {

/// No rank; operations on it are errors.
constexpr int32_t noPeer = -1;

GIN_ANYWHERE inline int32_t peer(int64_t rank) {
  const int32_t number = static_cast<int32_t>(rank);
  return number == rank ? number : noPeer;
}

/// No slot of any bank.
constexpr uint32_t noSlot = ~0u;

GIN_DEVICE uint32_t slot(int64_t index) {
  return static_cast<uint64_t>(index) < noSlot ? static_cast<uint32_t>(index)
                                               : noSlot;
}

/// The slot with these indices; `inner` are the bank's extents but the first.
template <unsigned N>
GIN_DEVICE uint32_t slot(const int64_t (&indices)[N],
                         const int64_t (&inner)[N - 1]) {
  uint64_t number = static_cast<uint64_t>(indices[0]);
  bool isInside = number < noSlot;
  for (unsigned i = 1; i < N; ++i) {
    isInside &= indices[i] >= 0 && indices[i] < inner[i - 1];
    number = number * static_cast<uint64_t>(inner[i - 1]) +
             static_cast<uint64_t>(indices[i]);
    isInside &= number < noSlot;
  }
  return isInside ? static_cast<uint32_t>(number) : noSlot;
}

/// A count to wait for: a negative one never blocks.
GIN_DEVICE uint64_t count(int64_t number) {
  return number > 0 ? static_cast<uint64_t>(number) : 0;
}

/// A time-out of a wait: what has no time left still has a nanosecond, since 0
/// is for ever.
GIN_DEVICE uint64_t timeout(int64_t nanoseconds) {
  return nanoseconds > 1 ? static_cast<uint64_t>(nanoseconds) : 1;
}

/// The number of this thread among those of all blocks, and how many there are.
GIN_DEVICE int64_t threadInGrid(const Context &context) {
  return static_cast<int64_t>(blockInGrid()) * context.threads + context.thread;
}
GIN_DEVICE int64_t threadsOfGrid(const Context &context) {
  return static_cast<int64_t>(blocksOfGrid()) * context.threads;
}

/// The own part's elements. After a wait they are what others have put there:
/// never to be declared __restrict__.
template <class T>
GIN_DEVICE T *elements(const Window &window) {
  return reinterpret_cast<T *>(window.base);
}

/// `peer`'s part, for loads and stores; after an error the own one, so that
/// nothing is accessed through a null pointer before the kernel ends.
template <class T>
GIN_DEVICE T *viewAt(Context &context, int32_t peer, const Window &window,
                     const Site &site) {
  T *view = peerView<T>(context, peer, window, site);
  return view ? view : elements<T>(window);
}

/// The leading extent of `peer`'s part, whose rows have `bytes` each; 0 after
/// an error. Any thread.
GIN_DEVICE int64_t extentAt(Context &context, int32_t peer,
                            const Window &window, uint64_t bytes,
                            const Site &site) {
  if (!detail::likely(int(detail::isRank(context, peer)) & !context.failed)) {
    detail::recordArgument(context.state, !context.failed, peer,
                           static_cast<uint64_t>(peer),
                           static_cast<uint64_t>(context.ranks), site);
    context.failed = true;
    return 0;
  }
  return bytes ? static_cast<int64_t>(bytesAt(window, peer) / bytes) : 0;
}

/// An assertion of one thread; the others hear of it at their next operation.
GIN_DEVICE void check(Context &context, Thread, bool condition,
                      const Site &site) {
  if (condition || context.failed)
    return;
  detail::recordFault(context.state, {GIN_ERR_ASSERTION, -1, 0, 0, 0, 0}, site);
  context.failed = true;
}

} // namespace gin

#endif // GIN_DEVICE_INDEX_H
