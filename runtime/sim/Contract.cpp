//===- Contract.cpp - the functions that compiled programs call -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/device/contract.h"

#include "runtime/sim/Engine.h"

#include <cstdio>
#include <new>
#include <type_traits>

using namespace ginc::sim;

/// Calls `operation` with the engine. Compiled programs know no exceptions, and
/// a call outside of a run has nobody to report to.
template <typename Operation>
static auto call(const char *name, const gin_site_t *site, Operation operation)
    -> decltype(operation(std::declval<Engine &>())) {
  using Result = decltype(operation(std::declval<Engine &>()));
  Engine *engine = Engine::running();
  if (!engine) {
    std::fprintf(stderr, "%s was called outside of Simulator::run()\n", name);
    return Result();
  }
  try {
    return operation(*engine);
  } catch (const Engine::Failure &) {
    // It has been recorded.
  } catch (const std::bad_alloc &) {
    engine->outOfMemory(site);
  }
  engine->stop();
}

int64_t gin_rank(const gin_team_t *team) {
  return call("gin_rank", nullptr,
              [&](Engine &engine) { return engine.rankOf(team); });
}

int64_t gin_num_ranks(const gin_team_t *team) {
  return call("gin_num_ranks", nullptr,
              [&](Engine &engine) { return engine.numRanks(team); });
}

int64_t gin_coord(const gin_team_t *grid, int64_t axis) {
  return call("gin_coord", nullptr,
              [&](Engine &engine) { return engine.coord(grid, axis); });
}

int64_t gin_launch(void) {
  return call("gin_launch", nullptr,
              [&](Engine &engine) { return engine.launch(); });
}

int64_t gin_window_dim(const gin_site_t *site, const gin_team_t *team,
                       int64_t peer, const void *descriptor, int64_t rank,
                       int64_t dim) {
  return call("gin_window_dim", site, [&](Engine &engine) {
    return engine.windowDim(site, team, peer, descriptor, rank, dim);
  });
}

gin_token_t gin_put(const gin_site_t *site, const gin_team_t *team,
                    int64_t peer, int64_t context, const gin_place_t *source,
                    const gin_place_t *target, int32_t type, int32_t flags,
                    const gin_slot_t *slot, int64_t weight) {
  return call("gin_put", site, [&](Engine &engine) {
    return engine.put({site, "the put", team, peer, context, source, 0, target,
                       type, (flags & GIN_PUT_ACCUMULATE) != 0, slot, weight});
  });
}

gin_token_t gin_put_value(const gin_site_t *site, const gin_team_t *team,
                          int64_t peer, int64_t context, uint64_t value,
                          const gin_place_t *target, int32_t type,
                          const gin_slot_t *slot, int64_t weight) {
  return call("gin_put_value", site, [&](Engine &engine) {
    return engine.put({site, "the put", team, peer, context, nullptr, value,
                       target, type, false, slot, weight});
  });
}

gin_token_t gin_get(const gin_site_t *site, const gin_team_t *team,
                    int64_t peer, int64_t context, const gin_place_t *source,
                    const gin_place_t *target, int32_t type) {
  return call("gin_get", site, [&](Engine &engine) {
    return engine.get(site, team, peer, context, *source, *target, type);
  });
}

gin_token_t gin_atomic_add(const gin_site_t *site, const gin_team_t *team,
                           int64_t peer, int64_t context, uint64_t value,
                           const gin_place_t *target, int32_t type) {
  return call("gin_atomic_add", site, [&](Engine &engine) {
    return engine.put({site, "the atomic addition", team, peer, context,
                       nullptr, value, target, type, true, nullptr, 0});
  });
}

void gin_signal(const gin_site_t *site, const gin_team_t *team, int64_t peer,
                int64_t context, const gin_slot_t *slot, int64_t weight,
                int32_t flags) {
  call("gin_signal", site, [&](Engine &engine) {
    engine.signal(site, team, peer, context, *slot, weight,
                  (flags & GIN_SIGNAL_RELAXED) != 0);
  });
}

int32_t gin_wait(const gin_site_t *site, const gin_slot_t *slot, int64_t count,
                 int64_t timeout, int32_t must) {
  return call("gin_wait", site, [&](Engine &engine) {
    return int32_t(engine.wait(site, *slot, count, timeout, must != 0));
  });
}

int32_t gin_test(const gin_site_t *site, const gin_slot_t *slot,
                 int64_t count) {
  return call("gin_test", site, [&](Engine &engine) {
    return int32_t(engine.test(site, *slot, count));
  });
}

int64_t gin_read(const gin_site_t *site, const gin_slot_t *slot) {
  return call("gin_read", site,
              [&](Engine &engine) { return engine.read(site, *slot); });
}

void gin_await(const gin_site_t *site, gin_token_t token) {
  call("gin_await", site, [&](Engine &engine) { engine.await(site, token); });
}

void gin_flush(const gin_site_t *site) {
  call("gin_flush", site, [&](Engine &engine) { engine.flush(site); });
}

void gin_barrier(const gin_site_t *site, const gin_team_t *team,
                 int32_t flags) {
  call("gin_barrier", site, [&](Engine &engine) {
    engine.barrier(site, team, (flags & GIN_BARRIER_GLOBAL) != 0);
  });
}

void gin_fork(const gin_site_t *site, int64_t count,
              void (*body)(void *captures, int64_t index), void *captures,
              const char *const *names) {
  call("gin_fork", site, [&](Engine &engine) {
    engine.fork(site, count, body, captures, names);
  });
}

void gin_peer_view(const gin_site_t *site, const gin_team_t *team, int64_t peer,
                   const void *descriptor, int64_t rank, void *result) {
  call("gin_peer_view", site, [&](Engine &engine) {
    engine.peerView(site, team, peer, descriptor, rank, result);
  });
}

int64_t gin_load_begin(const gin_site_t *site, const gin_window_t *window,
                       const void *address, int32_t bits) {
  return call("gin_load_begin", site, [&](Engine &engine) {
    return engine.loadBegin(site, window, address, bits);
  });
}

uint64_t gin_load_end(int64_t load) {
  return call("gin_load_end", nullptr,
              [&](Engine &engine) { return engine.loadEnd(load); });
}

void gin_store(const gin_site_t *site, const gin_window_t *window,
               void *address, uint64_t value, int32_t bits) {
  call("gin_store", site, [&](Engine &engine) {
    engine.store(site, window, address, value, bits);
  });
}

void gin_drain(void) {
  call("gin_drain", nullptr, [](Engine &engine) { engine.drain(); });
}

void gin_local_atomic_add(const gin_site_t *site, const gin_window_t *window,
                          void *address, uint64_t value, int32_t type) {
  call("gin_local_atomic_add", site, [&](Engine &engine) {
    engine.localAdd(site, window, address, value, type);
  });
}

uint64_t gin_local_atomic_fetch_add(const gin_site_t *site,
                                    const gin_window_t *window, void *address,
                                    uint64_t value, int32_t type) {
  return call("gin_local_atomic_fetch_add", site, [&](Engine &engine) {
    return engine.localFetchAdd(site, window, address, value, type);
  });
}

void gin_fail(const gin_site_t *site, const char *message) {
  call("gin_fail", site, [&](Engine &engine) { engine.fail(site, message); });
}
