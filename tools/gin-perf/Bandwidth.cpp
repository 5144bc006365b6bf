//===- Bandwidth.cpp - how fast messages follow each other ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The clock runs on the sender: from when the receiver says that it is there
// until the receiver has waited for every message and said so. One hop more
// than the data need, about 1.5 us, is in every figure.
//
//===----------------------------------------------------------------------===//

#include "tools/gin-perf/Report.h"
#include "tools/gin-perf/Rig.h"

#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace ginperf;

unsigned ginperf::messagesOf(const Options &options, size_t bytes) {
  const size_t most = options.iters ? options.iters : 200;
  const size_t fit = (size_t(1) << 30) / bytes;
  return static_cast<unsigned>(std::max<size_t>(2, std::min(most, fit)));
}

/// Nanoseconds of a run: the slower of the ranks that send.
static double elapsed(const Rig &rig, const Bandwidth test[2]) {
  double longest = 0;
  for (int rank = 0; rank < 2; ++rank)
    if (test[rank].senders) {
      const uint64_t *times = rig.times[rank];
      uint64_t begun =
          *std::min_element(times + 1, times + 1 + test[rank].senders);
      longest = std::max(longest, static_cast<double>(times[0] - begun));
    }
  return longest;
}

static void fillSources(Rig &rig, size_t bytes, uint64_t number) {
  for (int rank = 0; rank < 2; ++rank) {
    need(cudaSetDevice(rig.devices[rank]), "device");
    fill(rig.source[rank], bytes, number, rig.streams[rank]);
  }
  rig.synchronize();
}
static void checkTargets(Rig &rig, const Options &options, size_t bytes,
                         unsigned messages, uint64_t number) {
  for (int rank = options.bidir ? 0 : 1; rank < 2; ++rank) {
    need(cudaSetDevice(rig.devices[rank]), "device");
    count(rig.target[rank], bytes, messages, number, rig.bad,
          rig.streams[rank]);
  }
  rig.synchronize();
}

static uint64_t nextNumber = 1;

/// Runs `test` with fresh data; the rate in the report's unit.
template <class Run>
static double timed(Rig &rig, const Options &options, const Bandwidth test[2],
                    Run run) {
  const uint64_t number = nextNumber++;
  fillSources(rig, test[0].bytes, number);
  run();
  checkTargets(rig, options, test[0].bytes, test[0].messages, number);
  const double time = elapsed(rig, test);
  return options.msgrate
             ? test[0].messages / time * 1e3
             : static_cast<double>(test[0].bytes) * test[0].messages / time;
}

static void one(Rig &rig, const Options &options, Report &report,
                Mechanism mechanism, Scope scope, size_t bytes, unsigned ctas) {
  const unsigned size = scope == Scope::Block  ? options.threads
                        : scope == Scope::Warp ? 32
                                               : 1;
  const unsigned workers = ctas * (options.threads / size);
  const unsigned messages = messagesOf(options, bytes);
  Bandwidth test[2];
  for (int rank = 0; rank < 2; ++rank) {
    Bandwidth &one = test[rank];
    one.bytes = bytes;
    one.messages = messages;
    one.senders = rank == 0 || options.bidir ? ctas : 0;
    one.receives = rank == 1 || options.bidir;
    one.split = bytes >= size_t(workers) * 1024 && !options.msgrate;
    one.signalEach = !options.msgrate;
    one.workers = workers;
    one.times = rig.times[rank];
  }
  *rig.bad = 0;
  std::vector<double> api, hand;
  // The first round warms up: it counts for verification only.
  for (unsigned i = 0; i <= options.repetitions; ++i) {
    double rate = timed(rig, options, test, [&] {
      rig.runApiBandwidth(mechanism, scope, options.threads, test);
    });
    double byHand = timed(rig, options, test, [&] {
      rig.runHandBandwidth(mechanism, scope, options.threads, test);
    });
    if (i > 0) {
      api.push_back(rate);
      hand.push_back(byHand);
    }
  }
  report.add({options.msgrate ? "message-rate"
              : options.bidir ? "put-bidirect"
                              : "put-bandwidth",
              name(mechanism), name(scope), bytes, ctas, options.threads,
              options.msgrate ? "M/s" : "GB/s", median(api), median(hand),
              *rig.bad});
}

// -- the copy engine ----------------------------------------------------------

namespace {
/// What the driver has and the runtime lacks.
struct StreamValues {
  using Function = CUresult (*)(CUstream, CUdeviceptr, cuuint64_t, unsigned);
  Function write = load("cuStreamWriteValue64");
  Function wait = load("cuStreamWaitValue64");
  static Function load(const char *symbol) {
    void *found = nullptr;
    cudaDriverEntryPointQueryResult result;
#if CUDART_VERSION >= 12050
    need(cudaGetDriverEntryPointByVersion(symbol, &found, 12000,
                                          cudaEnableDefault, &result),
         symbol);
#else
    need(cudaGetDriverEntryPoint(symbol, &found, cudaEnableDefault, &result),
         symbol);
#endif
    return reinterpret_cast<Function>(found);
  }
};
} // namespace

static void need(CUresult result, const char *what) {
  if (result != CUDA_SUCCESS) {
    std::fprintf(stderr, "gin-perf: %s: CUDA driver error %d\n", what, result);
    std::exit(1);
  }
}

static CUdeviceptr addressOf(const uint64_t *flag) {
  return reinterpret_cast<CUdeviceptr>(flag);
}

/// The host issues a copy and a flag for each message; the receiver's stream
/// waits for them and answers. Rate of rank 0's direction.
static double copyEngine(Rig &rig, const Options &options, size_t bytes,
                         cudaEvent_t begun[2], cudaEvent_t ended[2]) {
  static const StreamValues values;
  const unsigned messages = messagesOf(options, bytes);
  const uint64_t number = nextNumber++;
  fillSources(rig, bytes, number);
  rig.clearFlags();
  const int senders = options.bidir ? 2 : 1;
  for (int rank = 0; rank < senders; ++rank) {
    need(cudaSetDevice(rig.devices[rank]), "device");
    need(cudaEventRecord(begun[rank], rig.streams[rank]), "event");
    for (unsigned i = 0; i < messages; ++i) {
      need(cudaMemcpyAsync(rig.target[1 - rank] + i * bytes, rig.source[rank],
                           bytes, cudaMemcpyDeviceToDevice, rig.streams[rank]),
           "copy");
      need(values.write(rig.streams[rank], addressOf(rig.flags[1 - rank]),
                        i + 1, 0),
           "flag");
    }
  }
  for (int rank = 0; rank < senders; ++rank) {
    const int receiver = 1 - rank;
    need(cudaSetDevice(rig.devices[receiver]), "device");
    for (unsigned i = 0; i < messages; ++i)
      need(values.wait(rig.streams[receiver], addressOf(rig.flags[receiver]),
                       i + 1, CU_STREAM_WAIT_VALUE_GEQ),
           "wait");
    need(values.write(rig.streams[receiver], addressOf(rig.flags[rank] + 16), 1,
                      0),
         "answer");
  }
  double longest = 0;
  for (int rank = 0; rank < senders; ++rank) {
    need(cudaSetDevice(rig.devices[rank]), "device");
    need(values.wait(rig.streams[rank], addressOf(rig.flags[rank] + 16), 1,
                     CU_STREAM_WAIT_VALUE_GEQ),
         "wait");
    need(cudaEventRecord(ended[rank], rig.streams[rank]), "event");
  }
  rig.synchronize();
  for (int rank = 0; rank < senders; ++rank) {
    float milliseconds;
    need(cudaEventElapsedTime(&milliseconds, begun[rank], ended[rank]),
         "event");
    longest = std::max(longest, milliseconds * 1e6);
  }
  checkTargets(rig, options, bytes, messages, number);
  return options.msgrate ? messages / longest * 1e3
                         : static_cast<double>(bytes) * messages / longest;
}

static void measureCopyEngine(Rig &rig, const Options &options,
                              Report &report) {
  cudaEvent_t begun[2], ended[2];
  for (int rank = 0; rank < 2; ++rank) {
    need(cudaSetDevice(rig.devices[rank]), "device");
    need(cudaEventCreate(&begun[rank]), "event");
    need(cudaEventCreate(&ended[rank]), "event");
  }
  for (size_t bytes = options.minSize; bytes <= options.maxSize;
       bytes *= options.step) {
    *rig.bad = 0;
    std::vector<double> rates;
    for (unsigned i = 0; i <= options.repetitions; ++i) {
      double rate = copyEngine(rig, options, bytes, begun, ended);
      if (i > 0)
        rates.push_back(rate);
    }
    report.add({options.msgrate ? "message-rate"
                : options.bidir ? "put-bidirect"
                                : "put-bandwidth",
                "copy-engine", "host", bytes, 0, 0,
                options.msgrate ? "M/s" : "GB/s", median({}), median(rates),
                *rig.bad});
  }
  for (int rank = 0; rank < 2; ++rank) {
    cudaEventDestroy(begun[rank]);
    cudaEventDestroy(ended[rank]);
  }
}

void ginperf::measureBandwidth(Rig &rig, const Options &options,
                               Report &report) {
  for (Mechanism mechanism : options.mechanisms) {
    if (mechanism == Mechanism::CopyEngine) {
      measureCopyEngine(rig, options, report);
      continue;
    }
    // All scopes only on request: there is one that is best for bandwidth.
    std::vector<Scope> scopes = options.scopes;
    if (scopes.size() > 1 || mechanism == Mechanism::Bulk)
      scopes = {Scope::Block};
    for (Scope scope : scopes)
      for (unsigned ctas : options.ctas)
        for (size_t bytes = options.minSize; bytes <= options.maxSize;
             bytes *= options.step)
          // By hand there are only words of 8 bytes, and bulk copies of 16.
          if (bytes % (mechanism == Mechanism::Bulk ? 16 : 8) == 0)
            one(rig, options, report, mechanism, scope, bytes, ctas);
  }
}
