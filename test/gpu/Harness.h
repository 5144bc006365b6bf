//===- Harness.h - ranks and checks -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tests of the device API, which nvcc compiles for GPUs and any C++ compiler
// for host threads. A test is a function; a check that fails prints its place,
// and the test goes on. The machine with GPUs has nothing but CUDA and CMake.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_TEST_GPU_HARNESS_H
#define GIN_TEST_GPU_HARNESS_H

#include "runtime/device/Gin.h"
#include "runtime/include/gin.hpp"
#include "test/gpu/Platform.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace gintest {

/// Registers `body` under `name`. It runs on 1, 2, 3, 4, 7 and 8 ranks, as far
/// as there are GPUs, or on two alone.
struct Test {
  Test(const char *name, void (*body)(int ranks), bool twoRanks);
};
#define GIN_TEST_IMPL(name, twoRanks)                                          \
  static void test##name(int ranks);                                           \
  static ::gintest::Test register##name(#name, test##name, twoRanks);          \
  static void test##name([[maybe_unused]] int ranks)
#define GIN_TEST(name) GIN_TEST_IMPL(name, false)
#define GIN_TEST_OF_TWO(name) GIN_TEST_IMPL(name, true)

/// Counts a check, and prints it if it does not hold.
bool check(bool holds, const char *file, int line, const std::string &what);
#define CHECK(condition)                                                       \
  ::gintest::check((condition), __FILE__, __LINE__, #condition)
#define CHECK_EQUAL(have, want)                                                \
  ::gintest::checkEqual((have), (want), __FILE__, __LINE__, #have)
/// Whether the text of this thread's last error has these words; prints it if
/// not.
bool says(const std::string &words);
/// Prints a line that is no check.
void note(const std::string &text);
/// Ends the program if something fails on which tests rely.
void need(ginResult_t result, const char *what);

inline std::string text(const std::string &value) { return value; }
inline std::string text(ginResult_t value) { return ginResultName(value); }
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

/// What ginLaunch takes, in lane 0.
ginLaunchConfig_t shape(const unsigned (&grid)[3], const unsigned (&block)[3],
                        size_t shared = 0, void *stream = nullptr);

/// Stands for what differs by rank in the arguments of a launch.
struct W {
  unsigned index;
};
struct B {
  unsigned index;
};
struct C {
  const struct Counter *counter;
};

/// Lanes of its program.
constexpr unsigned lanes = 3;

/// A communicator with one program.
struct Group {
  explicit Group(int ranks, std::vector<uint32_t> slots = {64},
                 uint64_t timeout = 20'000'000'000);
  ~Group();
  Group(const Group &) = delete;
  Group &operator=(const Group &) = delete;
  int size() const { return static_cast<int>(comms.size()); }

  /// A window of all ranks over `buffers`; gone with the group.
  void add(const struct Buffers &buffers, unsigned rights = GIN_RIGHT_ALL);
  void add(const std::vector<void *> &bases, const std::vector<size_t> &bytes,
           unsigned rights = GIN_RIGHT_ALL);

  /// Launches on all ranks. The kernel takes a program, the windows and banks
  /// as `Arguments`, and what follows, which is the same on all ranks.
  template <class... Parameters, class... Rest>
  ginResult_t launch(void (*kernel)(gin::Program, Parameters...),
                     unsigned blocks, unsigned threads, size_t shared,
                     Rest... rest);
  template <class... Parameters, class... Rest>
  ginResult_t launchRank(int rank, void (*kernel)(gin::Program, Parameters...),
                         unsigned blocks, unsigned threads, size_t shared,
                         Rest... rest);
  /// The same for one kernel of a launch of several, of which the last one is
  /// not `open`.
  template <class... Parameters, class... Rest>
  ginResult_t launchPart(int rank, unsigned lane, bool open,
                         void (*kernel)(gin::Program, Parameters...),
                         unsigned blocks, unsigned threads, size_t shared,
                         Rest... rest);
  ginResult_t order(int rank, unsigned before, unsigned after);
  /// Loads kernels before others wait.
  void preload(std::initializer_list<const void *> kernels, size_t shared = 0);
  /// The handle of a rank's window.
  ginWindow_t handle(int rank, W window) const;
  /// Waits for all ranks; the first rank's error, if any has one.
  ginResult_t synchronize();
  /// Destroys the program of all ranks, in their order: what each one's call
  /// returns. For tests of that; else it goes with the group.
  std::vector<ginResult_t> destroyProgram();

  std::vector<ginComm_t> comms;
  std::vector<ginProgram_t> programs;
  std::vector<void *> streams;
  std::vector<gin::Program> program;
  std::vector<std::vector<gin::Bank>> banks;     // of each rank
  std::vector<std::vector<gin::Window>> windows; // of each rank
  std::vector<ginWindow_t> handles;
};

/// Memory of all ranks, of the same size; gone before the group.
struct Buffers {
  Buffers(const Group &group, size_t bytes);
  ~Buffers();
  Buffers(const Buffers &) = delete;
  Buffers &operator=(const Buffers &) = delete;
  const Group &group;
  std::vector<char *> at;
  size_t bytes;
  void set(int value);
  std::vector<unsigned char> read(int rank, size_t offset, size_t count) const;
  void write(int rank, size_t offset, const void *data, size_t count);
};

/// A counter in each rank's memory.
struct Counter {
  explicit Counter(const Group &group) : words(group, 8) {}
  /// Not while a kernel runs.
  unsigned long long total() const;
  Buffers words;
};

inline unsigned long long *of(const Group &, int rank, C c) {
  return reinterpret_cast<unsigned long long *>(
      c.counter->words.at[static_cast<size_t>(rank)]);
}
inline const gin::Window &of(const Group &group, int rank, W w) {
  return group.windows[static_cast<size_t>(rank)][w.index];
}
inline const gin::Bank &of(const Group &group, int rank, B b) {
  return group.banks[static_cast<size_t>(rank)][b.index];
}
template <class T>
const T &of(const Group &, int, const T &value) {
  return value;
}

template <class... Parameters, class... Rest>
ginResult_t Group::launchRank(int rank,
                              void (*kernel)(gin::Program, Parameters...),
                              unsigned blocks, unsigned threads, size_t shared,
                              Rest... rest) {
  const size_t i = static_cast<size_t>(rank);
  return gin::launch(programs[i], kernel, blocks, threads, shared, streams[i],
                     program[i], of(*this, rank, rest)...);
}
template <class... Parameters, class... Rest>
ginResult_t Group::launch(void (*kernel)(gin::Program, Parameters...),
                          unsigned blocks, unsigned threads, size_t shared,
                          Rest... rest) {
  // Rank 0 last: where a test has it fail, nobody may hear of that too early.
  for (int rank = size(); rank-- > 0;)
    if (ginResult_t result =
            launchRank(rank, kernel, blocks, threads, shared, rest...))
      return result;
  return GIN_SUCCESS;
}
template <class... Parameters, class... Rest>
ginResult_t Group::launchPart(int rank, unsigned lane, bool open,
                              void (*kernel)(gin::Program, Parameters...),
                              unsigned blocks, unsigned threads, size_t shared,
                              Rest... rest) {
  const size_t i = static_cast<size_t>(rank);
  gin::Program part = program[i];
  part.lane = lane;
  part.open = open;
  ginLaunchConfig_t config =
      shape({blocks, 1, 1}, {threads, 1, 1}, shared, streams[i]);
  config.lane = lane;
  return gin::launch(programs[i], kernel, config, part,
                     of(*this, rank, rest)...);
}

/// The neighbours in a ring of ranks.
GIN_DEVICE int nextOf(const gin::Context &context) {
  return context.rank + 1 == context.ranks ? 0 : context.rank + 1;
}
GIN_DEVICE int previousOf(const gin::Context &context) {
  return (context.rank == 0 ? context.ranks : context.rank) - 1;
}

/// The other ranks' blocks wait for rank 0's, which are launched last: a
/// failure after this cannot be the answer of a launch.
GIN_DEVICE void awaitLastLaunch(gin::Context &context, const gin::Bank &bank,
                                uint32_t firstSlot) {
  const uint32_t slot = firstSlot + blockIdx.x;
  if (context.rank != 0)
    gin::wait(context, gin::Block(), bank, slot, 1, 0);
  else
    for (int peer = 1; peer < context.ranks; ++peer)
      gin::signal(context, gin::Block(), peer, {&bank, slot});
}

} // namespace gintest

#endif // GIN_TEST_GPU_HARNESS_H
