//===- AsyncError.cpp - errors of kernels ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

#include <cstdio>
#include <cstring>

using namespace gin;
using namespace gin::host;

/// The error in a sentence.
static void compose(const ginError_t &error, char *out, size_t size) {
  char what[256] = "";
  switch (error.result) {
  case GIN_ERR_TIMEOUT:
  case GIN_ERR_ABORTED:
    if (error.bank == ~0u)
      std::snprintf(what, sizeof what,
                    "rank %d has not come to barrier %llu of team %llu",
                    error.peer, static_cast<unsigned long long>(error.want),
                    static_cast<unsigned long long>(error.slot));
    else
      std::snprintf(what, sizeof what,
                    "slot %llu of bank %u has counted %llu of %llu",
                    static_cast<unsigned long long>(error.slot), error.bank,
                    static_cast<unsigned long long>(error.have),
                    static_cast<unsigned long long>(error.want));
    break;
  case GIN_ERR_WINDOW_FULL:
    std::snprintf(what, sizeof what,
                  "window %llu has %llu bytes on rank %d, the access ends at "
                  "%llu",
                  static_cast<unsigned long long>(error.slot),
                  static_cast<unsigned long long>(error.have), error.peer,
                  static_cast<unsigned long long>(error.want));
    break;
  case GIN_ERR_NO_SLOT:
    std::snprintf(what, sizeof what,
                  "bank %u has %llu slots, this is slot %llu", error.bank,
                  static_cast<unsigned long long>(error.have),
                  static_cast<unsigned long long>(error.slot));
    break;
  case GIN_ERR_DIVERGED:
    std::snprintf(what, sizeof what,
                  "%llu of the block's %llu threads wait for others, for ever",
                  static_cast<unsigned long long>(error.have),
                  static_cast<unsigned long long>(error.want));
    break;
  default:
    std::snprintf(what, sizeof what, "%s", ginResultText(error.result));
    break;
  }
  char place[sizeof error.file + 16] = "";
  if (error.file[0] != 0)
    std::snprintf(place, sizeof place, "%s:%d: ", error.file, error.line);
  std::snprintf(out, size,
                "%s%s on rank %d (block %u, thread %u, launch %llu): %s: %s",
                place, error.operation, error.rank, error.block, error.thread,
                static_cast<unsigned long long>(error.launch),
                ginResultName(error.result), what);
}

bool gin::host::readRecord(const ErrorRecord &record, ginError_t &error) {
  // Written last by the GPU, with release.
  uint32_t code = __atomic_load_n(&record.code, __ATOMIC_ACQUIRE);
  if (code == 0)
    return false;
  error = {};
  error.result = static_cast<ginResult_t>(code);
  error.rank = record.rank;
  error.peer = record.peer;
  error.block = record.block;
  error.thread = record.thread;
  error.bank = record.bank;
  error.slot = record.slot;
  error.have = record.have;
  error.want = record.want;
  error.launch = record.launch;
  error.line = record.line;
  std::memcpy(error.operation, record.text, sizeof error.operation);
  std::memcpy(error.file, record.file, sizeof error.file);
  compose(error, error.message, sizeof error.message);
  return true;
}

bool gin::host::firstError(Group &group, int rank, ginError_t &error) {
  std::vector<ginError_t> all;
  // Outside of the lock, since a program that goes takes it.
  std::vector<std::shared_ptr<SharedProgram>> programs;
  {
    std::lock_guard<std::mutex> lock(group.mutex);
    all = group.errors;
    for (const std::weak_ptr<SharedProgram> &weak : group.programs)
      if (std::shared_ptr<SharedProgram> program = weak.lock())
        programs.push_back(std::move(program));
  }
  for (const std::shared_ptr<SharedProgram> &program : programs)
    for (int i = 0; i < group.ranks; ++i) {
      ginError_t one;
      if (readRecord(program->records[i], one))
        all.push_back(one);
    }
  // A rank that left because another failed is of less interest.
  auto interest = [&](const ginError_t &one) {
    return (one.result != GIN_ERR_ABORTED ? 2 : 0) + (one.rank == rank ? 1 : 0);
  };
  const ginError_t *best = nullptr;
  for (const ginError_t &one : all)
    if (!best || interest(one) > interest(*best))
      best = &one;
  if (best) {
    error = *best;
    return true;
  }
  if (__atomic_load_n(&group.abort[rank], __ATOMIC_ACQUIRE) == 0)
    return false;
  error = {};
  error.result = GIN_ERR_ABORTED;
  error.rank = rank;
  error.peer = -1;
  std::snprintf(error.message, sizeof error.message, "ginCommAbort was called");
  return true;
}

ginResult_t ginCommGetAsyncError(ginComm_t comm, ginError_t *error) {
  return guarded([&]() -> ginResult_t {
    if (!comm)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginCommGetAsyncError: comm is null");
    ginError_t first;
    if (!firstError(*comm->group, comm->rank, first)) {
      if (error)
        *error = {};
      return GIN_SUCCESS;
    }
    if (error)
      *error = first;
    return fail(first.result, first.message);
  });
}
