//===- pingpong.cu - round trips of NVSHMEM's put + signal ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What `gin-perf latency` measures, by NVSHMEM between two GPUs of one host:
// the same sizes, scopes and numbers of round trips, one CTA on each GPU, the
// same clock, verified in the same way, by the same command line. NVSHMEM sets
// its signal, which is one store; gin adds to it. CMakeLists.txt beside this
// file says where NVSHMEM comes from and how to build; ../compare.py runs both.
//
// One process for each GPU, as NVSHMEM wants it. The parent never touches CUDA;
// the children find each other by NVSHMEM's unique id, without MPI.
//
//===----------------------------------------------------------------------===//

#include "tools/gin-perf/Kernels.h"
#include "tools/gin-perf/Report.h"

#include <cuda_runtime.h>
#include <nvshmem.h>
#include <nvshmemx.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ginperf;

// -- the kernel ---------------------------------------------------------------

template <Scope scope>
static __device__ __forceinline__ unsigned indexIn() {
  return scope == Scope::Block ? threadIdx.x
                               : (scope == Scope::Warp ? threadIdx.x % 32 : 0);
}
template <Scope scope>
static __device__ __forceinline__ unsigned sizeOf() {
  return scope == Scope::Block ? blockDim.x : (scope == Scope::Warp ? 32 : 1);
}
template <Scope scope>
static __device__ __forceinline__ void sync() {
  if (scope == Scope::Block)
    __syncthreads();
  else if (scope == Scope::Warp)
    __syncwarp();
}

/// On the symmetric heap; `epoch` is what the signal was before.
struct Places {
  char *source, *target;
  uint64_t *signal, epoch;
};

template <Scope scope>
static __global__ void __launch_bounds__(1024)
    pingPong(Places places, PingPong test) {
  const int rank = !test.first, peer = 1 - rank;
  uint64_t bad = 0, begun = 0;
  auto now = [] {
    uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
  };
  auto send = [&](uint64_t i) {
    if (test.verify) {
      for (size_t k = indexIn<scope>(); k < test.bytes; k += sizeOf<scope>())
        places.source[k] = static_cast<char>(pattern(i + rank, k));
      sync<scope>();
    }
    const uint64_t value = places.epoch + i;
    if constexpr (scope == Scope::Block)
      nvshmemx_putmem_signal_block(places.target, places.source, test.bytes,
                                   places.signal, value, NVSHMEM_SIGNAL_SET,
                                   peer);
    else if constexpr (scope == Scope::Warp)
      nvshmemx_putmem_signal_warp(places.target, places.source, test.bytes,
                                  places.signal, value, NVSHMEM_SIGNAL_SET,
                                  peer);
    else
      nvshmem_putmem_signal(places.target, places.source, test.bytes,
                            places.signal, value, NVSHMEM_SIGNAL_SET, peer);
  };
  auto receive = [&](uint64_t i) {
    if (indexIn<scope>() == 0)
      nvshmem_signal_wait_until(places.signal, NVSHMEM_CMP_GE,
                                places.epoch + i);
    sync<scope>();
    if (test.verify)
      for (size_t k = indexIn<scope>(); k < test.bytes; k += sizeOf<scope>())
        bad += static_cast<uint8_t>(*static_cast<volatile char *>(
                   places.target + k)) != pattern(i + peer, k);
  };
  for (unsigned i = 1; i <= test.warmup + test.iters; ++i) {
    if (i == test.warmup + 1)
      begun = now();
    if (test.first) {
      send(i);
      receive(i);
    } else {
      receive(i);
      send(i);
    }
  }
  if (indexIn<scope>() == 0)
    test.times[0] = now() - begun;
  if (bad)
    atomicAdd(reinterpret_cast<unsigned long long *>(test.bad), bad);
}

static const void *kernelOf(Scope scope) {
  switch (scope) {
  case Scope::Thread:
    return reinterpret_cast<const void *>(pingPong<Scope::Thread>);
  case Scope::Warp:
    return reinterpret_cast<const void *>(pingPong<Scope::Warp>);
  case Scope::Block:
    return reinterpret_cast<const void *>(pingPong<Scope::Block>);
  }
  return nullptr;
}

// -- a process for each GPU ---------------------------------------------------

[[noreturn]] static void fail(const char *what, const char *why) {
  std::fprintf(stderr, "gin-perf-nvshmem: %s: %s\n", what, why);
  std::exit(1);
}
static void need(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    fail(what, cudaGetErrorString(error));
}

/// Joins both processes; `pipe` takes the id from rank 0 to rank 1.
static void join(int rank, const int pipe[2]) {
  nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
  if (rank == 0) {
    if (nvshmemx_get_uniqueid(&id) != 0)
      fail("NVSHMEM", "no unique id; NVSHMEM_DEBUG=INFO says more");
    if (write(pipe[1], &id, sizeof id) != static_cast<ssize_t>(sizeof id))
      fail("unique id", "cannot be written");
  } else if (read(pipe[0], &id, sizeof id) != static_cast<ssize_t>(sizeof id)) {
    fail("unique id", "did not arrive from the other process");
  }
  nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
  if (nvshmemx_set_attr_uniqueid_args(rank, 2, &id, &attributes) != 0 ||
      nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes) != 0)
    fail("NVSHMEM", "initialization failed; NVSHMEM_DEBUG=INFO says more");
  // Through a NIC or the host it would be another measurement.
  if (!nvshmem_ptr(nvshmem_malloc(8), 1 - rank))
    fail("NVSHMEM", "the GPUs do not reach each other's memory directly");
}

/// What one rank does. Rank 0 measures and reports.
static int measure(const Options &options, const std::string &command, int rank,
                   const int pipe[2]) {
  need(cudaSetDevice(options.devices[static_cast<size_t>(rank)]), "device");
  join(rank, pipe);
  const size_t most = std::max<size_t>(options.latencyMaxSize, 16);
  Places places = {static_cast<char *>(nvshmem_malloc(most)),
                   static_cast<char *>(nvshmem_malloc(most)),
                   static_cast<uint64_t *>(nvshmem_calloc(1, 8)), 0};
  if (!places.source || !places.target || !places.signal)
    fail("symmetric heap", "too small; NVSHMEM_SYMMETRIC_SIZE sets it");
  uint64_t *times; // and [1]: wrong bytes
  need(cudaHostAlloc(reinterpret_cast<void **>(&times), 2 * sizeof *times, 0),
       "host memory");

  auto run = [&](const PutShape &shape, bool verify) {
    PingPong test = {shape.bytes,
                     verify ? 0 : options.warmup,
                     verify ? 200 : options.roundTrips(),
                     rank == 0,
                     verify,
                     times,
                     times + 1};
    void *arguments[] = {&places, &test};
    nvshmem_barrier_all();
    need(cudaLaunchKernel(kernelOf(shape.scope), dim3(1), dim3(shape.threads),
                          arguments, 0, nullptr),
         "launch");
    need(cudaDeviceSynchronize(), "kernel");
    places.epoch += test.warmup + test.iters;
    return static_cast<double>(times[0]) / test.iters / 1000;
  };

  cudaDeviceProp properties;
  need(cudaGetDeviceProperties(&properties, options.devices[0]), "device");
  int major = 0, minor = 0, patch = 0;
  nvshmemx_vendor_get_version_info(&major, &minor, &patch);
  const std::string machine = "2 x " + std::string(properties.name) +
                              ", NVSHMEM " + std::to_string(major) + "." +
                              std::to_string(minor) + "." +
                              std::to_string(patch);
  if (rank == 0)
    std::printf("%s\n%s\nmedians of %u repetitions; times are round trips\n",
                command.c_str(), machine.c_str(), options.repetitions);
  Report report("nvshmem");
  bool wrong = false;
  for (const PutShape &shape : putShapes(options)) {
    std::vector<double> values;
    for (unsigned i = 0; i < options.repetitions; ++i)
      values.push_back(run(shape, false));
    times[1] = 0;
    run(shape, true);
    wrong |= times[1] != 0;
    if (rank == 0)
      report.add({"put+signal", "set", name(shape.scope), shape.bytes, 1,
                  shape.threads, "us", median(values), std::nan(""), times[1]});
  }
  if (rank == 0 && !options.json.empty() &&
      !report.writeJson(options.json, machine, command))
    fail("cannot write", options.json.c_str());
  if (wrong)
    std::fprintf(stderr, "gin-perf-nvshmem: rank %d received wrong data\n",
                 rank);
  nvshmem_finalize();
  return wrong;
}

/// Waits for both; when one fails, or time is up, the other would wait for
/// ever.
static int watch(const pid_t children[2]) {
  const unsigned seconds = 300;
  for (unsigned ticks = 0, left = 2; left;) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, WNOHANG);
    if (ended > 0 && status == 0) {
      --left;
    } else if (ended != 0 || ++ticks > seconds * 100) {
      if (ended == 0)
        std::fprintf(stderr, "gin-perf-nvshmem: not done after %u s\n",
                     seconds);
      else if (WIFSIGNALED(status))
        std::fprintf(stderr, "gin-perf-nvshmem: a process was ended by %s\n",
                     strsignal(WTERMSIG(status)));
      for (int rank = 0; rank < 2; ++rank)
        if (children[rank] != ended)
          kill(children[rank], SIGKILL);
      return 1;
    } else {
      usleep(10000);
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  const Options options = parse(argc, argv);
  if (options.bandwidth)
    fail("only round trips are measured", "begin with the word latency");
  std::string command = "gin-perf-nvshmem";
  for (int i = 1; i < argc; ++i)
    command += std::string(" ") + argv[i];
  // Between two GPUs of one host nothing else is needed, and a machine without
  // a network has only the loopback.
  for (auto [variable, value] :
       {std::pair("NVSHMEM_REMOTE_TRANSPORT", "none"),
        std::pair("NVSHMEM_DISABLE_NVLS", "1"),
        std::pair("NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "lo"),
        std::pair("NVSHMEM_SYMMETRIC_SIZE", "64M")})
    setenv(variable, value, 0);

  int pipe[2];
  if (::pipe(pipe) != 0)
    fail("pipe", std::strerror(errno));
  const pid_t parent = getpid();
  pid_t children[2];
  for (int rank = 0; rank < 2; ++rank) {
    children[rank] = fork();
    if (children[rank] < 0)
      fail("fork", std::strerror(errno));
    if (children[rank] == 0) {
      // No kernel goes on waiting after its user has gone.
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent)
        return 1;
      // So that rank 1 sees the end if rank 0 fails before it has written.
      close(pipe[rank == 0 ? 0 : 1]);
      return measure(options, command, rank, pipe);
    }
  }
  close(pipe[0]);
  close(pipe[1]);
  return watch(children);
}
