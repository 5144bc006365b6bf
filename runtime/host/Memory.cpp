//===- Memory.cpp - memory of ranks ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

using namespace gin::host;

ginResult_t ginMemoryAlloc(ginComm_t comm, size_t bytes, void **memory) {
  return guarded([&]() -> ginResult_t {
    if (!comm || !memory)
      return fail(GIN_ERR_INVALID_ARGUMENT, "ginMemoryAlloc: a null pointer");
    if (bytes == 0) {
      *memory = nullptr;
      return GIN_SUCCESS;
    }
    Backend &backend = *comm->group->backend;
    GIN_TRY(backend.checkSetUp(comm->rank));
    return backend.allocate(comm->rank, bytes, memory);
  });
}

ginResult_t ginMemoryFree(ginComm_t comm, void *memory) {
  return guarded([&]() -> ginResult_t {
    if (!comm)
      return fail(GIN_ERR_INVALID_ARGUMENT, "ginMemoryFree: comm is null");
    if (memory)
      comm->group->backend->release(comm->rank, memory);
    return GIN_SUCCESS;
  });
}

ginResult_t ginMemoryCopy(ginComm_t comm, void *to, const void *from,
                          size_t bytes) {
  return guarded([&]() -> ginResult_t {
    if (!comm || (bytes != 0 && (!to || !from)))
      return fail(GIN_ERR_INVALID_ARGUMENT, "ginMemoryCopy: a null pointer");
    if (bytes == 0)
      return GIN_SUCCESS;
    return comm->group->backend->copy(comm->rank, to, from, bytes);
  });
}

ginResult_t ginMemoryCheck(ginComm_t comm, const void *base, size_t bytes) {
  return guarded([&]() -> ginResult_t {
    if (!comm)
      return fail(GIN_ERR_INVALID_ARGUMENT, "ginMemoryCheck: comm is null");
    if (bytes == 0)
      return GIN_SUCCESS;
    if (!base)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "a null pointer to " + std::to_string(bytes) + " bytes");
    if (bytes > UINTPTR_MAX - reinterpret_cast<uintptr_t>(base))
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  std::to_string(bytes) + " bytes reach past all addresses");
    const unsigned past = reinterpret_cast<uintptr_t>(base) % 16;
    if (past != 0)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "the memory begins " + std::to_string(past) +
                      " bytes after a multiple of 16; align it");
    return comm->group->backend->checkMemory(comm->rank, base, bytes);
  });
}
