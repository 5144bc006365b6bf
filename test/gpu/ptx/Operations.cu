//===- Operations.cu - one kernel for each operation ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiled to PTX, which check_ptx.py reads. A kernel has the operation alone,
// with a context as begin() makes it, and is named after it.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/Gin.h"

#define KERNEL(name)                                                           \
  static __device__ __forceinline__ void name##_body(                          \
      gin::Context &context, const gin::Window &window, const gin::Bank &bank, \
      int peer, uint64_t offset, uint64_t bytes, uint64_t *out);               \
  extern "C" __global__ void name(                                             \
      const __grid_constant__ gin::Program program,                            \
      const __grid_constant__ gin::Window window,                              \
      const __grid_constant__ gin::Bank bank, int peer, uint64_t offset,       \
      uint64_t bytes, uint64_t *out) {                                         \
    gin::Context context = gin::begin(program);                                \
    name##_body(context, window, bank, peer, offset, bytes, out);              \
  }                                                                            \
  static __device__ __forceinline__ void name##_body(                          \
      gin::Context &context, const gin::Window &window, const gin::Bank &bank, \
      int peer, uint64_t offset, uint64_t bytes, uint64_t *out)

KERNEL(signal_plain_thread) {
  gin::signal(context, gin::Thread(), peer, {&bank, 1});
}
KERNEL(signal_plain_warp) {
  gin::signal(context, gin::Warp(), peer, {&bank, 1});
}
KERNEL(signal_plain_block) {
  gin::signal(context, gin::Block(), peer, {&bank, 1});
}
KERNEL(signal_relaxed_block) {
  gin::signal(context, gin::Block(), peer, {&bank, 1}, gin::Strength::Relaxed);
}
KERNEL(wait_thread) { gin::wait(context, gin::Thread(), bank, 1, 2); }
KERNEL(wait_block) { *out = gin::wait(context, gin::Block(), bank, 1, 2); }
KERNEL(test_block) { *out = gin::test(context, gin::Block(), bank, 1, 2); }
KERNEL(read_thread) { *out = gin::read(context, bank, 1); }

KERNEL(put_block) {
  gin::put(context, gin::Block(), peer, window, offset, window, 0, bytes);
}
KERNEL(put_signal_block) {
  gin::put(context, gin::Block(), peer, window, offset, window, 0, bytes,
           {&bank, 1});
}
KERNEL(put_signal_bulk) {
  extern __shared__ __align__(128) char shared[];
  gin::Staging staging(shared, gin::Staging::bytesFor(12));
  // Large, so that the other ways to copy do not stand in between.
  gin::put(context, gin::BulkBlock(staging), peer, window, offset, window, 0,
           1 << 20, {&bank, 1});
}
KERNEL(get_flush_bulk) {
  extern __shared__ __align__(128) char shared[];
  gin::Staging staging(shared, gin::Staging::bytesFor(12));
  gin::get(context, gin::BulkBlock(staging), peer, window, offset, window, 0,
           bytes);
  gin::flush(context, gin::BulkBlock(staging));
}
KERNEL(get_block) {
  gin::get(context, gin::Block(), peer, window, offset, window, 0, bytes);
  gin::flush(context, gin::Block());
}
KERNEL(put_value) {
  gin::putValue(context, gin::Thread(), peer, window, offset, bytes);
}
KERNEL(accumulate_float) {
  gin::putAccumulate<float>(context, gin::Block(), peer, window, offset, window,
                            0, bytes);
}
KERNEL(atomic_add) {
  gin::atomicAdd<uint64_t>(context, gin::Thread(), peer, window, offset, 1);
}
KERNEL(barrier_block) {
  gin::barrier(context, gin::Block(), gin::world(context));
}
/// What was waited for is read, as user code would, through a peer's view and
/// the own part: no load may become one of the read-only cache.
KERNEL(wait_then_load) {
  gin::wait(context, gin::Block(), bank, 1, 2);
  const uint64_t *own = reinterpret_cast<const uint64_t *>(window.base);
  const uint64_t *theirs = gin::peerView<const uint64_t>(context, peer, window);
  out[threadIdx.x] = own[threadIdx.x] + theirs[threadIdx.x];
}
KERNEL(launch_end) { gin::end(context); }
