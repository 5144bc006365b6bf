//===- Launch.cpp - launches in stream order ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

using namespace gin;
using namespace gin::host;

/// Loads `function` on all GPUs of the program, before any of them runs a
/// kernel that waits: loading code lazily can wait for running kernels.
static ginResult_t preload(SharedProgram &shared, const void *function,
                           size_t bytes) {
  std::lock_guard<std::mutex> lock(shared.mutex);
  auto found = shared.loaded.find(function);
  if (found != shared.loaded.end() && found->second >= bytes)
    return GIN_SUCCESS;
  for (int device : shared.group->devices) {
    DeviceScope scope(device);
    cudaFuncAttributes attributes;
    GIN_TRY_CUDA(cudaFuncGetAttributes(&attributes, function));
    if (bytes > 0 && cudaFuncSetAttribute(
                         function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(bytes)) != cudaSuccess) {
      cudaGetLastError();
      return fail(GIN_ERR_NOT_RESIDENT,
                  std::to_string(bytes) +
                      " bytes of dynamic shared memory are more than a block "
                      "can have");
    }
  }
  shared.loaded[function] = bytes;
  return GIN_SUCCESS;
}

static ginResult_t checkResidency(const SharedProgram &shared, int rank,
                                  const void *function,
                                  const ginLaunchConfig_t &config) {
  uint64_t blocks = 1, threads = 1;
  for (int i = 0; i < 3; ++i) {
    blocks *= config.grid[i];
    threads *= config.block[i];
  }
  if (blocks == 0 || threads == 0 || threads > 1024)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                "ginLaunch: a grid of " + std::to_string(blocks) +
                    " blocks of " + std::to_string(threads) + " threads");
  int each = 0;
  GIN_TRY_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &each, function, static_cast<int>(threads), config.shared));
  const uint64_t most =
      uint64_t(each) *
      uint64_t(shared.group->multiprocessors[static_cast<size_t>(rank)]);
  if (blocks > most)
    return fail(
        GIN_ERR_NOT_RESIDENT,
        std::to_string(blocks) + " blocks of " + std::to_string(threads) +
            " threads and " + std::to_string(config.shared) +
            " bytes of shared memory; the GPU holds " + std::to_string(most));
  return GIN_SUCCESS;
}

/// Whether a launch in `stream` follows the last one of this program. `capture`
/// is the number of the capture that the stream is in, or 0.
static ginResult_t checkOrder(const RankProgram &own, cudaStream_t stream,
                              unsigned long long capture) {
  const char *advice = ": launches of one program follow each other";
  if (capture != 0) {
    if (own.capture == capture && own.stream != stream)
      return fail(GIN_ERR_SIGNAL_PENDING,
                  std::string("two streams of one capture") + advice);
    return GIN_SUCCESS;
  }
  if (!own.launched || own.stream == stream)
    return GIN_SUCCESS;
  cudaError_t error = cudaEventQuery(own.ended);
  if (error == cudaErrorNotReady) {
    cudaGetLastError();
    return fail(GIN_ERR_SIGNAL_PENDING,
                std::string("the last launch still runs in another stream") +
                    advice);
  }
  return error ? failCuda(error, "cudaEventQuery") : GIN_SUCCESS;
}

static ginResult_t checkHandle(ginProgram_t program, const void *function) {
  if (!program || !function)
    return fail(GIN_ERR_INVALID_ARGUMENT, "ginLaunch: a null pointer");
  if (program->shared->missing != 0)
    return fail(GIN_ERR_INCOMPLETE, std::to_string(program->shared->missing) +
                                        " ranks have not created the program");
  return GIN_SUCCESS;
}

ginResult_t ginProgramPreload(ginProgram_t program, const void *function,
                              size_t shared) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkHandle(program, function));
    return preload(*program->shared, function, shared);
  });
}

ginResult_t ginLaunch(ginProgram_t program, const void *function,
                      const ginLaunchConfig_t *config, void **arguments) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkHandle(program, function));
    if (!config)
      return fail(GIN_ERR_INVALID_ARGUMENT, "ginLaunch: config is null");
    SharedProgram &shared = *program->shared;
    Group &group = *shared.group;
    RankProgram &own = shared.ranks[static_cast<size_t>(program->rank)];
    ginError_t error;
    if (firstError(group, program->rank, error))
      return fail(error.result, error.message);
    DeviceScope scope(group.devices[static_cast<size_t>(program->rank)]);
    GIN_TRY(preload(shared, function, config->shared));
    GIN_TRY(checkResidency(shared, program->rank, function, *config));

    auto stream = static_cast<cudaStream_t>(config->stream);
    cudaStreamCaptureStatus status;
    unsigned long long capture = 0;
#if CUDART_VERSION >= 13000
    GIN_TRY_CUDA(cudaStreamGetCaptureInfo(stream, &status, &capture, nullptr,
                                          nullptr, nullptr, nullptr));
#else
    GIN_TRY_CUDA(cudaStreamGetCaptureInfo_v2(stream, &status, &capture));
#endif
    if (status != cudaStreamCaptureStatusActive)
      capture = 0;
    GIN_TRY(checkOrder(own, stream, capture));

    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t launch{};
    launch.gridDim = dim3(config->grid[0], config->grid[1], config->grid[2]);
    launch.blockDim =
        dim3(config->block[0], config->block[1], config->block[2]);
    launch.dynamicSmemBytes = config->shared;
    launch.stream = stream;
    launch.attrs = &attribute;
    launch.numAttrs = 1;
    GIN_TRY_CUDA(cudaLaunchKernelExC(&launch, function, arguments));
    own.stream = stream;
    own.capture = capture;
    if (capture == 0) {
      GIN_TRY_CUDA(cudaEventRecord(own.ended, stream));
      own.launched = true;
    }
    return GIN_SUCCESS;
  });
}
