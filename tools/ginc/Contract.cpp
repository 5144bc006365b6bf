//===- Contract.cpp - the functions that programs call ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Contract.h"

#include "Memory.h"

#include "runtime/device/contract.h"

#include <cstdlib>
#include <limits>
#include <type_traits>

using namespace ginc;

//===----------------------------------------------------------------------===//
// The record
//===----------------------------------------------------------------------===//

namespace {
/// Of the running agent. Agents take turns inside of the contract's functions
/// only, so that whoever returns from one puts its own record back.
struct Caller {
  const gin_site_t *site = nullptr;
  int64_t rank = -1;
};
} // namespace

static Caller caller;
static sim::Traffic traffic;

void ginc::beginRank(int64_t rank) { caller = {nullptr, rank}; }
const gin_site_t *ginc::lastOperation() { return caller.site; }
int64_t ginc::callingRank() { return caller.rank; }
const sim::Traffic &ginc::totalTraffic() { return traffic; }

/// Calls `function` for the agent that is recorded as `self`.
template <typename Function, typename... Arguments>
static auto callAs(Caller self, Function function, Arguments... arguments) {
  caller = self;
  if constexpr (std::is_void_v<decltype(function(arguments...))>) {
    function(arguments...);
    caller = self;
  } else {
    auto result = function(arguments...);
    caller = self;
    return result;
  }
}

namespace {
/// A function of the contract that keeps the record. Most begin with a site.
template <auto function>
struct Recorded;

template <typename Result, typename... Arguments,
          Result (*function)(const gin_site_t *, Arguments...)>
struct Recorded<function> {
  static Result call(const gin_site_t *site, Arguments... arguments) {
    return callAs({site, caller.rank}, function, site, arguments...);
  }
};

template <typename Result, typename... Arguments,
          Result (*function)(Arguments...)>
struct Recorded<function> {
  static Result call(Arguments... arguments) {
    return callAs(caller, function, arguments...);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Traffic
//===----------------------------------------------------------------------===//

static uint64_t bytesOf(int32_t type) {
  switch (type) {
  case GIN_I8:
  case GIN_F8E4M3FN:
  case GIN_F8E5M2:
    return 1;
  case GIN_I16:
  case GIN_F16:
  case GIN_BF16:
    return 2;
  case GIN_I32:
  case GIN_F32:
    return 4;
  default:
    return 8;
  }
}

static uint64_t bytesOf(const gin_place_t *block, int32_t type) {
  uint64_t bytes = bytesOf(type);
  const int64_t *sizes = static_cast<const int64_t *>(block->descriptor) + 3;
  for (int64_t i = 0; i < block->rank; ++i)
    bytes *= static_cast<uint64_t>(sizes[i]);
  return bytes;
}

static void countPut(uint64_t bytes, const gin_slot_t *slot) {
  ++traffic.puts;
  traffic.putBytes += bytes;
  traffic.signals += slot && slot->bank;
}

static gin_token_t put(const gin_site_t *site, const gin_team_t *team,
                       int64_t peer, int64_t context, const gin_place_t *source,
                       const gin_place_t *target, int32_t type, int32_t flags,
                       const gin_slot_t *slot, int64_t weight) {
  countPut(bytesOf(source, type), slot);
  return Recorded<gin_put>::call(site, team, peer, context, source, target,
                                 type, flags, slot, weight);
}

static gin_token_t putValue(const gin_site_t *site, const gin_team_t *team,
                            int64_t peer, int64_t context, uint64_t value,
                            const gin_place_t *target, int32_t type,
                            const gin_slot_t *slot, int64_t weight) {
  countPut(bytesOf(type), slot);
  return Recorded<gin_put_value>::call(site, team, peer, context, value, target,
                                       type, slot, weight);
}

static gin_token_t atomicAdd(const gin_site_t *site, const gin_team_t *team,
                             int64_t peer, int64_t context, uint64_t value,
                             const gin_place_t *target, int32_t type) {
  countPut(bytesOf(type), nullptr);
  return Recorded<gin_atomic_add>::call(site, team, peer, context, value,
                                        target, type);
}

static gin_token_t get(const gin_site_t *site, const gin_team_t *team,
                       int64_t peer, int64_t context, const gin_place_t *source,
                       const gin_place_t *target, int32_t type) {
  ++traffic.gets;
  traffic.getBytes += bytesOf(target, type);
  return Recorded<gin_get>::call(site, team, peer, context, source, target,
                                 type);
}

static void signal(const gin_site_t *site, const gin_team_t *team, int64_t peer,
                   int64_t context, const gin_slot_t *slot, int64_t weight,
                   int32_t flags) {
  ++traffic.signals;
  Recorded<gin_signal>::call(site, team, peer, context, slot, weight, flags);
}

//===----------------------------------------------------------------------===//
// Agents and memory
//===----------------------------------------------------------------------===//

namespace {
/// What gin_fork() hands to the agents in place of the program's captures.
struct Fork {
  Caller parent;
  void (*body)(void *captures, int64_t index);
  void *captures;
  int64_t running;
};
} // namespace

static void fork(const gin_site_t *site, int64_t count,
                 void (*body)(void *captures, int64_t index), void *captures,
                 const char *const *names) {
  auto begin = [](void *record, int64_t index) {
    Fork *whole = static_cast<Fork *>(record);
    caller = whole->parent;
    whole->body(whole->captures, index);
    if (--whole->running == 0)
      delete whole;
  };
  // The last agent deletes it: where the join is switched off, agents outlive
  // the call. A run that ends in an error leaks it, as all that fibers own.
  Fork *whole = count > 0 ? new Fork{{site, caller.rank}, body, captures, count}
                          : nullptr;
  Recorded<gin_fork>::call(site, count, begin, whole, names);
}

static void *allocate(const gin_site_t *site, int64_t alignment,
                      int64_t bytes) {
  void *memory = nullptr;
  // Of what is small there is enough, or the system will say so.
  constexpr int64_t small = 64 << 20;
  uint64_t available = std::numeric_limits<uint64_t>::max();
  if (bytes > small)
    available = availableMemory();
  if (bytes >= 0 && static_cast<uint64_t>(bytes) <= available)
    memory = alignment > 0 ? std::aligned_alloc(alignment, bytes)
                           : std::malloc(bytes);
  if (memory || bytes == 0)
    return memory;
  // Nobody comes back from gin_fail() to destroy the text.
  static std::string message;
  if (bytes < 0)
    message = "the allocation has a negative size or one beyond 2^63: " +
              std::to_string(bytes) + " bytes";
  else
    message = "the allocation needs " + formatBytes(bytes) + ", but " +
              formatBytes(availableMemory()) + " of memory are free";
  gin_fail(site, message.c_str());
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

#define RECORDED(name) {#name, reinterpret_cast<void *>(&Recorded<name>::call)}
#define OWN(name, function) {name, reinterpret_cast<void *>(&(function))}

llvm::ArrayRef<ContractFunction> ginc::contractFunctions() {
  static const ContractFunction functions[] = {
      RECORDED(gin_rank),
      RECORDED(gin_num_ranks),
      RECORDED(gin_coord),
      RECORDED(gin_launch),
      RECORDED(gin_window_dim),
      OWN("gin_put", put),
      OWN("gin_put_value", putValue),
      OWN("gin_get", get),
      OWN("gin_atomic_add", atomicAdd),
      OWN("gin_signal", signal),
      RECORDED(gin_wait),
      RECORDED(gin_test),
      RECORDED(gin_read),
      RECORDED(gin_await),
      RECORDED(gin_flush),
      RECORDED(gin_barrier),
      OWN("gin_fork", fork),
      RECORDED(gin_peer_view),
      RECORDED(gin_load_begin),
      RECORDED(gin_load_end),
      RECORDED(gin_store),
      RECORDED(gin_drain),
      RECORDED(gin_local_atomic_add),
      RECORDED(gin_local_atomic_fetch_add),
      RECORDED(gin_fail),
      OWN(allocateFunction, allocate),
  };
  return functions;
}
