//===- Bulk.h - asynchronous bulk copies ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Copies by the bulk copy engine of an SM (TMA, sm_90 and later), through a
// ring of buffers in shared memory. One thread keeps an SM's share of the link
// busy with it, where a register copy takes 512. Multicast is never used. On
// the host, and on older GPUs, nothing of it is there.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_BULK_H
#define GIN_DEVICE_BULK_H

#include "runtime/device/Scope.h"

#ifdef __CUDACC__
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define GIN_HAVE_BULK 1
#endif
#endif

namespace gin {

/// Orders this thread's ordinary accesses before asynchronous copies of the
/// same bytes, and the other way round. Nothing before sm_90.
GIN_DEVICE void fenceAsync() {
#ifdef GIN_HAVE_BULK
  asm volatile("fence.proxy.async;" ::: "memory");
#endif
}

/// Waits until this thread's asynchronous copies have written, not only read.
/// A release by this thread then covers them.
GIN_DEVICE void bulkWait() {
#ifdef GIN_HAVE_BULK
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#endif
}

/// A ring of buffers in shared memory. Each thread of the block has a copy; the
/// first one's counts.
struct Staging {
  static constexpr uint32_t piece = 16384; // smaller ones are issued too slowly
  static constexpr uint32_t maxStages = 14;
  static constexpr uint32_t minStages = 6;
  static constexpr uint32_t head = 128; // bytes of barriers before the buffers
  /// Bytes of shared memory for `stages` buffers.
  GIN_ANYWHERE static constexpr uint32_t bytesFor(uint32_t stages) {
    return head + stages * piece;
  }

  uint32_t address = 0; // of the barriers, in the shared space
  uint32_t stages = 0;  // 0: no bulk copies
  uint32_t stage = 0;
  uint32_t phase = 0; // of the barriers, flips each time round

  Staging() = default;
  /// All threads of the block call it, with `bytes` of shared memory, aligned
  /// to 128, that nothing else uses. 200 KB are the most of use, 100 KB the
  /// least; with less, or before sm_90, copies go through registers.
  GIN_DEVICE Staging(void *shared, uint32_t bytes);
};

/// A block that owns staging memory: its large copies are bulk copies where
/// source and destination are equally aligned.
struct BulkBlock : Block {
  Staging &staging;
  GIN_DEVICE explicit BulkBlock(Staging &staging) : staging(staging) {}
};

#ifdef GIN_HAVE_BULK
namespace detail {

GIN_DEVICE uint32_t sharedAddress(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}
GIN_DEVICE void barrierInit(uint32_t barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier)
               : "memory");
}
GIN_DEVICE void barrierWait(uint32_t barrier, uint32_t phase) {
  asm volatile("{\n"
               ".reg .pred done;\n"
               "again:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again;\n"
               "}" ::"r"(barrier),
               "r"(phase)
               : "memory");
}
/// Global to shared memory; `barrier` completes when the bytes are there.
GIN_DEVICE void bulkLoad(uint32_t to, const void *from, uint32_t bytes,
                         uint32_t barrier) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
      "r"(bytes)
      : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
}
GIN_DEVICE void bulkStore(void *to, uint32_t from, uint32_t bytes) {
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
      "r"(from), "r"(bytes)
      : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// Waits until all but the `Pending` last stores have read their buffers.
template <int Pending>
GIN_DEVICE void bulkWaitRead() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}

/// Copies by the calling thread alone. Addresses and size are multiples of 16.
/// On return the source may be reused; bulkWait() completes the destination.
GIN_DEVICE void bulkCopy(Staging &staging, char *to, const char *from,
                         uint64_t bytes) {
  constexpr uint32_t piece = Staging::piece;
  // Stores whose buffer is not yet free for the next load.
  constexpr uint32_t lag = Staging::minStages / 2;
  uint64_t pieces = (bytes + piece - 1) / piece;
  auto size = [=](uint64_t index) {
    uint64_t rest = bytes - index * piece;
    return static_cast<uint32_t>(rest < piece ? rest : piece);
  };
  auto buffer = [&](uint32_t stage) {
    return staging.address + Staging::head + stage * piece;
  };
  auto next = [&](uint32_t stage) {
    return stage + 1 == staging.stages ? 0 : stage + 1;
  };
  uint64_t loaded = 0;
  uint32_t loadStage = staging.stage;
  auto load = [&] {
    bulkLoad(buffer(loadStage), from + loaded * piece, size(loaded),
             staging.address + 8 * loadStage);
    loadStage = next(loadStage);
    ++loaded;
  };
  while (loaded < staging.stages && loaded < pieces)
    load();
  for (uint64_t stored = 0; stored < pieces; ++stored) {
    barrierWait(staging.address + 8 * staging.stage, staging.phase);
    bulkStore(to + stored * piece, buffer(staging.stage), size(stored));
    staging.stage = next(staging.stage);
    staging.phase ^= staging.stage == 0;
    bulkWaitRead<lag>();
    if (stored >= lag && loaded < pieces)
      load();
  }
  bulkWaitRead<0>();
}

} // namespace detail
#endif // GIN_HAVE_BULK

GIN_DEVICE Staging::Staging([[maybe_unused]] void *shared,
                            [[maybe_unused]] uint32_t bytes) {
#ifdef GIN_HAVE_BULK
  if (bytes < bytesFor(minStages))
    return;
  stages = (bytes - head) / piece;
  if (stages > maxStages)
    stages = maxStages;
  address = detail::sharedAddress(shared);
  if (threadInBlock() == 0) {
    for (uint32_t i = 0; i < stages; ++i)
      detail::barrierInit(address + 8 * i);
    fenceAsync(); // the copy engine sees initialised barriers
  }
  syncBlock();
#endif
}

} // namespace gin

#endif // GIN_DEVICE_BULK_H
