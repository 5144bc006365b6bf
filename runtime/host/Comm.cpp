//===- Comm.cpp - communicators -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

using namespace gin;
using namespace gin::host;

ginResult_t Group::start() {
  void *memory = nullptr;
  GIN_TRY(backend->allocateCommon(calls.size() * sizeof *abort, &memory));
  abort = static_cast<uint32_t *>(memory);
  return GIN_SUCCESS;
}

Group::~Group() {
  if (abort)
    backend->releaseCommon(abort);
}

static ginResult_t createAll(std::unique_ptr<Backend> backend, int n,
                             ginComm_t *comms) {
  auto group = std::make_shared<Group>(std::move(backend), n);
  GIN_TRY(group->start());
  std::vector<std::unique_ptr<ginComm>> made;
  made.reserve(static_cast<size_t>(n));
  for (int rank = 0; rank < n; ++rank)
    made.push_back(std::make_unique<ginComm>(ginComm{group, rank}));
  for (int rank = 0; rank < n; ++rank)
    comms[rank] = made[static_cast<size_t>(rank)].release();
  return GIN_SUCCESS;
}

ginResult_t ginCommCreateAll(const int *devices, int n, ginComm_t *comms) {
  return guarded([&]() -> ginResult_t {
    if (n < 1 || !comms)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginCommCreateAll: n < 1, or comms is null");
    std::unique_ptr<Backend> backend;
    GIN_TRY(createCudaBackend(devices, n, backend));
    return createAll(std::move(backend), n, comms);
  });
}

ginResult_t ginCommCreateAllHost(int n, ginComm_t *comms) {
  return guarded([&]() -> ginResult_t {
    if (n < 1 || n > GIN_HOST_MAX_RANKS || !comms)
      return fail(
          GIN_ERR_INVALID_ARGUMENT,
          "ginCommCreateAllHost: " + std::to_string(n) + " ranks, of at most " +
              std::to_string(GIN_HOST_MAX_RANKS) + ", or comms is null");
    std::unique_ptr<Backend> backend;
    GIN_TRY(createHostBackend(n, backend));
    return createAll(std::move(backend), n, comms);
  });
}

ginResult_t ginCommDestroy(ginComm_t comm) {
  delete comm;
  return GIN_SUCCESS;
}

static ginResult_t answer(ginComm_t comm, int *out, const char *name,
                          int (*value)(const ginComm &)) {
  return guarded([&]() -> ginResult_t {
    if (!comm || !out)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  std::string(name) + ": a null pointer");
    *out = value(*comm);
    return GIN_SUCCESS;
  });
}

ginResult_t ginCommRank(ginComm_t comm, int *rank) {
  return answer(comm, rank, "ginCommRank",
                [](const ginComm &comm) { return comm.rank; });
}
ginResult_t ginCommSize(ginComm_t comm, int *ranks) {
  return answer(comm, ranks, "ginCommSize",
                [](const ginComm &comm) { return comm.group->ranks; });
}
ginResult_t ginCommDevice(ginComm_t comm, int *device) {
  return answer(comm, device, "ginCommDevice", [](const ginComm &comm) {
    return comm.group->backend->device(comm.rank);
  });
}

ginResult_t ginCommMultiprocessors(ginComm_t comm, int *count) {
  return answer(comm, count, "ginCommMultiprocessors", [](const ginComm &comm) {
    return comm.group->backend->multiprocessors(comm.rank);
  });
}

ginResult_t ginCommHasCapability(ginComm_t comm, ginCapability_t capability,
                                 int *has) {
  return guarded([&]() -> ginResult_t {
    if (!comm || !has)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginCommHasCapability: a null pointer");
    if (capability != GIN_CAPABILITY_MULTIMEM)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginCommHasCapability: there is no capability " +
                      std::to_string(capability));
    *has = 0;
    return GIN_SUCCESS;
  });
}

ginResult_t ginCommIsCapturing(ginComm_t comm, void *stream, int *capturing) {
  return guarded([&]() -> ginResult_t {
    if (!comm || !capturing)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginCommIsCapturing: a null pointer");
    bool is = false;
    GIN_TRY(comm->group->backend->isCapturing(comm->rank, stream, is));
    *capturing = is;
    return GIN_SUCCESS;
  });
}

ginResult_t ginCommBackend(ginComm_t comm, ginBackend_t *backend) {
  return guarded([&]() -> ginResult_t {
    if (!comm || !backend)
      return fail(GIN_ERR_INVALID_ARGUMENT, "ginCommBackend: a null pointer");
    *backend = comm->group->backend->kind();
    return GIN_SUCCESS;
  });
}

ginResult_t ginCommSynchronize(ginComm_t comm) {
  return guarded([&]() -> ginResult_t {
    if (!comm)
      return fail(GIN_ERR_INVALID_ARGUMENT, "ginCommSynchronize: comm is null");
    GIN_TRY(comm->group->backend->synchronize(comm->rank));
    return ginCommGetAsyncError(comm, nullptr);
  });
}

ginResult_t ginCommAbort(ginComm_t comm) {
  return guarded([&]() -> ginResult_t {
    if (!comm)
      return fail(GIN_ERR_INVALID_ARGUMENT, "ginCommAbort: comm is null");
    for (int rank = 0; rank < comm->group->ranks; ++rank)
      __atomic_store_n(&comm->group->abort[rank], 1u, __ATOMIC_RELEASE);
    return GIN_SUCCESS;
  });
}
