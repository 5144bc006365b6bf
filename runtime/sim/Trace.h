//===- Trace.h - what a run did, for a viewer -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_TRACE_H
#define GINC_SIM_TRACE_H

#include "runtime/device/contract.h"
#include "runtime/sim/Time.h"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ginc::sim {

/// Records a run, to be written as Chrome trace events: a process for each
/// rank, a thread for each agent. Agents that do not overlap in time share a
/// thread (a lane). Each rank has one more lane, `network`, for what comes in.
/// Threads are numbered through, after the processes: viewers take two threads
/// of one number for one, and a thread of its process's number for the main
/// one.
///
/// A record is small and their number is bounded: what is too much is dropped
/// and counted.
class Trace {
public:
  explicit Trace(int64_t ranks);

  /// A lane of `rank` that no running agent uses, with this name.
  uint32_t openLane(int64_t rank, const char *name);
  void closeLane(uint32_t lane);

  void step(uint32_t lane, bool host, int64_t number, Time begin, Time end);
  void agent(uint32_t lane, const gin_site_t *site, int64_t index, Time begin,
             Time end);
  void wait(uint32_t lane, const gin_site_t *site, Time begin, Time end);
  void barrier(uint32_t lane, const gin_site_t *site, Time begin, Time end);
  void get(uint32_t lane, const gin_site_t *site, int64_t peer, Time begin,
           Time end, uint64_t bytes);
  /// A put or signal is issued. Returns the flow that leads to its effects.
  uint64_t send(uint32_t lane, const gin_site_t *site, int64_t peer, Time begin,
                Time end);
  /// All its bytes are there. If `signals`, the flow goes on to an arrival.
  void delivery(uint64_t flow, int64_t rank, const gin_site_t *site, Time time,
                uint64_t bytes, bool signals);
  /// Its signal arrives and wakes the agent of `waiter`, if that is not null.
  void arrival(uint64_t flow, int64_t rank, int64_t source,
               const gin_site_t *site, Time time, const uint32_t *waiter);

  uint64_t dropped() const { return lost; }
  void write(std::ostream &os) const;

private:
  enum class Kind : uint8_t {
    Launch,
    Host,
    Agent,
    Wait,
    Barrier,
    Get,
    Send,
    Delivery,
    LastDelivery,
    Arrival,
    Wakeup
  };
  struct Record {
    Time begin, end;
    const gin_site_t *site;
    uint64_t number; ///< bytes, launch or index
    uint64_t flow;
    uint32_t lane;
    int32_t peer;
    Kind kind;
  };
  struct Lane {
    int64_t rank;
    std::string name;
  };

  void add(const Record &record);
  std::vector<Time> sliceEnds() const;
  void writeRecord(std::string &out, const Record &record, Time end) const;
  void writeSlice(std::string &out, const Record &record, Time end,
                  const std::string &name) const;
  std::string nameOf(const Record &record) const;
  void writeEvent(std::string &out, const Record &record, const char *phase,
                  const std::string &name) const;

  std::vector<Record> records;
  std::vector<Lane> lanes; ///< the first `ranks` are the ranks' networks
  size_t ranks;
  std::map<std::pair<int64_t, std::string>, std::vector<uint32_t>> freeLanes;
  uint64_t flows = 0, lost = 0;
};

} // namespace ginc::sim

#endif // GINC_SIM_TRACE_H
