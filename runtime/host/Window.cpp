//===- Window.cpp - windows over existing allocations ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

#include <cstring>

using namespace gin;
using namespace gin::host;

/// Even where there is nothing, an address says that the part can be reached.
static Part partOver(void *base, size_t bytes) {
  return {bytes != 0 ? static_cast<char *>(base)
                     : reinterpret_cast<char *>(uintptr_t(16)),
          bytes};
}

/// All in which the ranks' registrations agree.
static std::string termsOf(unsigned rights) {
  return "a window with the rights [" +
         std::string(rights & GIN_RIGHT_READ ? " read" : "") +
         (rights & GIN_RIGHT_WRITE ? " write" : "") +
         (rights & GIN_RIGHT_ATOMIC ? " atomic" : "") + " ]";
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
    GIN_TRY(group.backend->checkSetUp(comm->rank));
    GIN_TRY(ginMemoryCheck(comm, base, bytes));
    auto handle = std::make_unique<ginWindow>();
    handle->rank = comm->rank;
    const std::string terms = termsOf(rights);
    std::lock_guard<std::mutex> lock(group.mutex);
    GIN_TRY(group.find(comm->rank, terms, handle->shared));
    SharedWindow &shared = *handle->shared;
    if (shared.parts.empty()) {
      shared.group = comm->group;
      shared.parts.resize(group.calls.size());
      shared.tables.resize(group.calls.size());
      shared.rights = rights;
      shared.id = group.windows++;
    }
    shared.parts[static_cast<size_t>(comm->rank)] = partOver(base, bytes);
    group.join(comm->rank, handle->shared);
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
    GIN_TRY(group.backend->checkSetUp(comm->rank));
    GIN_TRY(ginMemoryCheck(comm, base, bytes));
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
  if (!window)
    return GIN_SUCCESS;
  return guarded([&]() -> ginResult_t {
    const std::unique_ptr<ginWindow> handle(window);
    // Outlives the window, of which this may be the last handle.
    const std::shared_ptr<Group> group = window->shared->group;
    std::lock_guard<std::mutex> lock(group->mutex);
    group->leave(window->rank, *window->shared);
    return GIN_SUCCESS;
  });
}

ginResult_t gin::host::checkRegistered(const SharedWindow &shared) {
  if (shared.complete())
    return GIN_SUCCESS;
  return fail(GIN_ERR_INCOMPLETE, "window " + std::to_string(shared.id) +
                                      ": not yet registered by " +
                                      shared.group->absent(shared));
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
    GIN_TRY(checkRegistered(shared));
    const size_t rank = static_cast<size_t>(window->rank);
    const size_t ranks = shared.parts.size();
    if (ranks > directRanks && !shared.tables[rank]) {
      Backend &backend = *group.backend;
      const size_t bytes = ranks * sizeof(Part);
      void *table = nullptr;
      GIN_TRY(backend.checkSetUp(window->rank));
      GIN_TRY(backend.allocate(window->rank, bytes, &table));
      if (ginResult_t result =
              backend.copy(window->rank, table, shared.parts.data(), bytes)) {
        backend.release(window->rank, table);
        return result;
      }
      shared.tables[rank] = static_cast<Part *>(table);
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
