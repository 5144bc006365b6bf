//===- Window.cpp - windows over existing allocations ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

#include <cstring>

using namespace gin;
using namespace gin::host;

static ginResult_t checkMemory(const Group &group, int rank, const void *base,
                               size_t bytes) {
  if (bytes == 0)
    return GIN_SUCCESS;
  std::string who = "the window of rank " + std::to_string(rank);
  if (!base)
    return fail(GIN_ERR_INVALID_ARGUMENT, who + " has a null base");
  if (reinterpret_cast<uintptr_t>(base) % 16 != 0)
    return fail(GIN_ERR_INVALID_ARGUMENT, who + " is not aligned to 16 bytes");
  return group.backend->checkMemory(rank, base, bytes);
}

/// Even where there is nothing, an address says that the part can be reached.
static Part partOver(void *base, size_t bytes) {
  return {bytes != 0 ? static_cast<char *>(base)
                     : reinterpret_cast<char *>(uintptr_t(16)),
          bytes};
}

SharedWindow::~SharedWindow() {
  for (size_t rank = 0; rank < tables.size(); ++rank)
    if (tables[rank])
      group->backend->release(static_cast<int>(rank), tables[rank]);
}

ginResult_t ginWindowRegister(ginComm_t comm, void *base, size_t bytes,
                              unsigned rights, ginWindow_t *window) {
  return guarded([&]() -> ginResult_t {
    if (!comm || !window)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginWindowRegister: a null pointer");
    if (rights & ~unsigned(GIN_RIGHT_ALL))
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginWindowRegister: unknown rights");
    Group &group = *comm->group;
    GIN_TRY(checkMemory(group, comm->rank, base, bytes));
    auto handle = std::make_unique<ginWindow>();
    handle->rank = comm->rank;
    std::lock_guard<std::mutex> lock(group.mutex);
    GIN_TRY(group.join(comm->rank, handle->shared, [&](SharedWindow &other) {
      return other.rights == rights;
    }));
    SharedWindow &shared = *handle->shared;
    if (shared.parts.empty()) {
      shared.group = comm->group;
      shared.parts.resize(group.calls.size());
      shared.tables.resize(group.calls.size());
      shared.rights = rights;
      shared.id = group.windows++;
    }
    shared.parts[static_cast<size_t>(comm->rank)] = partOver(base, bytes);
    *window = handle.release();
    return GIN_SUCCESS;
  });
}

ginResult_t ginWindowRegisterLocal(ginComm_t comm, void *base, size_t bytes,
                                   ginWindow_t *window) {
  return guarded([&]() -> ginResult_t {
    if (!comm || !window)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginWindowRegisterLocal: a null pointer");
    Group &group = *comm->group;
    GIN_TRY(checkMemory(group, comm->rank, base, bytes));
    auto handle = std::make_unique<ginWindow>();
    handle->rank = comm->rank;
    handle->shared = std::make_shared<SharedWindow>();
    SharedWindow &shared = *handle->shared;
    shared.group = comm->group;
    // The other ranks' parts are empty, and no right is given.
    shared.parts.resize(group.calls.size());
    shared.tables.resize(group.calls.size());
    shared.parts[static_cast<size_t>(comm->rank)] = partOver(base, bytes);
    std::lock_guard<std::mutex> lock(group.mutex);
    shared.id = group.windows++;
    *window = handle.release();
    return GIN_SUCCESS;
  });
}

ginResult_t ginWindowDestroy(ginWindow_t window) {
  delete window;
  return GIN_SUCCESS;
}

ginResult_t ginWindowGetDevice(ginWindow_t window, void *out, size_t size) {
  return guarded([&]() -> ginResult_t {
    if (!window || !out || size != sizeof(Window))
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginWindowGetDevice: a null pointer, or a gin::Window of "
                  "another version");
    SharedWindow &shared = *window->shared;
    Group &group = *shared.group;
    std::lock_guard<std::mutex> lock(group.mutex);
    if (!shared.complete())
      return fail(GIN_ERR_INCOMPLETE, std::to_string(shared.missing) +
                                          " ranks have not registered window " +
                                          std::to_string(shared.id));
    const size_t rank = static_cast<size_t>(window->rank);
    const size_t ranks = shared.parts.size();
    if (ranks > directRanks && !shared.tables[rank]) {
      const size_t bytes = ranks * sizeof(Part);
      void *table = nullptr;
      GIN_TRY(group.backend->allocate(window->rank, bytes, &table));
      shared.tables[rank] = static_cast<Part *>(table);
      GIN_TRY(
          group.backend->copy(window->rank, table, shared.parts.data(), bytes));
    }
    Window device{};
    device.base = shared.parts[rank].base;
    device.bytes = shared.parts[rank].bytes;
    for (size_t i = 0; i < ranks && i < directRanks; ++i)
      device.direct[i] = shared.parts[i];
    device.more = shared.tables[rank];
    device.ranks = static_cast<uint32_t>(ranks);
    device.rights = shared.rights;
    device.id = shared.id;
    device.own = static_cast<uint32_t>(window->rank);
    std::memcpy(out, &device, sizeof device);
    return GIN_SUCCESS;
  });
}
