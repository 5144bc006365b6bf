//===- Objects.h - what handles point to ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A handle belongs to a rank and shares an object with the other ranks'. The
// shared object lives as long as any of its handles, so that they can go in any
// order.
//
// Collective calls are matched by number: the k-th of one rank belongs to the
// k-th of the others. With a process for each rank, `Group` is where they would
// exchange what they registered; nothing else would change. A call that some
// rank has not made yet can be taken back by those that have: its number is
// then given again, so that all ranks can begin anew after an error of one.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_HOST_OBJECTS_H
#define GIN_HOST_OBJECTS_H

#include "runtime/host/OpenLaunch.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

struct ginProgram;
struct ginWindow;

namespace gin::host {

/// What ranks make by one collective call.
struct Collective {
  virtual ~Collective() = default;
  uint64_t number = 0; // of the call
  std::string terms;   // in words, all that has to be equal on all ranks
  std::vector<bool> joined;
  std::atomic<size_t> missing{0}; // ranks that have not called
  bool complete() const { return missing == 0; }
};

struct SharedProgram;

/// The ranks of a communicator.
struct Group {
  Group(std::unique_ptr<Backend> backend, int ranks)
      : backend(std::move(backend)), ranks(ranks),
        calls(static_cast<size_t>(ranks)), takenBack(calls.size()) {}
  ~Group();
  ginResult_t start();

  const std::unique_ptr<Backend> backend;
  const int ranks;
  uint32_t *abort = nullptr; // common memory, one word for each rank

  std::mutex mutex;            // of what follows
  std::vector<uint64_t> calls; // collective calls of each rank so far
  std::vector<std::set<uint64_t>> takenBack;            // of them, by rank
  std::map<uint64_t, std::shared_ptr<Collective>> open; // by number
  std::vector<std::weak_ptr<SharedProgram>> programs;
  std::vector<ginError_t> errors; // of programs that are gone
  uint32_t windows = 0;

  // A collective call finds its object, does what may fail, and joins. Call
  // these with the mutex held.

  /// The object of `rank`'s next collective call: the one that other ranks have
  /// begun, or a new one. `terms` begin with the kind of object.
  template <class Object>
  ginResult_t find(int rank, const std::string &terms,
                   std::shared_ptr<Object> &object) {
    const uint64_t number = calls[static_cast<size_t>(rank)];
    auto found = open.find(number);
    if (found == open.end()) {
      object = std::make_shared<Object>();
      object->number = number;
      object->terms = terms;
      object->joined.resize(calls.size());
      object->missing = calls.size();
      return GIN_SUCCESS;
    }
    if (found->second->terms != terms)
      return differs(rank, terms, *found->second);
    object = std::static_pointer_cast<Object>(found->second);
    return GIN_SUCCESS;
  }
  void join(int rank, const std::shared_ptr<Collective> &object);
  /// Takes `rank`'s call back, unless all ranks have called.
  void leave(int rank, Collective &object);
  ginResult_t differs(int rank, const std::string &terms,
                      const Collective &other) const;
  /// "rank 2", or "ranks 2 and 3": who has not called.
  std::string absent(const Collective &object) const;
};

struct SharedWindow : Collective {
  ~SharedWindow() override;
  std::shared_ptr<Group> group;
  std::vector<Part> parts;
  std::vector<Part *> tables; // of parts, in each rank's memory, or null
  uint32_t rights = 0;
  uint32_t id = 0;
};

/// What a program has on one rank.
struct RankProgram {
  char *memory = nullptr; // of the rank: state, bases, slots
  Program program{};
  std::vector<Bank> banks;
  std::unique_ptr<LaunchQueue> queue;
  std::unique_ptr<OpenLaunch> launch;
};

struct SharedProgram : Collective {
  ~SharedProgram() override;
  /// Makes what all ranks have, once the last one calls; all or nothing.
  ginResult_t allocate();
  /// Until all that was launched has ended.
  void wait() const;
  /// Waits, and looks for signals that nobody waited for: an error, but for
  /// what cannot be told when ranks failed, or launched differently often.
  /// When no rank launches any more.
  ginResult_t checkBalance() const;
  /// What error texts begin with.
  std::string prefix() const { return name.empty() ? "" : name + ": "; }

  std::shared_ptr<Group> group;
  std::string name, architectures; // may be empty
  std::vector<uint32_t> slots;     // of each bank
  uint64_t timeout = 0;
  uint32_t teams = 1, lanes = 1;
  std::vector<RankProgram> ranks;
  size_t left = 0;                // of the ranks; with the group's mutex held
  ErrorRecord *records = nullptr; // common memory, one for each rank

private:
  ginResult_t tryToAllocate();
  void release();
};

/// GIN_ERR_INCOMPLETE unless all ranks have created the program.
ginResult_t checkComplete(const SharedProgram &shared);
/// GIN_ERR_INCOMPLETE unless all ranks have registered the window. With the
/// group's mutex held.
ginResult_t checkRegistered(const SharedWindow &shared);

/// As ginProgramCheckWindow; error texts begin with `prefix`.
ginResult_t checkWindow(const ginProgram &program, const ginWindow &window,
                        const std::string &prefix);

/// Launches a part of a launch with `stream` as lane 0, if no kernel has failed
/// and the part can follow what is launched.
ginResult_t launchPart(const ginProgram &program, void *stream,
                       const std::function<ginResult_t(RankProgram &)> &part);

/// The error of `rank`'s record, if it has one.
bool readRecord(const ErrorRecord &record, ginError_t &error);
/// The first error to report to `rank`: its own, else anybody's.
bool firstError(Group &group, int rank, ginError_t &error);

} // namespace gin::host

struct ginComm {
  std::shared_ptr<gin::host::Group> group;
  int rank;
};
struct ginWindow {
  std::shared_ptr<gin::host::SharedWindow> shared;
  int rank;
};
struct ginProgram {
  std::shared_ptr<gin::host::SharedProgram> shared;
  int rank;
};

#endif // GIN_HOST_OBJECTS_H
