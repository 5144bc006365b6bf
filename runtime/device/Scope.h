//===- Scope.h - who performs an operation together -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tags: an operation is performed by a thread alone, a warp or a block. All its
// threads call, with equal arguments, where they have not diverged; a warp is
// complete. The whole is one agent of the memory model.
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

namespace detail {

/// A scope whose places are known: they stand in registers, where compilers
/// would read the special registers again and again, at some 20 ns each.
template <class Scope>
struct Crew : Scope {
  const unsigned place, places;
  GIN_DEVICE Crew(const Scope &scope, const Context &context)
      : Scope(scope),
        place(Scope::fixedSize == 0 ? context.thread
                                    : context.thread & (Scope::fixedSize - 1)),
        places(Scope::fixedSize == 0 ? context.threads : Scope::fixedSize) {}
  GIN_DEVICE unsigned index() const { return place; }
  GIN_DEVICE unsigned size() const { return places; }
  GIN_DEVICE bool leader() const { return place == 0; }
};

} // namespace detail

} // namespace gin

#endif // GIN_DEVICE_SCOPE_H
