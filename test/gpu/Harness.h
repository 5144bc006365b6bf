//===- Harness.h - two ranks and checks -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tests that need two GPUs and nothing but CUDA. A test is a function; a check
// that fails prints its place, and the test goes on.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_TEST_GPU_HARNESS_H
#define GIN_TEST_GPU_HARNESS_H

#ifdef __CUDACC__
#include "runtime/device/Gin.h"
#endif
#include "runtime/include/gin.hpp"

#include <cuda_runtime.h>

#include <string>
#include <vector>

namespace gintest {

/// Registers `body` under `name`; Main.cpp runs all, or those that are named.
struct Test {
  Test(const char *name, void (*body)());
};
#define GIN_TEST(name)                                                         \
  static void test##name();                                                    \
  static ::gintest::Test register##name(#name, test##name);                    \
  static void test##name()

/// Counts a check, and prints it if it does not hold.
bool check(bool holds, const char *file, int line, const std::string &what);
#define CHECK(condition)                                                       \
  ::gintest::check((condition), __FILE__, __LINE__, #condition)
#define CHECK_EQUAL(have, want)                                                \
  ::gintest::checkEqual((have), (want), __FILE__, __LINE__, #have)
/// Prints a line that is no check.
void note(const std::string &text);

inline std::string text(const std::string &value) { return value; }
inline std::string text(ginResult_t value) { return ginResultName(value); }
inline std::string text(cudaError_t value) { return cudaGetErrorName(value); }
template <class T>
std::string text(T value) {
  return std::to_string(value);
}
template <class A, class B>
bool checkEqual(A have, B want, const char *file, int line, const char *what) {
  return check(have == static_cast<A>(want), file, line,
               std::string(what) + " is " + text(have) + ", not " +
                   text(static_cast<A>(want)));
}

/// Memory of both GPUs, of the same size.
struct Buffers {
  explicit Buffers(size_t bytes);
  ~Buffers();
  Buffers(const Buffers &) = delete;
  Buffers &operator=(const Buffers &) = delete;
  char *at[2];
  size_t bytes;
  void set(int value);
  std::vector<unsigned char> read(int rank, size_t offset, size_t count) const;
  void write(int rank, size_t offset, const void *data, size_t count);
};

/// A communicator of two ranks with one program, and streams.
struct Pair {
  explicit Pair(std::vector<uint32_t> slots = {64},
                uint64_t timeout = 20'000'000'000);
  ~Pair();
  Pair(const Pair &) = delete;
  Pair &operator=(const Pair &) = delete;

  /// A window of both ranks over `buffers`; gone with the pair.
  void add(const Buffers &buffers, unsigned rights = GIN_RIGHT_ALL);
  void add(void *base0, size_t bytes0, void *base1, size_t bytes1,
           unsigned rights = GIN_RIGHT_ALL);

  /// Launches on both ranks. The kernel takes a program, the windows and banks
  /// as `Arguments`, and what follows, which is the same on both ranks.
  template <class... Parameters, class... Rest>
  ginResult_t launch(void (*kernel)(gin::Program, Parameters...),
                     unsigned blocks, unsigned threads, size_t shared,
                     Rest... rest);
  template <class... Parameters, class... Rest>
  ginResult_t launchRank(int rank, void (*kernel)(gin::Program, Parameters...),
                         unsigned blocks, unsigned threads, size_t shared,
                         Rest... rest);
  /// Waits for both streams; the first error of CUDA.
  cudaError_t synchronize();

  ginComm_t comms[2] = {};
  ginProgram_t programs[2] = {};
  cudaStream_t streams[2] = {};
  gin::Program program[2] = {};
  std::vector<gin::Bank> banks[2];
  std::vector<gin::Window> windows[2];
  std::vector<ginWindow_t> handles;
};

struct Counter;

/// Stands for what differs by rank in the arguments of a launch.
struct W {
  unsigned index;
};
struct B {
  unsigned index;
};
struct C {
  const Counter *counter;
};
inline unsigned long long *of(const Pair &, int rank, C c);
inline const gin::Window &of(const Pair &pair, int rank, W w) {
  return pair.windows[rank][w.index];
}
inline const gin::Bank &of(const Pair &pair, int rank, B b) {
  return pair.banks[rank][b.index];
}
template <class T>
const T &of(const Pair &, int, const T &value) {
  return value;
}

template <class... Parameters, class... Rest>
ginResult_t Pair::launchRank(int rank,
                             void (*kernel)(gin::Program, Parameters...),
                             unsigned blocks, unsigned threads, size_t shared,
                             Rest... rest) {
  return gin::launch(programs[rank], kernel, blocks, threads, shared,
                     streams[rank], program[rank], of(*this, rank, rest)...);
}
template <class... Parameters, class... Rest>
ginResult_t Pair::launch(void (*kernel)(gin::Program, Parameters...),
                         unsigned blocks, unsigned threads, size_t shared,
                         Rest... rest) {
  for (int rank = 0; rank < 2; ++rank)
    if (ginResult_t result =
            launchRank(rank, kernel, blocks, threads, shared, rest...))
      return result;
  return GIN_SUCCESS;
}

/// A counter in host memory for each rank: what two GPUs add to one word there
/// gets lost.
struct Counter {
  Counter();
  ~Counter();
  Counter(const Counter &) = delete;
  Counter &operator=(const Counter &) = delete;
  unsigned long long total() const { return values[0] + values[1]; }
  unsigned long long *values;
};

inline unsigned long long *of(const Pair &, int rank, C c) {
  return c.counter->values + rank;
}

} // namespace gintest

#endif // GIN_TEST_GPU_HARNESS_H
