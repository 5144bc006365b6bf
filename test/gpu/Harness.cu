//===- Harness.cu - ranks and checks --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

using namespace gintest;

namespace {
struct Named {
  const char *name;
  void (*body)(int ranks);
  bool twoRanks;
};
} // namespace

static std::vector<Named> &tests() {
  static std::vector<Named> all;
  return all;
}
static unsigned checks = 0, failures = 0;

Test::Test(const char *name, void (*body)(int), bool twoRanks) {
  tests().push_back({name, body, twoRanks});
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

bool gintest::says(const std::string &words) {
  const std::string text = ginGetLastError();
  if (text.find(words) != std::string::npos)
    return true;
  note("the text is: " + text);
  return false;
}

void gintest::note(const std::string &text) {
  std::printf("  %s\n", text.c_str());
}

void gintest::need(ginResult_t result, const char *what) {
  if (result == GIN_SUCCESS)
    return;
  std::printf("cannot go on: %s: %s: %s\n", what, ginResultName(result),
              ginGetLastError());
  std::exit(2);
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

ginLaunchConfig_t gintest::shape(const unsigned (&grid)[3],
                                 const unsigned (&block)[3], size_t shared,
                                 void *stream) {
  ginLaunchConfig_t config = {};
  std::copy_n(grid, 3, config.grid);
  std::copy_n(block, 3, config.block);
  config.shared = shared;
  config.stream = stream;
  return config;
}

Group::Group(int ranks, std::vector<uint32_t> slots, uint64_t timeout)
    : comms(static_cast<size_t>(ranks)), programs(comms.size()),
      streams(comms.size()), program(comms.size()), banks(comms.size()),
      windows(comms.size()) {
  need(createComms(ranks, comms.data()), "communicator");
  ginProgramConfig_t config = {};
  config.banks = static_cast<int>(slots.size());
  config.slots = slots.data();
  config.timeout = timeout;
  config.teams = 2;
  config.lanes = lanes;
  config.name = "test";
  config.architectures = GIN_ARCHITECTURES;
  for (size_t rank = 0; rank < comms.size(); ++rank) {
    streams[rank] = createStream(comms[rank]);
    need(ginProgramCreate(comms[rank], &config, &programs[rank]), "program");
  }
  for (size_t rank = 0; rank < comms.size(); ++rank) {
    need(gin::getDevice(programs[rank], program[rank]), "program");
    banks[rank].resize(slots.size());
    for (size_t i = 0; i < slots.size(); ++i)
      need(gin::getBank(programs[rank], static_cast<int>(i), banks[rank][i]),
           "bank");
  }
}

Group::~Group() {
  synchronize();
  // In an order that no rank would choose: any has to do.
  for (size_t rank = 0; rank < comms.size(); ++rank) {
    destroyStream(comms[rank], streams[rank]);
    ginCommDestroy(comms[rank]);
    // Tests that leave signals over have called destroyProgram.
    CHECK(ginProgramDestroy(programs[rank]) != GIN_ERR_UNCONSUMED_SIGNAL);
  }
  for (ginWindow_t handle : handles)
    ginWindowDestroy(handle);
}

void Group::add(const std::vector<void *> &bases,
                const std::vector<size_t> &bytes, unsigned rights) {
  std::vector<ginWindow_t> added(comms.size());
  for (size_t rank = 0; rank < comms.size(); ++rank)
    need(ginWindowRegister(comms[rank], bases[rank], bytes[rank], rights,
                           &added[rank]),
         "window");
  for (size_t rank = 0; rank < comms.size(); ++rank) {
    gin::Window window;
    need(gin::getDevice(added[rank], window), "window");
    windows[rank].push_back(window);
    handles.push_back(added[rank]);
  }
}
void Group::add(const Buffers &buffers, unsigned rights) {
  add(std::vector<void *>(buffers.at.begin(), buffers.at.end()),
      std::vector<size_t>(comms.size(), buffers.bytes), rights);
}

ginResult_t Group::order(int rank, unsigned before, unsigned after) {
  const size_t i = static_cast<size_t>(rank);
  return ginLaunchOrder(programs[i], streams[i], before, after);
}

void Group::preload(std::initializer_list<const void *> kernels,
                    size_t shared) {
  for (const void *kernel : kernels)
    need(ginProgramPreload(programs[0], kernel, shared), "code");
}

ginWindow_t Group::handle(int rank, W window) const {
  return handles[window.index * comms.size() + static_cast<size_t>(rank)];
}

ginResult_t Group::synchronize() {
  ginResult_t first = GIN_SUCCESS;
  for (ginComm_t comm : comms) {
    ginResult_t result = ginCommSynchronize(comm);
    first = first ? first : result;
  }
  return first;
}

std::vector<ginResult_t> Group::destroyProgram() {
  std::vector<ginResult_t> results;
  for (ginProgram_t &handle : programs)
    results.push_back(ginProgramDestroy(std::exchange(handle, nullptr)));
  return results;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Buffers::Buffers(const Group &group, size_t bytes)
    : group(group), at(group.comms.size()), bytes(bytes) {
  for (size_t rank = 0; rank < at.size(); ++rank) {
    void *memory = nullptr;
    need(ginMemoryAlloc(group.comms[rank], bytes, &memory), "memory");
    at[rank] = static_cast<char *>(memory);
  }
}
Buffers::~Buffers() {
  for (size_t rank = 0; rank < at.size(); ++rank)
    ginMemoryFree(group.comms[rank], at[rank]);
}
void Buffers::set(int value) {
  const std::vector<char> data(bytes, static_cast<char>(value));
  for (size_t rank = 0; rank < at.size(); ++rank)
    write(static_cast<int>(rank), 0, data.data(), bytes);
}
std::vector<unsigned char> Buffers::read(int rank, size_t offset,
                                         size_t count) const {
  const size_t i = static_cast<size_t>(rank);
  std::vector<unsigned char> data(count);
  need(ginMemoryCopy(group.comms[i], data.data(), at[i] + offset, count),
       "copy");
  return data;
}
void Buffers::write(int rank, size_t offset, const void *data, size_t count) {
  const size_t i = static_cast<size_t>(rank);
  need(ginMemoryCopy(group.comms[i], at[i] + offset, data, count), "copy");
}

unsigned long long Counter::total() const {
  unsigned long long sum = 0;
  for (int rank = 0; rank < words.group.size(); ++rank) {
    unsigned long long value;
    std::memcpy(&value, words.read(rank, 0, sizeof value).data(), sizeof value);
    sum += value;
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// The program: [--ranks=N] [WORD...], those whose names contain a word
//===----------------------------------------------------------------------===//

static bool run(const Named &test, int ranks) {
  const unsigned before = failures;
  const auto begun = std::chrono::steady_clock::now();
  std::printf("%s on %d ranks\n", test.name, ranks);
  std::fflush(stdout);
  test.body(ranks);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun)
          .count();
  const std::string error = leftover();
  check(error.empty(), "", 0, error);
  std::printf("  %s, %.2f s\n", failures == before ? "passed" : "FAILED",
              seconds);
  return failures == before;
}

int main(int argc, char **argv) {
  if (lacksRanks(2))
    return 77;
  const int most = maxRanks();
  std::vector<const char *> words;
  int only = 0;
  for (int i = 1; i < argc; ++i)
    if (std::strncmp(argv[i], "--ranks=", 8) == 0)
      only = std::atoi(argv[i] + 8);
    else
      words.push_back(argv[i]);
  unsigned passed = 0, failed = 0;
  for (const Named &test : tests()) {
    auto wanted = [&](const char *word) {
      return std::strstr(test.name, word) != nullptr;
    };
    if (!words.empty() && std::none_of(words.begin(), words.end(), wanted))
      continue;
    for (int ranks : {1, 2, 3, 4, 7, 8})
      if (ranks <= most && (only == 0 || ranks == only) &&
          (!test.twoRanks || ranks == 2))
        ++(run(test, ranks) ? passed : failed);
  }
  std::printf("%u passed, %u failed (%u checks, %u of them failed)\n", passed,
              failed, checks, failures);
  return failed != 0;
}
