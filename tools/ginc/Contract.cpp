//===- Contract.cpp - the functions that programs call ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Contract.h"

#include "Memory.h"

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

void ginc::beginRank(int64_t rank) { caller = {nullptr, rank}; }
const gin_site_t *ginc::lastOperation() { return caller.site; }
int64_t ginc::callingRank() { return caller.rank; }

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
      RECORDED(gin_put),
      RECORDED(gin_put_value),
      RECORDED(gin_get),
      RECORDED(gin_atomic_add),
      RECORDED(gin_signal),
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
