//===- LitmusTest.cu - message passing, a million times -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rank 0 writes data and signals; rank 1 waits and looks. In each round every
// word is new, and the next begins when rank 1 has answered. `relaxed` is a
// control: its outcome may be wrong, and how often is printed. Silence there
// proves nothing.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

using namespace gintest;

namespace {
enum class Kind { Plain, Bundled, Value, View, Bulk, Get, Relaxed };
constexpr unsigned words = 64; // of a message, but of a bulk one
constexpr size_t bulkBytes = 32768;
} // namespace

template <Kind kind, class Coop>
static __device__ void
sendRound(gin::Context &context, Coop coop, const gin::Window &window,
          const gin::Bank &bank, uint64_t source, uint64_t target, size_t bytes,
          uint32_t round) {
  const gin::Signal arrived{&bank, blockIdx.x};
  uint32_t *data = reinterpret_cast<uint32_t *>(window.base + source);
  if (kind == Kind::View)
    data = gin::peerView<uint32_t>(context, 1, window) + target / 4;
  if (kind != Kind::Value)
    for (size_t i = threadIdx.x; i < bytes / 4; i += blockDim.x)
      data[i] = round * 77 + static_cast<uint32_t>(i);
  switch (kind) {
  case Kind::Plain:
    gin::put(context, coop, 1, window, target, window, source, bytes);
    gin::signal(context, coop, 1, arrived);
    break;
  case Kind::Bundled:
  case Kind::Bulk:
    gin::put(context, coop, 1, window, target, window, source, bytes, arrived);
    break;
  case Kind::Value:
    gin::putValue(context, coop, 1, window, target, round * 77, arrived);
    break;
  case Kind::Relaxed:
    gin::put(context, coop, 1, window, target, window, source, bytes);
    gin::flush(context, coop);
    gin::signal(context, coop, 1, arrived, gin::Strength::Relaxed);
    break;
  default: // the receiver fetches, or the stores were remote
    gin::signal(context, coop, 1, arrived);
    break;
  }
}

template <Kind kind, class Coop>
static __device__ void
messages(gin::Context &context, Coop coop, const gin::Window &window,
         const gin::Bank &bank, unsigned rounds, unsigned long long *bad) {
  const size_t bytes = kind == Kind::Bulk    ? bulkBytes
                       : kind == Kind::Value ? 4
                                             : words * 4;
  const uint64_t source = bulkBytes * blockIdx.x;
  const uint64_t target = bulkBytes * (gridDim.x + blockIdx.x);
  for (unsigned i = 1; i <= rounds; ++i) {
    const uint32_t round = i + 1000 * blockIdx.x;
    if (context.rank == 0) {
      sendRound<kind>(context, coop, window, bank, source, target, bytes,
                      round);
      if (!gin::wait(context, coop, bank, blockIdx.x, i))
        return;
      continue;
    }
    if (!gin::wait(context, coop, bank, blockIdx.x, i))
      return;
    if (kind == Kind::Get) {
      gin::get(context, coop, 0, window, source, window, target, bytes);
      gin::flush(context, coop);
    }
    volatile uint32_t *data =
        reinterpret_cast<uint32_t *>(window.base + target);
    unsigned wrong = 0;
    for (size_t k = threadIdx.x; k < bytes / 4; k += blockDim.x)
      wrong += data[k] != round * 77 + static_cast<uint32_t>(k);
    if (wrong)
      atomicAdd(bad, 1ull);
    gin::signal(context, coop, 0, {&bank, blockIdx.x});
  }
}

template <Kind kind>
static __global__ void litmus(const __grid_constant__ gin::Program program,
                              const __grid_constant__ gin::Window window,
                              const __grid_constant__ gin::Bank bank,
                              unsigned rounds, unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  if constexpr (kind == Kind::Bulk) {
    gin::Staging staging(gin::sharedMemory(), gin::Staging::bytesFor(6));
    messages<kind>(context, gin::BulkBlock(staging), window, bank, rounds, bad);
  } else {
    messages<kind>(context, gin::Block(), window, bank, rounds, bad);
  }
  gin::end(context);
}

template <Kind kind>
static void passMessages(const char *name, unsigned onGpu, bool allowed) {
  constexpr unsigned blocks = 32;
  const unsigned rounds = onGpu / slowness();
  Group group(2, {blocks});
  Buffers buffers(group, 2 * blocks * bulkBytes);
  group.add(buffers);
  Counter bad(group);
  CHECK_EQUAL(group.launch(litmus<kind>, blocks, 64,
                           kind == Kind::Bulk ? gin::Staging::bytesFor(6) : 0,
                           W{0}, B{0}, rounds / blocks, C{&bad}),
              GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  note(std::string(name) + ": " + std::to_string(bad.total()) + " wrong in " +
       std::to_string(rounds / blocks * blocks) + " rounds" +
       (allowed ? " (a control: any number is allowed)" : ""));
  if (!allowed)
    CHECK_EQUAL(bad.total(), 0u);
}

GIN_TEST_OF_TWO(MessagePassing) {
  passMessages<Kind::Plain>("mp-plain", 1000000, false);
  passMessages<Kind::Bundled>("mp-bundled", 1000000, false);
  passMessages<Kind::Value>("mp-value", 1000000, false);
  passMessages<Kind::View>("mp-peer-view", 1000000, false);
  passMessages<Kind::Get>("mp-get", 1000000, false);
  passMessages<Kind::Bulk>("mp-bulk", 100000, false);
  if (!findsRaces())
    passMessages<Kind::Relaxed>("mp-relaxed", 1000000, true);
}
