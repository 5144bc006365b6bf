//===- Kernels.h - the kernels that are compared ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each test has two kernels: one on gin's device API (Api.cu), one by hand with
// no more than CUDA and PTX (Hand.cu). Both do the same work, with memory
// operations of the same strength.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_PERF_KERNELS_H
#define GIN_PERF_KERNELS_H

#include "tools/gin-perf/Options.h"

#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#define GINPERF_DEVICE __device__ __forceinline__
#else
#define GINPERF_DEVICE inline
#endif

namespace ginperf {

/// What a ping-pong sends. A flag by hand is a volatile store and load.
enum class Message { Plain, Relaxed, Value, Put };

struct PingPong {
  size_t bytes; // of a put
  unsigned warmup, iters;
  int first;       // whether this rank begins
  int verify;      // fill and check every message, which takes time
  uint64_t *times; // [0]: nanoseconds of `iters` round trips
  uint64_t *bad;   // wrong words or bytes
};

/// Workers (threads, warps or blocks of `senders` CTAs) put `messages` messages
/// of `bytes` bytes to consecutive places. Messages of `split` are cut into a
/// slice for each worker, others go round.
struct Bandwidth {
  size_t bytes;
  unsigned messages;
  unsigned senders; // CTAs; 0: this rank only receives
  int receives;
  int split;
  int signalEach;   // else one signal at the end
  unsigned workers; // of the sender, also on the receiver
  uint64_t *times;  // [0]: end, [1 + CTA]: begin
};

/// The part of each message, and the messages, of one worker.
struct Share {
  size_t offset, bytes;
  unsigned first, step;
};
GINPERF_DEVICE Share shareOf(const Bandwidth &test, unsigned worker) {
  if (!test.split)
    return {0, test.bytes, worker, test.workers};
  size_t slice = ((test.bytes + test.workers - 1) / test.workers + 15) & ~15ull;
  size_t begin = slice * worker < test.bytes ? slice * worker : test.bytes;
  size_t end = begin + slice < test.bytes ? begin + slice : test.bytes;
  return {begin, end - begin, 0, 1};
}
/// How many signals a worker sends.
GINPERF_DEVICE uint64_t signalsOf(const Bandwidth &test, unsigned worker) {
  if (!test.signalEach)
    return 1;
  if (test.split)
    return test.messages;
  return worker < test.messages
             ? (test.messages - worker - 1) / test.workers + 1
             : 0;
}

/// Byte `at` of message `number`.
GINPERF_DEVICE uint8_t pattern(uint64_t number, uint64_t at) {
  uint64_t x =
      (at >> 3) * 0x9e3779b97f4a7c15ull + number * 0xd1342543de82ef95ull;
  x ^= x >> 29;
  return static_cast<uint8_t>((x * 0xbf58476d1ce4e5b9ull) >> (8 * (at & 7)));
}

/// Kernels as pointers, for launching. `api...` take gin's arguments first (see
/// Api.cu), `hand...` those of Hand.cu.
const void *apiPingPong(Message message, Scope scope);
const void *apiBandwidth(Mechanism mechanism, Scope scope);
const void *handPingPong(Message message, Scope scope);
const void *handBandwidth(Mechanism mechanism, Scope scope);
/// Bytes of dynamic shared memory that kernels of a mechanism need.
size_t apiShared(Mechanism mechanism);
size_t handShared(Mechanism mechanism);

/// Where the hand-written kernels find flags and data.
struct HandPlaces {
  uint64_t *own, *peer;             // flags, 16 words apart, that only grow
  uint64_t epoch;                   // what they were before
  char *source, *target, *received; // own, peer's, own
};

/// Fills `data` with messages of number `number`, or counts what is wrong. By
/// `stream`; `step` is the distance of messages.
void fill(char *data, size_t bytes, uint64_t number, void *stream);
void count(const char *data, size_t bytes, unsigned messages, uint64_t number,
           uint64_t *bad, void *stream);

} // namespace ginperf

#endif // GIN_PERF_KERNELS_H
