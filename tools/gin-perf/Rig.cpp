//===- Rig.cpp - two GPUs with everything that tests need -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tools/gin-perf/Rig.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace ginperf;

void ginperf::need(ginResult_t result, const char *what) {
  if (result == GIN_SUCCESS)
    return;
  std::fprintf(stderr, "gin-perf: %s: %s: %s\n  %s\n", what,
               ginResultName(result), ginGetLastError(),
               ginResultAdvice(result));
  std::exit(1);
}

void ginperf::need(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "gin-perf: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

Rig::Rig(const Options &options, size_t sourceBytes, size_t targetBytes,
         unsigned slots) {
  for (int rank = 0; rank < 2; ++rank)
    devices[rank] = options.devices[static_cast<size_t>(rank)];
  need(ginCommCreateAll(devices, 2, comms), "communicator");
  flagBytes = (size_t(slots) + 2) * 16 * sizeof(uint64_t);
  const uint32_t bankSlots[] = {slots, 2};
  ginProgramConfig_t config = {};
  config.banks = 2;
  config.slots = bankSlots;
  config.timeout = 10'000'000'000;
  config.teams = 1;
  config.name = "gin-perf";
  need(cudaHostAlloc(reinterpret_cast<void **>(&bad), sizeof *bad,
                     cudaHostAllocPortable),
       "host memory");
  *bad = 0;
  for (int rank = 0; rank < 2; ++rank) {
    need(cudaSetDevice(devices[rank]), "device");
    need(cudaStreamCreateWithFlags(&streams[rank], cudaStreamNonBlocking),
         "stream");
    need(cudaMalloc(&source[rank], sourceBytes), "source");
    need(cudaMalloc(&target[rank], targetBytes), "target");
    need(cudaMalloc(&flags[rank], flagBytes), "flags");
    need(cudaHostAlloc(reinterpret_cast<void **>(&times[rank]),
                       4098 * sizeof(uint64_t), cudaHostAllocPortable),
         "host memory");
    need(ginWindowRegister(comms[rank], source[rank], sourceBytes,
                           GIN_RIGHT_READ, &sourceWindows[rank]),
         "source window");
    need(ginWindowRegister(comms[rank], target[rank], targetBytes,
                           GIN_RIGHT_WRITE, &targetWindows[rank]),
         "target window");
    need(ginProgramCreate(comms[rank], &config, &programs[rank]), "program");
  }
  for (int rank = 0; rank < 2; ++rank) {
    need(gin::getDevice(programs[rank], program[rank]), "program");
    need(gin::getDevice(sourceWindows[rank], sourceWindow[rank]), "window");
    need(gin::getDevice(targetWindows[rank], targetWindow[rank]), "window");
    need(gin::getBank(programs[rank], 0, data[rank]), "bank");
    need(gin::getBank(programs[rank], 1, control[rank]), "bank");
  }
}

Rig::~Rig() {
  for (int rank = 0; rank < 2; ++rank) {
    ginProgramDestroy(programs[rank]);
    ginWindowDestroy(sourceWindows[rank]);
    ginWindowDestroy(targetWindows[rank]);
    ginCommDestroy(comms[rank]);
    cudaSetDevice(devices[rank]);
    cudaStreamDestroy(streams[rank]);
    cudaFree(source[rank]);
    cudaFree(target[rank]);
    cudaFree(flags[rank]);
    cudaFreeHost(times[rank]);
  }
  cudaFreeHost(bad);
}

void Rig::synchronize() {
  for (int rank = 0; rank < 2; ++rank) {
    need(cudaStreamSynchronize(streams[rank]), "kernel");
    need(ginCommGetAsyncError(comms[rank], nullptr), "kernel");
  }
}

void Rig::clearFlags() {
  for (int rank = 0; rank < 2; ++rank) {
    need(cudaSetDevice(devices[rank]), "device");
    need(cudaMemsetAsync(flags[rank], 0, flagBytes, streams[rank]), "flags");
  }
  synchronize();
}

HandPlaces Rig::places(int rank) const {
  return {flags[rank],  flags[1 - rank],  0,
          source[rank], target[1 - rank], target[rank]};
}

void Rig::launchHand(int rank, const void *kernel, unsigned blocks,
                     unsigned threads, size_t shared, void **arguments) {
  need(cudaSetDevice(devices[rank]), "device");
  if (shared)
    need(cudaFuncSetAttribute(kernel,
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(shared)),
         "shared memory");
  need(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads),
                                   arguments, shared, streams[rank]),
       "launch");
}

/// Loads `kernel` on both GPUs, before anything waits.
void Rig::prepareHand(const void *kernel) {
  cudaFuncAttributes attributes;
  for (int rank = 0; rank < 2; ++rank) {
    need(cudaSetDevice(devices[rank]), "device");
    need(cudaFuncGetAttributes(&attributes, kernel), "kernel");
  }
  clearFlags();
}

void Rig::runApiPingPong(Message message, Scope scope, unsigned threads,
                         PingPong test[2]) {
  for (int rank = 0; rank < 2; ++rank) {
    void *arguments[] = {&program[rank], &sourceWindow[rank],
                         &targetWindow[rank], &data[rank], &test[rank]};
    const ginLaunchConfig_t config =
        gin::launchConfig(1, threads, 0, streams[rank]);
    need(ginLaunch(programs[rank], apiPingPong(message, scope), &config,
                   arguments),
         "launch");
  }
  synchronize();
}

void Rig::runHandPingPong(Message message, Scope scope, unsigned threads,
                          PingPong test[2]) {
  const void *kernel = handPingPong(message, scope);
  prepareHand(kernel);
  for (int rank = 0; rank < 2; ++rank) {
    HandPlaces where = places(rank);
    void *arguments[] = {&where, &test[rank]};
    launchHand(rank, kernel, 1, threads, 0, arguments);
  }
  synchronize();
}

void Rig::runApiBandwidth(Mechanism mechanism, Scope scope, unsigned threads,
                          Bandwidth test[2]) {
  for (int rank = 0; rank < 2; ++rank) {
    void *arguments[] = {&program[rank],      &sourceWindow[rank],
                         &targetWindow[rank], &data[rank],
                         &control[rank],      &test[rank]};
    const ginLaunchConfig_t config = gin::launchConfig(
        test[rank].senders + 1, threads, apiShared(mechanism), streams[rank]);
    need(ginLaunch(programs[rank], apiBandwidth(mechanism, scope), &config,
                   arguments),
         "launch");
  }
  synchronize();
}

void Rig::runHandBandwidth(Mechanism mechanism, Scope scope, unsigned threads,
                           Bandwidth test[2]) {
  const void *kernel = handBandwidth(mechanism, scope);
  prepareHand(kernel);
  for (int rank = 0; rank < 2; ++rank) {
    HandPlaces where = places(rank);
    void *arguments[] = {&where, &test[rank]};
    launchHand(rank, kernel, test[rank].senders + 1, threads,
               handShared(mechanism), arguments);
  }
  synchronize();
}

std::string Rig::machine() const {
  cudaDeviceProp properties;
  need(cudaGetDeviceProperties(&properties, devices[0]), "device");
  int runtime = 0, driver = 0;
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  return "2 x " + std::string(properties.name) + ", CUDA " +
         std::to_string(runtime / 1000) + "." +
         std::to_string(runtime % 1000 / 10) + ", driver for CUDA " +
         std::to_string(driver / 1000) + "." +
         std::to_string(driver % 1000 / 10);
}
