//===- Pace.h - going on no sooner than some time later ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_PACE_H
#define GIN_DEVICE_PACE_H

#include "runtime/device/Gin.h"

namespace gin {

/// Goes on no sooner than `interval` nanoseconds after the last time. The first
/// time blocks wait for different parts of it, so that they do not all send at
/// once. By the threads of a scope together.
template <class Coop>
GIN_DEVICE void pace(Context &context, Coop, uint64_t interval) {
  const uint64_t now = nanoseconds();
  if (context.due == 0)
    context.due = now + interval * blockInGrid() / blocksOfGrid();
  if (now < context.due)
    for (uint64_t at = now; at < context.due; at = nanoseconds())
      pause(64);
  else
    context.due = now;
  context.due += interval;
}

} // namespace gin

#endif // GIN_DEVICE_PACE_H
