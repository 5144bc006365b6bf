//===- Latency.cpp - round trips ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tools/gin-perf/Report.h"
#include "tools/gin-perf/Rig.h"

using namespace ginperf;

static void one(Rig &rig, const Options &options, Report &report,
                Message message, const char *how, Scope scope, size_t bytes,
                unsigned threads) {
  const unsigned iters = options.roundTrips();
  PingPong test[2];
  auto set = [&](bool verify) {
    for (int rank = 0; rank < 2; ++rank)
      test[rank] = {bytes,
                    verify ? 0 : options.warmup,
                    verify ? 200 : iters,
                    rank == 0,
                    verify,
                    rig.times[rank],
                    rig.bad};
  };
  *rig.bad = 0;
  std::vector<double> api, hand;
  for (unsigned i = 0; i < options.repetitions; ++i) {
    set(false);
    rig.runApiPingPong(message, scope, threads, test);
    api.push_back(static_cast<double>(rig.times[0][0]) / iters / 1000);
    rig.runHandPingPong(message, scope, threads, test);
    hand.push_back(static_cast<double>(rig.times[0][0]) / iters / 1000);
  }
  if (message == Message::Put) {
    set(true);
    rig.runApiPingPong(message, scope, threads, test);
    rig.runHandPingPong(message, scope, threads, test);
  }
  report.add({message == Message::Put     ? "put+signal"
              : message == Message::Value ? "value+signal"
                                          : "signal",
              how, name(scope), bytes, 1, threads, "us", median(api),
              median(hand), *rig.bad});
}

void ginperf::measureLatency(Rig &rig, const Options &options, Report &report) {
  one(rig, options, report, Message::Plain, "plain", Scope::Thread, 0, 1);
  one(rig, options, report, Message::Relaxed, "relaxed", Scope::Thread, 0, 1);
  one(rig, options, report, Message::Plain, "plain", Scope::Block, 0,
      options.threads);
  one(rig, options, report, Message::Value, "value", Scope::Thread, 8, 1);
  for (const PutShape &shape : putShapes(options))
    one(rig, options, report, Message::Put, "registers", shape.scope,
        shape.bytes, shape.threads);
}
