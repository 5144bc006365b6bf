//===- Copy.h - copies of any size and alignment ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Copies between own and peers' memory: by 16 bytes a thread and several loads
// in flight wherever the destination can be aligned, since a link carries 16
// bytes as fast as one. Synchronises nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_COPY_H
#define GIN_DEVICE_COPY_H

#include "runtime/device/Bulk.h"

#include <type_traits>

namespace gin::detail {

template <class Coop>
GIN_DEVICE void copyBytes(Coop coop, char *to, const char *from,
                          uint64_t bytes) {
  for (uint64_t i = coop.index(); i < bytes; i += coop.size())
    store1(to + i, load1(from + i));
}

/// Both addresses and the size are multiples of 16.
template <class Coop>
GIN_DEVICE void copyVectors(Coop coop, char *to, const char *from,
                            uint64_t bytes) {
  constexpr unsigned unroll = Coop::unroll;
  const uint64_t step = 16 * static_cast<uint64_t>(coop.size());
  uint64_t at = 16 * static_cast<uint64_t>(coop.index());
  while (at + (unroll - 1) * step < bytes) {
    Vector16 values[unroll];
    GIN_UNROLL
    for (unsigned i = 0; i < unroll; ++i)
      values[i] = load16(from + at + i * step);
    GIN_UNROLL
    for (unsigned i = 0; i < unroll; ++i)
      store16(to + at + i * step, values[i]);
    at += unroll * step;
  }
  GIN_NO_UNROLL
  for (; at < bytes; at += step)
    store16(to + at, load16(from + at));
}

/// The destination is a multiple of 16, the source is not. Each vector is put
/// together from the two aligned ones that it straddles, which lie within the
/// 16 bytes before `from` and the end: the caller has copied at least 16 bytes
/// in front, and keeps 16 back.
template <class Coop>
GIN_DEVICE void copyShifted(Coop coop, char *to, const char *from,
                            uint64_t bytes) {
  const unsigned offset = reinterpret_cast<uintptr_t>(from) & 15;
  const char *aligned = from - offset;
  const unsigned bits = 8 * (offset & 7);
  // The upper part moves in two steps, since a shift by 64 is undefined.
  auto join = [=](uint64_t low, uint64_t high) {
    return (low >> bits) | ((high << 1) << (63 - bits));
  };
  for (uint64_t at = 16 * static_cast<uint64_t>(coop.index()); at < bytes;
       at += 16 * static_cast<uint64_t>(coop.size())) {
    uint64_t word0 = load8(aligned + at), word1 = load8(aligned + at + 8);
    uint64_t word2 = load8(aligned + at + 16), word3 = load8(aligned + at + 24);
    uint64_t low = offset < 8 ? word0 : word1;
    uint64_t middle = offset < 8 ? word1 : word2;
    uint64_t high = offset < 8 ? word2 : word3;
    uint64_t first = join(low, middle), second = join(middle, high);
    Vector16 value{
        {static_cast<uint32_t>(first), static_cast<uint32_t>(first >> 32),
         static_cast<uint32_t>(second), static_cast<uint32_t>(second >> 32)}};
    store16(to + at, value);
  }
}

/// A scope reduced to what a copy needs, to be passed out of line.
template <unsigned Unroll>
struct Places {
  static constexpr unsigned unroll = Unroll;
  unsigned place, places;
  GIN_DEVICE unsigned index() const { return place; }
  GIN_DEVICE unsigned size() const { return places; }
};

/// Out of line: rare, and large when inlined into every put.
template <unsigned Unroll>
__device__ __noinline__ void copyUnaligned(Places<Unroll> coop, char *to,
                                           const char *from, uint64_t bytes) {
  uint64_t front = -reinterpret_cast<uintptr_t>(to) & 15;
  if (((reinterpret_cast<uintptr_t>(to) ^ reinterpret_cast<uintptr_t>(from)) &
       15) != 0)
    front += 16; // room for copyShifted
  if (bytes < front + 32) {
    copyBytes(coop, to, from, bytes);
    return;
  }
  copyBytes(coop, to, from, front);
  to += front;
  from += front;
  bytes -= front;
  uint64_t middle;
  if ((reinterpret_cast<uintptr_t>(from) & 15) == 0) {
    middle = bytes & ~uint64_t(15);
    copyVectors(coop, to, from, middle);
  } else {
    middle = (bytes - 16) & ~uint64_t(15);
    copyShifted(coop, to, from, middle);
  }
  copyBytes(coop, to + middle, from + middle, bytes - middle);
}

/// What is not all multiples of 16.
template <class Coop>
GIN_DEVICE void copyOdd(Coop coop, char *to, const char *from, uint64_t bytes) {
  compilerFence();
  if (bytes == 8 &&
      ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) &
       7) == 0) {
    // One word, the most frequent small message.
    if (coop.leader())
      store8(to, load8(from));
  } else {
    copyUnaligned(Places<Coop::unroll>{coop.index(), coop.size()}, to, from,
                  bytes);
  }
  compilerFence();
}

/// The general copy. The ranges do not overlap.
template <class Coop>
GIN_DEVICE void copyThroughRegisters(Coop coop, char *to, const char *from,
                                     uint64_t bytes) {
  if (((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) |
        bytes) &
       15) != 0) {
    copyOdd(coop, to, from, bytes);
    return;
  }
  compilerFence();
  copyVectors(coop, to, from, bytes);
  compilerFence();
}

/// Copies by vectors; addresses and size are multiples of 16. A thread reads
/// its first N before it calls `mayWrite`, which finds the target too: both
/// then take the time of the longer one. Returns what it returned.
template <unsigned N, class Coop, class Check>
GIN_DEVICE bool copyAhead(Coop coop, char *const &to, const char *from,
                          uint64_t bytes, bool mayRead, Check mayWrite) {
  // In 32 bits, which hold any N vectors of all threads.
  const unsigned step = 16 * coop.size(), at = 16 * coop.index();
  const unsigned head =
      bytes < N * step ? static_cast<unsigned>(bytes) : N * step;
  Vector16 values[N] = {};
  compilerFence();
  GIN_UNROLL
  for (unsigned i = 0; i < N; ++i)
    if (mayRead & (at + i * step < head))
      values[i] = load16(from + (at + i * step));
  const bool good = mayWrite();
  GIN_UNROLL
  for (unsigned i = 0; i < N; ++i)
    if (good & (at + i * step < head))
      store16(to + (at + i * step), values[i]);
  if (N > 1 && bytes > head && good)
    copyVectors(coop, to + head, from + head, bytes - head);
  compilerFence();
  return good;
}

/// Whether a copy of this size goes through shared memory, if its alignment
/// allows. Below, the time to fill the ring is what counts.
template <class Coop>
GIN_DEVICE bool prefersShared(const Coop &coop, uint64_t bytes) {
#ifdef GIN_HAVE_BULK
  if constexpr (std::is_base_of_v<BulkBlock, Coop>)
    return bytes >= 32768 && coop.staging.stages != 0;
#endif
  (void)coop, (void)bytes;
  return false;
}

/// Returns false where it has done nothing. The leader must call bulkWait() to
/// complete the copy.
template <class Coop>
GIN_DEVICE bool copyThroughShared(Coop coop, char *to, const char *from,
                                  uint64_t bytes) {
#ifdef GIN_HAVE_BULK
  if constexpr (std::is_base_of_v<BulkBlock, Coop>) {
    if (!prefersShared(coop, bytes) ||
        ((reinterpret_cast<uintptr_t>(to) ^ reinterpret_cast<uintptr_t>(from)) &
         15) != 0)
      return false;
    const uint64_t front = -reinterpret_cast<uintptr_t>(to) & 15;
    const uint64_t middle = (bytes - front) & ~uint64_t(15);
    if (coop.leader())
      bulkCopy(coop.staging, to + front, from + front, middle);
    // At most 30 bytes at the ends, by threads that have nothing else to do.
    compilerFence();
    copyBytes(coop, to, from, front);
    copyBytes(coop, to + front + middle, from + front + middle,
              bytes - front - middle);
    compilerFence();
    return true;
  }
#endif
  (void)coop, (void)to, (void)from, (void)bytes;
  return false;
}

} // namespace gin::detail

#endif // GIN_DEVICE_COPY_H
