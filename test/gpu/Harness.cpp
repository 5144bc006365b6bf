//===- Harness.cpp - two ranks and checks ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace gintest;

namespace {
struct Named {
  const char *name;
  void (*body)();
};
} // namespace

static std::vector<Named> &tests() {
  static std::vector<Named> all;
  return all;
}
static unsigned checks = 0, failures = 0;

Test::Test(const char *name, void (*body)()) {
  tests().push_back({name, body});
}

bool gintest::check(bool holds, const char *file, int line,
                    const std::string &what) {
  ++checks;
  if (!holds && ++failures <= 200) {
    const char *base = std::strrchr(file, '/');
    std::printf("  %s:%d: %s\n", base ? base + 1 : file, line, what.c_str());
    std::fflush(stdout);
  }
  return holds;
}

void gintest::note(const std::string &text) {
  std::printf("  %s\n", text.c_str());
}

static void need(bool holds, const char *what) {
  if (holds)
    return;
  std::printf("cannot go on: %s: %s; %s\n", what, ginGetLastError(),
              cudaGetErrorString(cudaGetLastError()));
  std::exit(2);
}

Buffers::Buffers(size_t bytes) : bytes(bytes) {
  for (int rank = 0; rank < 2; ++rank) {
    cudaSetDevice(rank);
    need(cudaMalloc(&at[rank], bytes) == cudaSuccess, "cudaMalloc");
  }
  set(0);
}
Buffers::~Buffers() {
  for (char *base : at)
    cudaFree(base);
}
void Buffers::set(int value) {
  for (int rank = 0; rank < 2; ++rank) {
    cudaSetDevice(rank);
    cudaMemset(at[rank], value, bytes);
    need(cudaDeviceSynchronize() == cudaSuccess, "cudaMemset");
  }
}
std::vector<unsigned char> Buffers::read(int rank, size_t offset,
                                         size_t count) const {
  std::vector<unsigned char> data(count);
  need(cudaMemcpy(data.data(), at[rank] + offset, count, cudaMemcpyDefault) ==
           cudaSuccess,
       "cudaMemcpy");
  return data;
}
void Buffers::write(int rank, size_t offset, const void *data, size_t count) {
  need(cudaMemcpy(at[rank] + offset, data, count, cudaMemcpyDefault) ==
           cudaSuccess,
       "cudaMemcpy");
}

Pair::Pair(std::vector<uint32_t> slots, uint64_t timeout) {
  need(ginCommCreateAll(nullptr, 2, comms) == GIN_SUCCESS, "communicator");
  ginProgramConfig_t config = {static_cast<int>(slots.size()), slots.data(),
                               timeout, 2};
  for (int rank = 0; rank < 2; ++rank) {
    cudaSetDevice(rank);
    need(cudaStreamCreateWithFlags(&streams[rank], cudaStreamNonBlocking) ==
             cudaSuccess,
         "stream");
    need(ginProgramCreate(comms[rank], &config, &programs[rank]) == GIN_SUCCESS,
         "program");
  }
  for (int rank = 0; rank < 2; ++rank) {
    need(gin::getDevice(programs[rank], program[rank]) == GIN_SUCCESS,
         "program");
    banks[rank].resize(slots.size());
    for (size_t i = 0; i < slots.size(); ++i)
      need(gin::getBank(programs[rank], static_cast<int>(i), banks[rank][i]) ==
               GIN_SUCCESS,
           "bank");
  }
}

Pair::~Pair() {
  synchronize();
  // In an order that no rank would choose: any has to do.
  for (int rank = 0; rank < 2; ++rank) {
    ginCommDestroy(comms[rank]);
    ginProgramDestroy(programs[rank]);
    cudaSetDevice(rank);
    cudaStreamDestroy(streams[rank]);
  }
  for (ginWindow_t handle : handles)
    ginWindowDestroy(handle);
}

void Pair::add(void *base0, size_t bytes0, void *base1, size_t bytes1,
               unsigned rights) {
  void *bases[] = {base0, base1};
  size_t bytes[] = {bytes0, bytes1};
  ginWindow_t added[2];
  for (int rank = 0; rank < 2; ++rank)
    need(ginWindowRegister(comms[rank], bases[rank], bytes[rank], rights,
                           &added[rank]) == GIN_SUCCESS,
         "window");
  for (int rank = 0; rank < 2; ++rank) {
    gin::Window window;
    need(gin::getDevice(added[rank], window) == GIN_SUCCESS, "window");
    windows[rank].push_back(window);
    handles.push_back(added[rank]);
  }
}
void Pair::add(const Buffers &buffers, unsigned rights) {
  add(buffers.at[0], buffers.bytes, buffers.at[1], buffers.bytes, rights);
}

cudaError_t Pair::synchronize() {
  cudaError_t first = cudaSuccess;
  for (int rank = 0; rank < 2; ++rank) {
    cudaSetDevice(rank);
    cudaError_t error = cudaStreamSynchronize(streams[rank]);
    first = first ? first : error;
  }
  return first;
}

Counter::Counter() {
  need(cudaHostAlloc(reinterpret_cast<void **>(&values), 2 * sizeof *values,
                     cudaHostAllocPortable) == cudaSuccess,
       "cudaHostAlloc");
  values[0] = values[1] = 0;
}
Counter::~Counter() { cudaFreeHost(values); }

int main(int argc, char **argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 2) {
    std::printf("skipped: two GPUs are needed, there are %d\n", devices);
    return 77;
  }
  unsigned passed = 0, failed = 0;
  for (const Named &test : tests()) {
    auto wanted = [&](const char *word) {
      return std::strstr(test.name, word) != nullptr;
    };
    if (argc > 1 && std::none_of(argv + 1, argv + argc, wanted))
      continue;
    const unsigned before = failures;
    const auto begun = std::chrono::steady_clock::now();
    std::printf("%s\n", test.name);
    std::fflush(stdout);
    test.body();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun)
            .count();
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
      check(false, "", 0, std::string("CUDA: ") + cudaGetErrorString(error));
    std::printf("  %s, %.2f s\n", failures == before ? "passed" : "FAILED",
                seconds);
    ++(failures == before ? passed : failed);
  }
  std::printf("%u passed, %u failed (%u checks, %u of them failed)\n", passed,
              failed, checks, failures);
  return failed != 0;
}
