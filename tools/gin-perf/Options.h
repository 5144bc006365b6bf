//===- Options.h - the command line of gin-perf -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_PERF_OPTIONS_H
#define GIN_PERF_OPTIONS_H

#include <cstddef>
#include <string>
#include <vector>

namespace ginperf {

enum class Scope { Thread, Warp, Block };
enum class Mechanism { Registers, Bulk, CopyEngine };

const char *name(Scope scope);
const char *name(Mechanism mechanism);

/// Named, where they mean the same, as those of NVSHMEM's perftest.
struct Options {
  bool latency = false, bandwidth = false; // neither: both
  size_t minSize = 8, maxSize = size_t(1) << 30, step = 8;
  size_t latencyMaxSize = 65536;
  unsigned iters = 0; // 0: 4000 round trips; 200 messages, fewer of large ones
  unsigned roundTrips() const { return iters ? iters : 4000; }
  unsigned warmup = 200;
  unsigned repetitions = 5;
  std::vector<unsigned> ctas = {1, 4, 8, 16};
  unsigned threads = 512;
  std::vector<Scope> scopes = {Scope::Thread, Scope::Warp, Scope::Block};
  std::vector<Mechanism> mechanisms = {Mechanism::Registers, Mechanism::Bulk,
                                       Mechanism::CopyEngine};
  bool bidir = false;
  bool msgrate = false;
  std::vector<int> devices = {0, 1};
  std::string json;
};

/// A put, with its signal, whose round trip is measured.
struct PutShape {
  Scope scope;
  size_t bytes;
  unsigned threads;
};
std::vector<PutShape> putShapes(const Options &options);

/// Exits with a message where the command line is wrong, or asks for help.
Options parse(int argc, char **argv);

} // namespace ginperf

#endif // GIN_PERF_OPTIONS_H
