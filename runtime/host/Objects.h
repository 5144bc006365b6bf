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
// exchange what they registered; nothing else would change.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_HOST_OBJECTS_H
#define GIN_HOST_OBJECTS_H

#include "runtime/host/Backend.h"

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace gin::host {

/// What ranks agree on in one collective call.
struct Collective {
  virtual ~Collective() = default;
  std::vector<bool> joined;
  size_t missing = 0; // ranks that have not called
  bool complete() const { return missing == 0; }
};

struct SharedProgram;

/// The ranks of a communicator.
struct Group {
  Group(std::unique_ptr<Backend> backend, int ranks)
      : backend(std::move(backend)), ranks(ranks),
        calls(static_cast<size_t>(ranks)) {}
  ~Group();
  ginResult_t start();

  const std::unique_ptr<Backend> backend;
  const int ranks;
  uint32_t *abort = nullptr; // common memory, one word for each rank

  std::mutex mutex;            // of what follows
  std::vector<uint64_t> calls; // collective calls of each rank so far
  std::map<uint64_t, std::shared_ptr<Collective>> open; // by number
  std::vector<std::weak_ptr<SharedProgram>> programs;
  std::vector<ginError_t> errors; // of programs that are gone
  uint32_t windows = 0;

  /// The object of `rank`'s next collective call: the one that other ranks have
  /// begun, or a new one. `agrees` looks at one of the same kind that exists.
  /// Call with the mutex held.
  template <class Object, class Agrees>
  ginResult_t join(int rank, std::shared_ptr<Object> &object, Agrees agrees) {
    uint64_t number = calls[rank];
    auto found = open.find(number);
    if (found == open.end()) {
      object = std::make_shared<Object>();
      object->joined.resize(calls.size());
      object->missing = calls.size();
      found = open.emplace(number, object).first;
    } else {
      object = std::dynamic_pointer_cast<Object>(found->second);
      if (!object || !agrees(*object))
        return fail(GIN_ERR_MISMATCH,
                    "collective call " + std::to_string(number) + " of rank " +
                        std::to_string(rank) +
                        " differs from that of the ranks before");
    }
    object->joined[rank] = true;
    ++calls[rank];
    if (--object->missing == 0)
      open.erase(found);
    return GIN_SUCCESS;
  }
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
};

struct SharedProgram : Collective {
  ~SharedProgram() override;
  ginResult_t complete(const std::shared_ptr<Group> &group);

  std::shared_ptr<Group> group;
  std::vector<uint32_t> slots; // of each bank
  uint64_t timeout = 0;
  uint32_t teams = 1;
  std::vector<RankProgram> ranks;
  ErrorRecord *records = nullptr; // common memory, one for each rank
};

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
