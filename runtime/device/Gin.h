//===- Gin.h - communication that a GPU initiates ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The device API, for kernels by hand and by ginc. Header only, C++17: nvcc for
// sm_75 and later, and any compiler for the host, where fibers stand in for the
// threads of a GPU (HostThreads.h; ginCommCreateAllHost). docs/memory-model.md
// says what is ordered before what.
//
//   __global__ void ring(const __grid_constant__ gin::Program program,
//                        const __grid_constant__ gin::Window window,
//                        const __grid_constant__ gin::Bank bank) {
//     gin::Context context = gin::begin(program);
//     int next = (context.rank + 1) % context.ranks;
//     gin::put(context, gin::Block(), next, window, 4096, window, 0, 4096,
//              {&bank, 0});
//     gin::wait(context, gin::Block(), bank, 0, 1);
//     gin::end(context);
//   }
//
// Who calls. An operation is called by all threads of its scope (`Thread()`,
// `Warp()`, `Block()`, or `BulkBlock(staging)`) with equal arguments. Together
// they are an agent: what any of them did before is before the operation.
// Blocks and warps are agents of their own; join them first (a block barrier)
// if a signal shall cover the work of several.
//
// Units. Offsets and sizes are bytes, of 64 bits, and may be odd; a count of an
// accumulation is elements; a count of a wait is weight above the slot's base,
// of all that has arrived since the last launch's waits; times are nanoseconds.
//
// Errors. Bounds, rights, peers and slots are checked. The first error of a
// rank is recorded for ginCommGetAsyncError with its call's file and line, or
// the site that is the call's last argument (Sites.h); it makes all ranks of
// the program leave. Operations then do nothing and waits return false at once,
// in all threads of the scope: a kernel that waits in a loop looks at the
// result, others need not, and every block reaches end().
//
// Asynchronous copies (BulkBlock) and ordinary ones behave alike.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_GIN_H
#define GIN_DEVICE_GIN_H

#include "runtime/device/Bulk.h"
#include "runtime/device/Float.h"
#include "runtime/device/Kernel.h"
#include "runtime/device/Platform.h"
#include "runtime/device/Scope.h"
#include "runtime/device/Types.h"

namespace gin {

//===----------------------------------------------------------------------===//
// A launch
//===----------------------------------------------------------------------===//

/// Every thread calls it first, and keeps the result to itself. `program` is
/// the kernel's parameter.
GIN_DEVICE Context begin(const Program &program);

/// Every thread of every block calls it last, once, where its block has not
/// diverged, also after errors. Completes the kernel's transfers locally; the
/// last block advances the bases of all slots that were waited for. In a launch
/// of several kernels (gin.h) that is the last block of the last one.
GIN_DEVICE void end(Context &context);

/// begin(), `body(context)` and end(): for kernels that leave their work early,
/// by GIN_MUST.
template <class Body>
GIN_DEVICE void run(const Program &program, Body body);

/// Leaves the function, a body of run() for one, if `call` has returned false,
/// as waits, barriers and joins do after an error.
#define GIN_MUST(call)                                                         \
  do {                                                                         \
    if (!(call))                                                               \
      return;                                                                  \
  } while (false)

/// The number of earlier launches, equal on all ranks: to alternate buffers.
GIN_DEVICE uint64_t launchNumber(const Context &context);

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// Stands for one transfer until it is locally complete. Any number of awaits,
/// none included.
struct Token {};

/// Writes `bytes` from the own part of `source` to `peer`'s part of `target`.
/// Puts are unordered, even to one place. With `bundle`, adds to that slot of
/// `peer` once the bytes are there. The source may be reused after await(),
/// flush(), or a plain signal to anybody. The same place twice is no copy; a
/// partial overlap is an error.
template <class Coop>
GIN_DEVICE Token put(Context &context, Coop coop, int32_t peer,
                     const Window &target, uint64_t targetOffset,
                     const Window &source, uint64_t sourceOffset,
                     uint64_t bytes, const Signal &bundle = {},
                     const Site &site = GIN_SITE("put"));

/// The same for one value of 1, 2, 4 or 8 bytes at a multiple of its size,
/// written at once and read when this is called.
template <class T, class Coop>
GIN_DEVICE Token putValue(Context &context, Coop coop, int32_t peer,
                          const Window &target, uint64_t targetOffset, T value,
                          const Signal &bundle = {},
                          const Site &site = GIN_SITE("putValue"));

/// Adds `count` elements to those at `peer`, each atomically. T is a 32- or
/// 64-bit integer, gin::half, gin::bfloat16, float or double. Accumulating puts
/// do not race with each other; the order of floating-point additions varies.
template <class T, class Coop>
GIN_DEVICE Token putAccumulate(Context &context, Coop coop, int32_t peer,
                               const Window &target, uint64_t targetOffset,
                               const Window &source, uint64_t sourceOffset,
                               uint64_t count, const Signal &bundle = {},
                               const Site &site = GIN_SITE("putAccumulate"));

/// Reads `bytes` of `peer`'s part of `source` into the own part of `target`,
/// which has them after await() or flush(). No signal covers a get.
template <class Coop>
GIN_DEVICE Token get(Context &context, Coop coop, int32_t peer,
                     const Window &source, uint64_t sourceOffset,
                     const Window &target, uint64_t targetOffset,
                     uint64_t bytes, const Site &site = GIN_SITE("get"));

/// Adds to one element at `peer`, atomically and relaxed; covered like a put.
template <class T, class Coop>
GIN_DEVICE Token atomicAdd(Context &context, Coop coop, int32_t peer,
                           const Window &target, uint64_t targetOffset, T value,
                           const Site &site = GIN_SITE("atomicAdd"));

/// `peer`'s part, for loads and stores; null after an error. Not to be
/// declared __restrict__ or read by __ldg. Any thread.
template <class T>
GIN_DEVICE T *peerView(Context &context, int32_t peer, const Window &window,
                       const Site &site = GIN_SITE("peerView"));

/// The size of `peer`'s part.
GIN_DEVICE uint64_t bytesAt(const Window &window, int32_t peer);

/// The scope's transfer is locally complete: a source may be reused, a get's
/// destination read. Says nothing about the other rank.
template <class Coop>
GIN_DEVICE void await(Context &context, Coop coop, Token token);

/// The same for all earlier transfers of the scope.
template <class Coop>
GIN_DEVICE void flush(Context &context, Coop coop);

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

/// Adds `signal.weight` to a slot at `peer`. Plain: whoever waits for it sees
/// what this agent did before, its puts to `peer` included. Relaxed: nothing of
/// it, not even what the agent had waited for, since an addition that does not
/// release is ordered after nothing; 1.3 us faster there and back.
template <class Coop>
GIN_DEVICE void signal(Context &context, Coop coop, int32_t peer,
                       const Signal &signal,
                       Strength strength = Strength::Plain,
                       const Site &site = GIN_SITE("signal"));

/// Waits until `slot` has counted `count` above its base. False after an error;
/// `timeout` nanoseconds without the arrival are one. 0: waits for ever.
template <class Coop>
GIN_DEVICE bool wait(Context &context, Coop coop, const Bank &bank,
                     uint32_t slot, uint64_t count,
                     uint64_t timeout = programTimeout,
                     const Site &site = GIN_SITE("wait"));

/// The same, but a time-out is no error: whether the count was reached.
template <class Coop>
GIN_DEVICE bool waitFor(Context &context, Coop coop, const Bank &bank,
                        uint32_t slot, uint64_t count, uint64_t timeout,
                        const Site &site = GIN_SITE("waitFor"));

/// Whether the count is reached now. If so, as good as a wait. A loop of tests
/// also ends when `context.failed` is set, which tests do after errors.
template <class Coop>
GIN_DEVICE bool test(Context &context, Coop coop, const Bank &bank,
                     uint32_t slot, uint64_t count,
                     const Site &site = GIN_SITE("test"));

/// What the slot has counted above its base; that much counts as waited for.
/// One thread, whose `context.failed` it sets after errors: a loop of reads by
/// one thread for others hands it on by broadcast().
GIN_DEVICE uint64_t read(Context &context, const Bank &bank, uint32_t slot,
                         const Site &site = GIN_SITE("read"));

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// All ranks.
GIN_DEVICE Team world(const Context &context);

enum class Extent {
  Members, // what was put to a member, at that member
  Global   // also what was put to third ranks; costs nothing more over NVLink
};

/// One agent of each member calls it, no two of a rank at a time for one team.
/// What any member did before is seen by every member after. False after an
/// error.
template <class Coop>
GIN_DEVICE bool barrier(Context &context, Coop coop, const Team &team,
                        Extent extent = Extent::Members,
                        const Site &site = GIN_SITE("barrier"));

} // namespace gin

#include "runtime/device/Barrier.h"
#include "runtime/device/Join.h"
#include "runtime/device/Launch.h"
#include "runtime/device/Signal.h"
#include "runtime/device/Sites.h"
#include "runtime/device/Transfer.h"

#endif // GIN_DEVICE_GIN_H
