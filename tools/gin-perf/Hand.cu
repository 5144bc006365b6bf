//===- Hand.cu - the same by hand -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a programmer would write for this one purpose: no checks, no time-outs,
// addresses known, sizes that are multiples of 8. It shares no code with the
// device API.
//
//===----------------------------------------------------------------------===//

#include "tools/gin-perf/Kernels.h"

#include <cuda_runtime.h>

using namespace ginperf;

static __device__ __forceinline__ void addRelease(uint64_t *flag) {
  asm volatile("red.release.sys.global.add.u64 [%0], 1;" ::"l"(flag)
               : "memory");
}
static __device__ __forceinline__ uint64_t loadAcquire(const uint64_t *flag) {
  uint64_t value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];"
               : "=l"(value)
               : "l"(flag)
               : "memory");
  return value;
}
static __device__ __forceinline__ uint64_t now() {
  uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

template <Scope scope>
static __device__ __forceinline__ unsigned indexIn() {
  return scope == Scope::Block ? threadIdx.x
                               : (scope == Scope::Warp ? threadIdx.x % 32 : 0);
}
template <Scope scope>
static __device__ __forceinline__ unsigned sizeOf() {
  return scope == Scope::Block ? blockDim.x : (scope == Scope::Warp ? 32 : 1);
}
template <Scope scope>
static __device__ __forceinline__ void sync() {
  if (scope == Scope::Block)
    __syncthreads();
  else if (scope == Scope::Warp)
    __syncwarp();
}

template <Scope scope>
static __device__ __forceinline__ void copy(char *to, const char *from,
                                            size_t bytes) {
  constexpr int unroll = scope == Scope::Block ? 4 : 8;
  const size_t step = sizeOf<scope>();
  size_t i = indexIn<scope>();
  if (bytes % 16) {
    for (; i < bytes / 8; i += step)
      reinterpret_cast<uint64_t *>(to)[i] =
          reinterpret_cast<const uint64_t *>(from)[i];
    return;
  }
  const uint4 *source = reinterpret_cast<const uint4 *>(from);
  uint4 *target = reinterpret_cast<uint4 *>(to);
  const size_t count = bytes / 16;
  for (; i + (unroll - 1) * step < count; i += unroll * step) {
    uint4 values[unroll];
#pragma unroll
    for (int k = 0; k < unroll; ++k)
      values[k] = source[i + k * step];
#pragma unroll
    for (int k = 0; k < unroll; ++k)
      target[i + k * step] = values[k];
  }
  for (; i < count; i += step)
    target[i] = source[i];
}

// -- round trips --------------------------------------------------------------

template <Message message, Scope scope>
static __global__ void __launch_bounds__(1024)
    pingPong(HandPlaces places, PingPong test) {
  uint64_t bad = 0, begun = 0;
  const bool leader = indexIn<scope>() == 0;
  auto send = [&](uint64_t i) {
    if constexpr (message == Message::Relaxed) {
      *static_cast<volatile uint64_t *>(places.peer) = places.epoch + i;
    } else if constexpr (message == Message::Plain) {
      sync<scope>();
      if (leader)
        addRelease(places.peer);
    } else if constexpr (message == Message::Value) {
      if (leader)
        asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(places.target),
                     "l"(i * 7)
                     : "memory");
      sync<scope>();
      if (leader)
        addRelease(places.peer);
    } else {
      if (test.verify)
        for (size_t k = indexIn<scope>(); k < test.bytes; k += sizeOf<scope>())
          places.source[k] = static_cast<char>(pattern(i + !test.first, k));
      if (test.verify)
        sync<scope>();
      copy<scope>(places.target, places.source, test.bytes);
      sync<scope>();
      if (leader)
        addRelease(places.peer);
    }
  };
  auto receive = [&](uint64_t i) {
    if constexpr (message == Message::Relaxed) {
      while (*static_cast<volatile uint64_t *>(places.own) < places.epoch + i)
        ;
    } else {
      if (leader)
        while (loadAcquire(places.own) < places.epoch + i)
          ;
      sync<scope>();
    }
    if constexpr (message == Message::Value)
      bad += *reinterpret_cast<volatile uint64_t *>(places.received) != i * 7;
    if (message == Message::Put && test.verify)
      for (size_t k = indexIn<scope>(); k < test.bytes; k += sizeOf<scope>())
        bad += static_cast<uint8_t>(*static_cast<volatile char *>(
                   places.received + k)) != pattern(i + test.first, k);
  };
  for (unsigned i = 1; i <= test.warmup + test.iters; ++i) {
    if (i == test.warmup + 1)
      begun = now();
    if (test.first) {
      send(i);
      receive(i);
    } else {
      receive(i);
      send(i);
    }
  }
  if (leader)
    test.times[0] = now() - begun;
  if (bad)
    atomicAdd(reinterpret_cast<unsigned long long *>(test.bad), bad);
}

// -- bulk copies --------------------------------------------------------------

constexpr unsigned stages = 12, stageBytes = 16384, lag = 6;

struct Ring {
  uint32_t buffers, barriers;
  unsigned next = 0; // pieces so far, of all messages
};

static __device__ __forceinline__ uint32_t sharedAddress(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

static __device__ void bulkCopy(Ring &ring, char *to, const char *from,
                                size_t bytes) {
  const unsigned pieces =
      static_cast<unsigned>((bytes + stageBytes - 1) / stageBytes);
  auto size = [&](unsigned i) {
    size_t rest = bytes - static_cast<size_t>(i) * stageBytes;
    return static_cast<uint32_t>(rest < stageBytes ? rest : stageBytes);
  };
  auto load = [&](unsigned i) {
    const unsigned stage = (ring.next + i) % stages;
    const uint32_t barrier = ring.barriers + 8 * stage;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n"
                 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                 "bytes [%2], [%3], %1, [%0];" ::"r"(barrier),
                 "r"(size(i)), "r"(ring.buffers + stage * stageBytes),
                 "l"(from + static_cast<size_t>(i) * stageBytes)
                 : "memory");
  };
  for (unsigned i = 0; i < stages && i < pieces; ++i)
    load(i);
  for (unsigned i = 0; i < pieces; ++i) {
    const unsigned stage = (ring.next + i) % stages;
    asm volatile("{ .reg .pred p;\n"
                 "w: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@!p bra w; }" ::"r"(ring.barriers + 8 * stage),
                 "r"((ring.next + i) / stages & 1)
                 : "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                 "cp.async.bulk.commit_group;\n"
                 "cp.async.bulk.wait_group.read %3;" ::"l"(
                     to + static_cast<size_t>(i) * stageBytes),
                 "r"(ring.buffers + stage * stageBytes), "r"(size(i)), "n"(lag)
                 : "memory");
    if (i >= lag && i - lag + stages < pieces)
      load(i - lag + stages);
  }
  ring.next += pieces;
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// -- bandwidth ----------------------------------------------------------------

static __device__ void receiveAll(const HandPlaces &places,
                                  const Bandwidth &test) {
  // Flags 0 and 1 are the sender's, then comes one for each worker. The host
  // has set them all to 0.
  if (threadIdx.x == 0)
    addRelease(places.peer);
  for (unsigned worker = threadIdx.x; worker < test.workers;
       worker += blockDim.x) {
    const uint64_t signals = signalsOf(test, worker);
    const uint64_t *flag = places.own + 16 * (2 + worker);
    for (uint64_t i = 1; i <= signals; ++i)
      while (loadAcquire(flag) < i)
        ;
  }
  __syncthreads();
  if (threadIdx.x == 0)
    addRelease(places.peer + 16);
}

template <Mechanism mechanism, Scope scope>
static __global__ void __launch_bounds__(1024)
    bandwidth(HandPlaces places, Bandwidth test) {
  extern __shared__ __align__(128) char shared[];
  if (blockIdx.x >= test.senders) {
    if (test.receives)
      receiveAll(places, test);
    return;
  }
  if (threadIdx.x == 0)
    while (loadAcquire(places.own) < 1)
      ;
  __syncthreads();
  if (threadIdx.x == 0)
    test.times[1 + blockIdx.x] = now();
  const unsigned worker =
      (blockIdx.x * blockDim.x + threadIdx.x) / sizeOf<scope>();
  const Share share = shareOf(test, worker);
  uint64_t *flag = places.peer + 16 * (2 + worker);
  if constexpr (mechanism == Mechanism::Bulk) {
    if (threadIdx.x == 0) {
      Ring ring{sharedAddress(shared) + 128, sharedAddress(shared)};
      for (unsigned i = 0; i < stages; ++i)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
                         ring.barriers + 8 * i)
                     : "memory");
      asm volatile("fence.proxy.async;" ::: "memory");
      for (unsigned i = share.first; i < test.messages; i += share.step) {
        bulkCopy(ring, places.target + i * test.bytes + share.offset,
                 places.source + share.offset, share.bytes);
        if (test.signalEach)
          addRelease(flag);
      }
      if (!test.signalEach)
        addRelease(flag);
    }
  } else {
    for (unsigned i = share.first; i < test.messages; i += share.step) {
      copy<scope>(places.target + i * test.bytes + share.offset,
                  places.source + share.offset, share.bytes);
      if (test.signalEach) {
        sync<scope>();
        if (indexIn<scope>() == 0)
          addRelease(flag);
      }
    }
    if (!test.signalEach) {
      sync<scope>();
      if (indexIn<scope>() == 0)
        addRelease(flag);
    }
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    while (loadAcquire(places.own + 16) < 1)
      ;
    test.times[0] = now();
  }
}

// -- by name ------------------------------------------------------------------

template <Message message>
static const void *pingPongOf(Scope scope) {
  switch (scope) {
  case Scope::Thread:
    return reinterpret_cast<const void *>(pingPong<message, Scope::Thread>);
  case Scope::Warp:
    return reinterpret_cast<const void *>(pingPong<message, Scope::Warp>);
  default:
    return reinterpret_cast<const void *>(pingPong<message, Scope::Block>);
  }
}

const void *ginperf::handPingPong(Message message, Scope scope) {
  switch (message) {
  case Message::Plain:
    return pingPongOf<Message::Plain>(scope);
  case Message::Relaxed:
    return pingPongOf<Message::Relaxed>(scope);
  case Message::Value:
    return pingPongOf<Message::Value>(scope);
  default:
    return pingPongOf<Message::Put>(scope);
  }
}

const void *ginperf::handBandwidth(Mechanism mechanism, Scope scope) {
  if (mechanism == Mechanism::Bulk)
    return reinterpret_cast<const void *>(
        bandwidth<Mechanism::Bulk, Scope::Block>);
  switch (scope) {
  case Scope::Thread:
    return reinterpret_cast<const void *>(
        bandwidth<Mechanism::Registers, Scope::Thread>);
  case Scope::Warp:
    return reinterpret_cast<const void *>(
        bandwidth<Mechanism::Registers, Scope::Warp>);
  default:
    return reinterpret_cast<const void *>(
        bandwidth<Mechanism::Registers, Scope::Block>);
  }
}

size_t ginperf::handShared(Mechanism mechanism) {
  return mechanism == Mechanism::Bulk ? 128 + stages * stageBytes : 0;
}

// -- data ---------------------------------------------------------------------

static __global__ void fillKernel(char *data, size_t bytes, uint64_t number) {
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < bytes; i += step)
    data[i] = static_cast<char>(pattern(number, i));
}

static __global__ void countKernel(const char *data, size_t bytes,
                                   unsigned messages, uint64_t number,
                                   uint64_t *bad) {
  uint64_t wrong = 0;
  const size_t total = bytes * messages;
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < total; i += step)
    wrong += static_cast<uint8_t>(data[i]) != pattern(number, i % bytes);
  if (wrong)
    atomicAdd(reinterpret_cast<unsigned long long *>(bad), wrong);
}

void ginperf::fill(char *data, size_t bytes, uint64_t number, void *stream) {
  fillKernel<<<264, 512, 0, static_cast<cudaStream_t>(stream)>>>(data, bytes,
                                                                 number);
}
void ginperf::count(const char *data, size_t bytes, unsigned messages,
                    uint64_t number, uint64_t *bad, void *stream) {
  countKernel<<<264, 512, 0, static_cast<cudaStream_t>(stream)>>>(
      data, bytes, messages, number, bad);
}
