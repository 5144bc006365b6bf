//===- Engine.h - the discrete events of a run ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How it works. Time is virtual, and what will happen stands in a heap ordered
// by time. An operation draws the times of all its events when it is issued: a
// put, when its source is read, when its pieces are delivered, when it is done
// and when its signal arrives. An event that must come after others is given a
// later time than theirs. That is all the ordering there is, and it is cheap:
// "all earlier puts to this peer are delivered" is the maximum of known times.
//
// Invariants.
// - An event that depends on another is strictly later, or runs right after it
//   in the same call. So ties never decide anything that a program relies on.
// - An agent that acts at time t has seen all events before t, and time never
//   goes back.
// - Everything that reads or writes memory or slots is an event of its own.
//   Local completion is not: it is a time, to which `await` advances.
// - Which random numbers are drawn depends on the program, the configuration
//   and the seed alone: never on addresses or on real time.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_ENGINE_H
#define GINC_SIM_ENGINE_H

#include "runtime/sim/Agent.h"
#include "runtime/sim/Barrier.h"
#include "runtime/sim/EventHeap.h"
#include "runtime/sim/Mutations.h"
#include "runtime/sim/Pool.h"
#include "runtime/sim/Signals.h"
#include "runtime/sim/Simulator.h"
#include "runtime/sim/Team.h"
#include "runtime/sim/Timing.h"
#include "runtime/sim/Transfer.h"
#include "runtime/sim/Window.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ginc::sim {

class Trace;

/// A memref as programs pass it: see contract.h.
struct View {
  gin_window *window = nullptr;
  char *base = nullptr; ///< of element 0
  int64_t dims = 0;
  const int64_t *sizes = nullptr;
  const int64_t *strides = nullptr;
};

/// What a put, in any of its forms, is asked to do.
struct PutRequest {
  const gin_site_t *site;
  const char *what; ///< "put", for messages
  const gin_team_t *team;
  int64_t peer, context;
  const gin_place_t *source; ///< null: the immediate value
  uint64_t value;
  const gin_place_t *target;
  int32_t type;
  bool add;
  const gin_slot_t *slot; ///< may be null
  int64_t weight;
};

class Engine {
public:
  explicit Engine(Config config);
  ~Engine();

  gin_window *addWindow(WindowSpec spec);
  gin_bank *addBank(BankSpec spec);
  Outcome run(const std::vector<Step> &steps);

  /// The engine that runs on this thread, inside an agent; else null.
  static Engine *running();

  // -- operations of the running agent, one for each of the contract's. An
  // operation that breaks a rule records the error and throws Failure; the
  // caller lets go of what it holds, and calls stop().
  int64_t rankOf(const gin_team_t *team);
  int64_t numRanks(const gin_team_t *team);
  int64_t coord(const gin_team_t *grid, int64_t axis);
  int64_t launch();
  int64_t windowDim(const gin_site_t *site, const gin_team_t *team,
                    int64_t peer, const void *descriptor, int64_t dims,
                    int64_t dim);
  gin_token_t put(const PutRequest &request);
  gin_token_t get(const gin_site_t *site, const gin_team_t *team, int64_t peer,
                  int64_t context, const gin_place_t &source,
                  const gin_place_t &target, int32_t type);
  void signal(const gin_site_t *site, const gin_team_t *team, int64_t peer,
              int64_t context, const gin_slot_t &slot, int64_t weight,
              bool relaxed);
  bool wait(const gin_site_t *site, const gin_slot_t &slot, int64_t count,
            int64_t timeout, bool must);
  bool test(const gin_site_t *site, const gin_slot_t &slot, int64_t count);
  int64_t read(const gin_site_t *site, const gin_slot_t &slot);
  void await(const gin_site_t *site, gin_token_t token);
  void flush(const gin_site_t *site);
  void barrier(const gin_site_t *site, const gin_team_t *team, bool global);
  void fork(const gin_site_t *site, int64_t count,
            void (*body)(void *, int64_t), void *captures,
            const char *const *names);
  void peerView(const gin_site_t *site, const gin_team_t *team, int64_t peer,
                const void *descriptor, int64_t dims, void *result);
  int64_t loadBegin(const gin_site_t *site, const gin_window *window,
                    const void *address, int32_t bits);
  uint64_t loadEnd(int64_t load);
  void store(const gin_site_t *site, const gin_window *window, void *address,
             uint64_t value, int32_t bits);
  void drain();
  void localAdd(const gin_site_t *site, const gin_window *window, void *address,
                uint64_t value, int32_t type);
  uint64_t localFetchAdd(const gin_site_t *site, const gin_window *window,
                         void *address, uint64_t value, int32_t type);
  struct Failure {};
  /// Records an error of the running agent and throws Failure.
  [[noreturn]] void fail(const gin_site_t *site, std::string message);
  /// Records that there is no memory left.
  void outOfMemory(const gin_site_t *site);
  /// Ends the run after an error. The agent's frames are forgotten.
  [[noreturn]] void stop();

  // -- results
  Time virtualTime() const { return now; }
  uint64_t eventCount() const { return events; }
  const Traffic &totalTraffic() const { return total; }
  const std::vector<RankStats> &rankStats() const { return stats; }
  const Trace *recorded() const { return trace.get(); }
  const Config &configuration() const { return config; }
  void onProgress(std::function<void(uint64_t, uint64_t)> report) {
    progress = std::move(report);
  }

private:
  struct Rank {
    int64_t launch = 0;
    Time doneMax = 0;            ///< of all puts and gets of this launch
    std::vector<Slot *> touched; ///< that this launch waited for
    bool ended = false;
    /// When the last put of one launch lands here, for launches that have not
    /// ended here. Few at a time: those in which some rank is ahead.
    struct Landing {
      int64_t launch;
      Time last;
      const gin_site_t *site;
      int64_t source;
    };
    std::vector<Landing> landings;
    // Mutations only.
    int64_t strays = 0;         ///< running children that no join waits for
    std::vector<Arrival> early; ///< arrivals that wait for a later launch
  };

  // -- Engine.cpp: time, agents, steps
  bool off(Rule rule) const { return mutations.off(rule); }
  void loop();
  void runAgent(const Event &event);
  void execute(const Event &event);
  void suspend();
  void advance(Time time);
  void step();
  void begin(bool probes = false);
  Agent &newAgent(int64_t rank);
  void freeAgent(Agent &agent);
  void forgetStored(const Agent &agent);
  void countTraffic(int64_t peer, const Traffic &moved);
  void putLands(const gin_site_t *site, int64_t peer, Time time);
  void checkLanded(Rank &rank);
  void wake(Agent &agent);
  void poll();
  void prefetchNext();
  void runFiber();
  void runRank();
  void endStep(const Step &step);
  void spin(const gin_site_t *site, const gin_slot_t &slot, uint64_t index,
            bool changed);

  // -- Fork.cpp
  void startChild(uint32_t child);
  void runChild();
  void pushChild(uint32_t fork, int64_t index);
  void joinFamily(Fork &fork);
  Agent &waiter(Agent &agent);
  void ghostEnds(Agent &ghost);
  void collectGhosts(Agent &agent);

  // -- Places.cpp: checks of what programs pass
  const Team &team(const gin_site_t *site, const gin_team_t *description);
  int64_t worldRank(const gin_site_t *site, const gin_team_t *description,
                    int64_t peer);
  View view(const gin_site_t *site, const void *descriptor, int64_t dims,
            const char *what);
  void checkRoot(const gin_site_t *site, const View &view, const char *what);
  void checkLocal(const gin_site_t *site, const View &view, unsigned bytes,
                  const char *what);
  void checkRemote(const gin_site_t *site, const gin_window &window,
                   int64_t rank, unsigned right, const char *what);
  char *remoteBase(const gin_site_t *site, const View &root,
                   const int64_t *indices, int64_t rank, const View *shape,
                   CopyDim *dims, const char *what);
  uint64_t slotIndex(const gin_site_t *site, const gin_slot_t &slot);
  void checkWeight(const gin_site_t *site, int64_t weight);
  int64_t elementOwner(const gin_site_t *site, const gin_window *window,
                       const void *address, uint64_t bytes, unsigned right,
                       const char *what);

  // -- Transfer.cpp
  gin_token_t issue(Agent &agent, Time done);
  Time doneTime(const gin_site_t *site, Agent &agent, gin_token_t token);
  void split(Transfer &transfer);
  void collectForwards(Agent &agent, Transfer &transfer);
  void collectStored(const Agent &agent, Transfer &transfer);
  struct Plan {
    Time lastRead, lastWrite;
  };
  Plan planPut(Agent &agent, Transfer &transfer, int64_t peer,
               const Channel &channel);
  Plan planGet(Agent &agent, Transfer &transfer, int64_t peer, Time writable);
  void start(uint32_t transfer, Plan plan);
  void runTransfer(uint32_t transfer);
  bool runPieces(uint32_t id, Transfer &transfer);
  void readPiece(Transfer &transfer, uint64_t first, uint64_t last, bool early);
  void writePiece(Transfer &transfer, uint64_t first, uint64_t last);
  void fillArrival(Arrival &arrival, const gin_site_t *site, Slot &slot,
                   int64_t rank, int64_t weight);

  // -- Signals.cpp
  void arrive(Arrival &arrival);
  void send(const Arrival &arrival, Time time);
  bool satisfied(const Agent &agent, const Slot &slot) const;
  bool block(const gin_site_t *site, gin_bank *bank, uint64_t slot,
             uint64_t target, Time timeout);
  void enterLine(Slot &slot, Agent &agent);
  void leaveLine(Slot &slot, const Agent &agent, uint32_t before);
  void timeOut(uint32_t index);
  void count(Slot &slot, int64_t count);
  void learn(const Slot &slot);
  Time pendingMax(const Agent &agent, bool loads, bool stores) const;
  Time covered(Agent &agent, int64_t peer, int64_t context);
  static Time after(Time time, Time before) {
    return before >= time ? before + 1 : time;
  }

  // -- Barrier.cpp
  void barrierRound(const gin_site_t *site, const Team &team);
  void countedRound(const gin_site_t *site, const Team &team);
  void coverByPeer(Agent &agent, std::vector<Time> &cover, Time &all);
  TeamBarrier &barrierOf(const Team &team);

  // -- Access.cpp
  void beginAccess();
  unsigned addedBytes(const gin_site_t *site, const gin_window *window,
                      const void *address, int32_t type);
  Time sameCell(const Agent &agent, const char *address, uint64_t bytes) const;
  void compact(Agent &agent);
  void perform(Access &access);
  void force(Agent &agent, const char *address, uint64_t bytes);
  void drainAll(Agent &agent);
  void release(uint32_t access);
  uint32_t newAccess(char *address, unsigned bytes, bool load, uint64_t value);
  void schedule(Agent &agent, uint32_t access, Time time);
  void writeLate(Agent &agent, uint32_t access);

  // -- Report.cpp
  std::string waitsFor(const Agent &agent);
  void describeDeadlock();
  void describeBalance();

  Config config;
  Mutations mutations;
  Timing timing;
  Teams teams;
  EventHeap heap;
  Time now = 0;
  uint64_t events = 0, nextPoll = 0, stepsEnded = 0;
  bool over = false, started = false;
  Agent *current = nullptr;
  int64_t ranksRunning = 0;
  uint64_t spins = 0;
  Outcome outcome;
  const std::vector<Step> *steps = nullptr;

  std::vector<std::unique_ptr<gin_window>> windows;
  std::vector<std::unique_ptr<gin_bank>> banks;
  std::vector<Rank> ranks;
  std::vector<std::unique_ptr<TeamBarrier>> barriers; ///< by team
  std::vector<Time> coverScratch;

  Pool<Agent> agents;
  Pool<Transfer> transfers;
  Pool<Arrival> arrivals;
  Pool<Access> accesses;
  Pool<Fork> forks;
  Pool<Child> children;
  struct Timeout {
    uint32_t agent, wakeups;
  };
  Pool<Timeout> timeouts;

  Traffic total;
  std::vector<RankStats> stats;
  std::unique_ptr<Trace> trace;
  std::function<void(uint64_t, uint64_t)> progress;
  std::chrono::steady_clock::time_point lastReport;

  // Mutations only: memory at the start, what agents stored, what slots know.
  std::vector<std::vector<char>> initial;
  struct Stored {
    char *address;
    uint64_t value;
    uint8_t bytes;
    uint32_t agent;
  };
  std::vector<Stored> storedValues;
  std::map<const Slot *, Knowledge> slotKnowledge;
  std::map<uint32_t, std::unique_ptr<gin_bank>> barrierSlots; ///< by team
};

} // namespace ginc::sim

#endif // GINC_SIM_ENGINE_H
