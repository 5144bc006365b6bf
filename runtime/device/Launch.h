//===- Launch.h - the begin and the end of a launch -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Definitions; Gin.h says what they promise.
//
// Nothing is reset between launches: the last block of the last kernel moves
// the bases, in device memory, so that a replayed graph counts on as a stream
// does.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_LAUNCH_H
#define GIN_DEVICE_LAUNCH_H

#include "runtime/device/Signal.h"

namespace gin {

GIN_DEVICE Context begin(const Program &program) {
  Context context;
  context.program = &program;
  // From memory, not from the parameters: compilers read those, and the special
  // registers, again and again, which takes longer than a register does and
  // stands between a wait and the next signal.
  const uint64_t both = load8(&program.state->rank);
  context.rank = static_cast<int32_t>(both);
  context.ranks = static_cast<int32_t>(both >> 32);
  const unsigned zero = load4(&program.state->zero);
  context.thread = threadInBlock() + zero;
  context.threads = threadsOfBlock() + zero;
  // For what compilers know it is different in each thread. Added to a weight,
  // it keeps them from counting the threads that signal, of which there is one.
  context.zero = context.thread >> 20;
  context.state = program.state;
  context.bulkPending = false;
  context.due = 0;
  // A rank that failed may have set it in the middle of this: no matter, since
  // operations meet before they act on it.
  context.failed = loadRelaxed(&program.state->stop) != 0;
  return context;
}

GIN_DEVICE uint64_t launchNumber(const Context &context) {
  return context.state->launch;
}

GIN_DEVICE void end(Context &context) {
  detail::completeBulk(context);
  // What the other kernels count, the last one finds, as it comes after them.
  if (context.program->open != 0)
    return;
  context.failed = syncBlockOr(context.failed);
  State &state = *context.state;
  bool last = false;
  if (context.thread == 0) {
    fenceGpu();
    last = wrapRelaxedGpu(&state.arrived, blocksOfGrid() - 1) ==
           blocksOfGrid() - 1;
    fenceGpu();
  }
  // After a failure bases mean nothing: the program is not launched again.
  if (!syncBlockOr(last) || context.failed)
    return;
  for (uint32_t slot = context.thread; slot < state.slots;
       slot += context.threads) {
    const uint64_t count = loadRelaxed(state.counts + slot);
    if (count == 0)
      continue;
    state.bases[slot] += count;
    state.counts[slot] = 0;
  }
  if (context.thread == 0)
    ++state.launch;
}

template <class Body>
GIN_DEVICE void run(const Program &program, Body body) {
  Context context = begin(program);
  body(context);
  end(context);
}

} // namespace gin

#endif // GIN_DEVICE_LAUNCH_H
