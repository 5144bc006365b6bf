//===- Api.cu - kernels on gin's device API -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tools/gin-perf/Kernels.h"

#include "runtime/device/Gin.h"

using namespace ginperf;

// -- round trips --------------------------------------------------------------

template <class Coop>
static __device__ void fillMessage(Coop coop, char *data, size_t bytes,
                                   uint64_t number) {
  for (size_t i = coop.index(); i < bytes; i += coop.size())
    data[i] = static_cast<char>(pattern(number, i));
}
template <class Coop>
static __device__ uint64_t checkMessage(Coop coop, const char *data,
                                        size_t bytes, uint64_t number) {
  uint64_t bad = 0;
  for (size_t i = coop.index(); i < bytes; i += coop.size())
    bad += static_cast<uint8_t>(*const_cast<const volatile char *>(data + i)) !=
           pattern(number, i);
  return bad;
}

template <Message message, class Coop>
static __device__ void send(gin::Context &context, Coop coop,
                            const gin::Window &source,
                            const gin::Window &target, const gin::Bank &bank,
                            const PingPong &test, uint64_t number) {
  const int peer = 1 - context.rank;
  if constexpr (message == Message::Plain) {
    gin::signal(context, coop, peer, {&bank, 0});
  } else if constexpr (message == Message::Relaxed) {
    gin::signal(context, coop, peer, {&bank, 0}, gin::Strength::Relaxed);
  } else if constexpr (message == Message::Value) {
    gin::putValue(context, coop, peer, target, 0, number * 7, {&bank, 0});
  } else {
    if (test.verify)
      fillMessage(coop, source.base, test.bytes, number + context.rank);
    gin::put(context, coop, peer, target, 0, source, 0, test.bytes, {&bank, 0});
  }
}

template <Message message, class Coop>
static __device__ bool receive(gin::Context &context, Coop coop,
                               const gin::Window &target, const gin::Bank &bank,
                               const PingPong &test, uint64_t number,
                               uint64_t &bad) {
  if (!gin::wait(context, coop, bank, 0, number))
    return false;
  if constexpr (message == Message::Value)
    bad += *reinterpret_cast<volatile uint64_t *>(target.base) != number * 7;
  else if constexpr (message == Message::Put)
    if (test.verify)
      bad += checkMessage(coop, target.base, test.bytes,
                          number + (1 - context.rank));
  return true;
}

template <Message message, class Coop>
static __global__ void __launch_bounds__(1024)
    pingPong(const __grid_constant__ gin::Program program,
             const __grid_constant__ gin::Window source,
             const __grid_constant__ gin::Window target,
             const __grid_constant__ gin::Bank bank,
             const __grid_constant__ PingPong test) {
  gin::Context context = gin::begin(program);
  Coop coop;
  uint64_t bad = 0, begun = 0;
  for (unsigned i = 1; i <= test.warmup + test.iters; ++i) {
    if (i == test.warmup + 1)
      begun = gin::nanoseconds();
    if (test.first)
      send<message>(context, coop, source, target, bank, test, i);
    if (!receive<message>(context, coop, target, bank, test, i, bad))
      break;
    if (!test.first)
      send<message>(context, coop, source, target, bank, test, i);
  }
  if (coop.leader())
    test.times[0] = gin::nanoseconds() - begun;
  if (bad)
    atomicAdd(reinterpret_cast<unsigned long long *>(test.bad), bad);
  gin::end(context);
}

// -- bandwidth ----------------------------------------------------------------

template <class Coop>
static __device__ void sendAll(gin::Context &context, Coop coop,
                               unsigned worker, const gin::Window &source,
                               const gin::Window &target, const gin::Bank &data,
                               const Bandwidth &test) {
  const int peer = 1 - context.rank;
  const Share share = shareOf(test, worker);
  const gin::Signal arrived{&data, worker};
  for (unsigned i = share.first; i < test.messages; i += share.step)
    gin::put(context, coop, peer, target, i * test.bytes + share.offset, source,
             share.offset, share.bytes,
             test.signalEach ? arrived : gin::Signal());
  if (!test.signalEach)
    gin::signal(context, coop, peer, arrived);
}

static __device__ void receiveAll(gin::Context &context, const gin::Bank &data,
                                  const gin::Bank &control,
                                  const Bandwidth &test) {
  gin::signal(context, gin::Block(), 1 - context.rank, {&control, 0});
  for (unsigned worker = gin::threadInBlock(); worker < test.workers;
       worker += gin::threadsOfBlock()) {
    const uint64_t signals = signalsOf(test, worker);
    for (uint64_t i = 1; i <= signals; ++i)
      if (!gin::wait(context, gin::Thread(), data, worker, i))
        break;
  }
  gin::signal(context, gin::Block(), 1 - context.rank, {&control, 1});
}

template <class Coop>
static __global__ void __launch_bounds__(1024)
    bandwidth(const __grid_constant__ gin::Program program,
              const __grid_constant__ gin::Window source,
              const __grid_constant__ gin::Window target,
              const __grid_constant__ gin::Bank data,
              const __grid_constant__ gin::Bank control,
              const __grid_constant__ Bandwidth test) {
  extern __shared__ __align__(128) char shared[];
  gin::Context context = gin::begin(program);
  if (blockIdx.x >= test.senders) {
    if (test.receives)
      receiveAll(context, data, control, test);
    gin::end(context);
    return;
  }
  gin::wait(context, gin::Block(), control, 0, 1);
  if (threadIdx.x == 0)
    test.times[1 + blockIdx.x] = gin::nanoseconds();
  if constexpr (std::is_same_v<Coop, gin::BulkBlock>) {
    gin::Staging staging(shared, gin::Staging::bytesFor(12));
    sendAll(context, gin::BulkBlock(staging), blockIdx.x, source, target, data,
            test);
  } else {
    Coop coop;
    const unsigned worker =
        (blockIdx.x * blockDim.x + threadIdx.x) / coop.size();
    sendAll(context, coop, worker, source, target, data, test);
  }
  if (blockIdx.x == 0) {
    gin::wait(context, gin::Block(), control, 1, 1);
    if (threadIdx.x == 0)
      test.times[0] = gin::nanoseconds();
  }
  gin::end(context);
}

// -- by name ------------------------------------------------------------------

template <Message message>
static const void *pingPongOf(Scope scope) {
  switch (scope) {
  case Scope::Thread:
    return reinterpret_cast<const void *>(pingPong<message, gin::Thread>);
  case Scope::Warp:
    return reinterpret_cast<const void *>(pingPong<message, gin::Warp>);
  default:
    return reinterpret_cast<const void *>(pingPong<message, gin::Block>);
  }
}

const void *ginperf::apiPingPong(Message message, Scope scope) {
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

const void *ginperf::apiBandwidth(Mechanism mechanism, Scope scope) {
  if (mechanism == Mechanism::Bulk)
    return reinterpret_cast<const void *>(bandwidth<gin::BulkBlock>);
  switch (scope) {
  case Scope::Thread:
    return reinterpret_cast<const void *>(bandwidth<gin::Thread>);
  case Scope::Warp:
    return reinterpret_cast<const void *>(bandwidth<gin::Warp>);
  default:
    return reinterpret_cast<const void *>(bandwidth<gin::Block>);
  }
}

size_t ginperf::apiShared(Mechanism mechanism) {
  return mechanism == Mechanism::Bulk ? gin::Staging::bytesFor(12) : 0;
}
