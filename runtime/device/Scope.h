//===- Scope.h - who performs an operation together -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tags: an operation is performed by a thread alone, a warp, some warps of a
// block or all of it. All its threads call, with equal arguments, where they
// have not diverged; a warp is complete. The whole is one agent of the memory
// model.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_SCOPE_H
#define GIN_DEVICE_SCOPE_H

#include "runtime/device/Platform.h"
#include "runtime/device/Types.h"

namespace gin {

struct Thread {
  static constexpr unsigned fixedSize = 1;
  static constexpr unsigned unroll = 8;
  GIN_DEVICE unsigned index() const { return 0; }
  GIN_DEVICE unsigned size() const { return 1; }
  GIN_DEVICE bool leader() const { return true; }
  GIN_DEVICE void sync() const {}
  GIN_DEVICE bool syncOr(bool value) const { return value; }
};

struct Warp {
  static constexpr unsigned fixedSize = 32;
  static constexpr unsigned unroll = 8;
  GIN_DEVICE unsigned index() const { return threadInBlock() & 31; }
  GIN_DEVICE unsigned size() const { return 32; }
  GIN_DEVICE bool leader() const { return index() == 0; }
  GIN_DEVICE void sync() const { syncWarp(); }
  GIN_DEVICE bool syncOr(bool value) const { return syncWarpOr(value); }
};

struct Block {
  static constexpr unsigned fixedSize = 0; // as launched
  static constexpr unsigned unroll = 4;
  GIN_DEVICE unsigned index() const { return threadInBlock(); }
  GIN_DEVICE unsigned size() const { return threadsOfBlock(); }
  GIN_DEVICE bool leader() const { return index() == 0; }
  GIN_DEVICE void sync() const { syncBlock(); }
  GIN_DEVICE bool syncOr(bool value) const { return syncBlockOr(value); }
};

/// `warps` warps of a block from number `first` on, which act together beside
/// the block's other ones. They meet at a barrier of the block that nobody else
/// uses at that time, 1 to 15.
struct Warps {
  static constexpr unsigned fixedSize = 0;
  static constexpr unsigned unroll = 4;
  unsigned begin, threads, barrier;
  GIN_DEVICE Warps(unsigned first, unsigned warps, unsigned barrier)
      : begin(32 * first), threads(32 * warps), barrier(barrier) {}
  /// Whether this thread is of them.
  GIN_DEVICE bool has(const Context &context) const {
    return context.thread - begin < threads;
  }
  GIN_DEVICE unsigned index() const { return threadInBlock() - begin; }
  GIN_DEVICE unsigned size() const { return threads; }
  GIN_DEVICE bool leader() const { return index() == 0; }
  GIN_DEVICE void sync() const { syncSome(barrier, threads); }
  GIN_DEVICE bool syncOr(bool value) const {
    return syncSomeOr(barrier, threads, value);
  }
};

namespace detail {

GIN_DEVICE unsigned placeIn(const Warps &warps, const Context &context) {
  return context.thread - warps.begin;
}
GIN_DEVICE unsigned placesOf(const Warps &warps, const Context &) {
  return warps.threads;
}
template <class Scope>
GIN_DEVICE unsigned placeIn(const Scope &, const Context &context) {
  return Scope::fixedSize == 0 ? context.thread
                               : context.thread & (Scope::fixedSize - 1);
}
template <class Scope>
GIN_DEVICE unsigned placesOf(const Scope &, const Context &context) {
  return Scope::fixedSize == 0 ? context.threads : Scope::fixedSize;
}

/// A scope whose places are known: they stand in registers, where compilers
/// would read the special registers again and again, at some 20 ns each.
template <class Scope>
struct Crew : Scope {
  const unsigned place, places;
  GIN_DEVICE Crew(const Scope &scope, const Context &context)
      : Scope(scope), place(placeIn(scope, context)),
        places(placesOf(scope, context)) {}
  GIN_DEVICE unsigned index() const { return place; }
  GIN_DEVICE unsigned size() const { return places; }
  GIN_DEVICE bool leader() const { return place == 0; }
};

} // namespace detail

} // namespace gin

#endif // GIN_DEVICE_SCOPE_H
