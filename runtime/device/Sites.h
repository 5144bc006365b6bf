//===- Sites.h - calls that name their site, and no default -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The site is the last argument of each operation. Who passes one need not pass
// the defaults before it.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_SITES_H
#define GIN_DEVICE_SITES_H

#include "runtime/device/Barrier.h"
#include "runtime/device/Signal.h"
#include "runtime/device/Transfer.h"

namespace gin {

template <class Coop>
GIN_DEVICE Token put(Context &context, Coop scope, int32_t peer,
                     const Window &target, uint64_t targetOffset,
                     const Window &source, uint64_t sourceOffset,
                     uint64_t bytes, const Site &site) {
  return put(context, scope, peer, target, targetOffset, source, sourceOffset,
             bytes, Signal(), site);
}

template <class T, class Coop>
GIN_DEVICE Token putValue(Context &context, Coop scope, int32_t peer,
                          const Window &target, uint64_t targetOffset, T value,
                          const Site &site) {
  return putValue<T>(context, scope, peer, target, targetOffset, value,
                     Signal(), site);
}

template <class T, class Coop>
GIN_DEVICE Token putAccumulate(Context &context, Coop scope, int32_t peer,
                               const Window &target, uint64_t targetOffset,
                               const Window &source, uint64_t sourceOffset,
                               uint64_t count, const Site &site) {
  return putAccumulate<T>(context, scope, peer, target, targetOffset, source,
                          sourceOffset, count, Signal(), site);
}

template <class Coop>
GIN_DEVICE void signal(Context &context, Coop scope, int32_t peer,
                       const Signal &signal, const Site &site) {
  gin::signal(context, scope, peer, signal, Strength::Plain, site);
}

template <class Coop>
GIN_DEVICE bool wait(Context &context, Coop scope, const Bank &bank,
                     uint32_t slot, uint64_t count, const Site &site) {
  return wait(context, scope, bank, slot, count, programTimeout, site);
}

template <class Coop>
GIN_DEVICE bool barrier(Context &context, Coop scope, const Team &team,
                        const Site &site) {
  return barrier(context, scope, team, Extent::Members, site);
}

} // namespace gin

#endif // GIN_DEVICE_SITES_H
