//===- Simulator.h - N ranks on a hostile network ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs a compiled gin program on N ranks in one process and one thread. Every
// agent is a fiber; the network does whatever the memory model allows, chosen
// by a seed, and the same seed gives the same run. Time is virtual: nanoseconds
// of a made-up network, in which a trace can be drawn and a wait can time out.
//
// Life: build a Simulator, add windows and banks, fill their memory, run() a
// list of steps, read the memory, the statistics and the trace. Windows, banks
// and memory belong to the Simulator.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_SIMULATOR_H
#define GINC_SIM_SIMULATOR_H

#include "runtime/device/contract.h"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace ginc::sim {

/// What other ranks may do with a window.
enum Rights : unsigned {
  RemoteRead = 1,
  RemoteWrite = 2,
  RemoteAtomic = 4,
  AllRights = 7
};

struct WindowSpec {
  std::string name;
  unsigned bits = 32;                       ///< of one element: 8, 16, 32, 64
  std::vector<std::vector<int64_t>> shapes; ///< one shape for each rank
  unsigned rights = AllRights;
  bool source = false; ///< no other rank may touch it
};

struct BankSpec {
  std::string name;
  std::vector<int64_t> extents;
};

/// How the network behaves.
enum class Network {
  Hostile, ///< everything the memory model allows
  Calm     ///< latency and bandwidth of a plausible machine, nothing reordered
};

struct Config {
  int64_t ranks = 1;
  uint64_t seed = 0;
  Network network = Network::Hostile;
  int64_t lsaSize = 0;           ///< ranks of an LSA team; 0: all of them
  std::vector<int64_t> grid;     ///< extents chosen for `?` of grids, or empty
  size_t stackBytes = 256 << 10; ///< of one agent; committed as it is used
  bool trace = false;            ///< record events for Simulator::trace()
  bool stats = false;            ///< count traffic by rank and peer
  /// A put that lands when its target has ended that launch ends the run: what
  /// covers it, something its target waits for, would have kept the launch.
  bool coverPuts = false;
  /// Rules and freedoms to switch off (see Mutations.h); a test build only.
  std::vector<std::string> off;
};

/// One thing that each rank does in stream order: a launch of the program, or
/// what the host does between launches. All of a step's effects on its rank are
/// complete before the next step begins there; other ranks may be ahead.
struct Step {
  std::function<void(int64_t rank)> body;
  bool host = false;    ///< a host step counts no launch and moves no base
  bool barrier = false; ///< enter through a barrier of all ranks
};

enum class Status {
  Ok,
  Deadlock,  ///< nothing can happen any more, and somebody waits
  Error,     ///< a rule was broken: bounds, rights, range, time-out, assertion
  Unbalanced ///< ended, but a slot got more than anybody waited for
};

/// How a run ended. `message` is one sentence; `details` are further lines
/// (for a deadlock: who waits where for what, and what has arrived). `site` is
/// null where no single place is to blame.
struct Outcome {
  Status status = Status::Ok;
  std::string message;
  std::vector<std::string> details;
  const gin_site_t *site = nullptr;
  int64_t rank = -1;
};

/// What ranks, or one rank and one peer, moved in one run.
struct Traffic {
  uint64_t puts = 0, putBytes = 0, gets = 0, getBytes = 0, signals = 0;

  Traffic &operator+=(const Traffic &more) {
    puts += more.puts;
    putBytes += more.putBytes;
    gets += more.gets;
    getBytes += more.getBytes;
    signals += more.signals;
    return *this;
  }
};
struct RankStats {
  std::vector<Traffic> to; ///< by peer (world rank)
  uint64_t waits = 0, barriers = 0, loads = 0, stores = 0;
  uint64_t waitedNs = 0; ///< virtual time spent waiting
};

class Engine;

class Simulator {
public:
  explicit Simulator(Config config);
  ~Simulator();
  Simulator(const Simulator &) = delete;
  Simulator &operator=(const Simulator &) = delete;

  /// Adds a window of zeros; the pointer goes into descriptors as `allocated`.
  /// Throws std::bad_alloc when there is no memory for it.
  gin_window_t *addWindow(WindowSpec spec);
  /// The part of `rank`, row-major, 64-byte aligned.
  void *data(gin_window_t *window, int64_t rank);
  gin_bank_t *addBank(BankSpec spec);

  /// Runs `steps` on every rank. May be called once.
  Outcome run(const std::vector<Step> &steps);
  /// Called about every 100 ms of real time during run() with the number of
  /// ended steps of all ranks and of puts so far.
  void onProgress(std::function<void(uint64_t steps, uint64_t puts)> report);

  uint64_t virtualTime() const; ///< nanoseconds
  uint64_t events() const;
  /// Of all ranks together, counted in any case.
  const Traffic &total() const;
  /// By rank, if Config::stats asks for them.
  const std::vector<RankStats> &stats() const;
  /// Chrome trace events (JSON, an object with "traceEvents"): ranks as
  /// processes, agents as threads, puts as flow arrows. For Perfetto.
  void writeTrace(std::ostream &os) const;
  /// Records beyond the four million or so that a trace holds: not in it.
  uint64_t droppedTraceRecords() const;

private:
  std::unique_ptr<Engine> engine;
};

} // namespace ginc::sim

#endif // GINC_SIM_SIMULATOR_H
