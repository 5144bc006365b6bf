//===- SetUpTest.cu - what set-up refuses ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each error has its code and a text that names what is wrong, and nothing is
// left of a call that failed.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

#include <cstring>
#include <set>

using namespace gintest;

GIN_TEST_OF_TWO(ResultsHaveTexts) {
  std::set<std::string> names;
  for (int code = GIN_SUCCESS; code <= GIN_ERR_UNCONSUMED_SIGNAL; ++code) {
    const ginResult_t result = static_cast<ginResult_t>(code);
    names.insert(ginResultName(result));
    CHECK(std::strncmp(ginResultName(result), "GIN_", 4) == 0);
    CHECK(*ginResultText(result) != 0);
    CHECK(result == GIN_SUCCESS || *ginResultAdvice(result) != 0);
  }
  CHECK_EQUAL(names.size(), size_t(GIN_ERR_UNCONSUMED_SIGNAL) + 1);
  CHECK_EQUAL(std::string(ginResultName(static_cast<ginResult_t>(31))),
              std::string("GIN_ERR_UNKNOWN"));
  CHECK_EQUAL(ginSetLastError(GIN_ERR_WINDOW_FULL, "too small"),
              GIN_ERR_WINDOW_FULL);
  CHECK(says("too small"));
}

namespace {
/// Communicators of two ranks without anything on them.
struct Pair {
  Pair() { need(createComms(2, comms), "communicators"); }
  ~Pair() {
    for (ginComm_t comm : comms)
      ginCommDestroy(comm);
  }
  ginComm_t comms[2];
};
} // namespace

static const uint32_t threeBanks[] = {1, 2, 3};
static ginProgramConfig_t named(const char *name, uint64_t fingerprint) {
  ginProgramConfig_t config = {};
  config.banks = 3;
  config.slots = threeBanks;
  config.timeout = 1000;
  config.teams = 1;
  config.name = name;
  config.fingerprint = fingerprint;
  return config;
}

GIN_TEST_OF_TWO(ProgramsThatDiffer) {
  Pair pair;
  const ginProgramConfig_t first = named("gather", 0x1234);
  ginProgramConfig_t others[] = {named("scatter", 0x1234),
                                 named("gather", 0x1235),
                                 named(nullptr, 0),
                                 first,
                                 first,
                                 first,
                                 first};
  const uint32_t slots[] = {1, 2, 4};
  others[3].slots = slots;
  others[4].teams = 2;
  others[5].timeout = 0;
  const char *const names[] = {"n"};
  const int64_t values[] = {7};
  others[6].agreed = 1;
  others[6].agreedNames = names;
  others[6].agreedValues = values;
  ginProgram_t programs[2];
  CHECK_EQUAL(ginProgramCreate(pair.comms[1], &first, &programs[1]),
              GIN_SUCCESS);
  for (const ginProgramConfig_t &other : others) {
    CHECK_EQUAL(ginProgramCreate(pair.comms[0], &other, &programs[0]),
                GIN_ERR_MISMATCH);
    CHECK(says("that of rank 1 program 'gather' (code 0000000000001234) with "
               "banks of 1, 2, 3 slots, barriers of 1 teams, 1 lanes, "
               "time-out 1000 ns"));
  }
  CHECK_EQUAL(ginProgramCreate(pair.comms[0], &others[0], &programs[0]),
              GIN_ERR_MISMATCH);
  CHECK(says("collective call 0 of rank 0 makes program 'scatter' (code "));
  ginWindow_t window;
  CHECK_EQUAL(
      ginWindowRegister(pair.comms[0], nullptr, 0, GIN_RIGHT_READ, &window),
      GIN_ERR_MISMATCH);
  CHECK(
      says("makes a window with the rights [ read ], that of rank 1 program"));
  // None of this counts as rank 0's call.
  CHECK_EQUAL(ginProgramCreate(pair.comms[0], &first, &programs[0]),
              GIN_SUCCESS);
  gin::Program device;
  CHECK_EQUAL(gin::getDevice(programs[1], device), GIN_SUCCESS);
  for (ginProgram_t program : programs)
    ginProgramDestroy(program);
}

/// After an error of one rank, all take back what they have and begin anew.
GIN_TEST(CallsAreTakenBack) {
  std::vector<ginComm_t> comms(static_cast<size_t>(ranks));
  need(createComms(ranks, comms.data()), "communicators");
  const ginProgramConfig_t config = named("again", 1);
  std::vector<ginProgram_t> programs(comms.size());
  std::vector<ginWindow_t> windows(comms.size()), others(comms.size());
  for (int round = 0; round < 3; ++round) {
    // The last rank fails at its second call, another one each time.
    const size_t failing = static_cast<size_t>(round) % comms.size();
    for (size_t i = 1; i <= comms.size(); ++i) {
      const size_t rank = (failing + i) % comms.size();
      CHECK_EQUAL(ginProgramCreate(comms[rank], &config, &programs[rank]),
                  GIN_SUCCESS);
      if (rank == failing)
        continue;
      CHECK_EQUAL(ginWindowRegister(comms[rank], nullptr, 0, GIN_RIGHT_ALL,
                                    &windows[rank]),
                  GIN_SUCCESS);
      CHECK_EQUAL(ginWindowRegister(comms[rank], nullptr, 0, GIN_RIGHT_READ,
                                    &others[rank]),
                  GIN_SUCCESS);
      gin::Window device;
      CHECK_EQUAL(gin::getDevice(windows[rank], device), GIN_ERR_INCOMPLETE);
      CHECK(says("not yet registered by rank"));
    }
    for (size_t rank = 0; rank < comms.size(); ++rank) {
      ginProgramDestroy(programs[rank]);
      if (rank == failing)
        continue;
      // In the order of the calls, or the other way round.
      ginWindowDestroy(round == 0 ? windows[rank] : others[rank]);
      ginWindowDestroy(round == 0 ? others[rank] : windows[rank]);
    }
  }
  for (size_t rank = 0; rank < comms.size(); ++rank)
    CHECK_EQUAL(ginWindowRegister(comms[rank], nullptr, 0, GIN_RIGHT_WRITE,
                                  &windows[rank]),
                GIN_SUCCESS);
  gin::Window device;
  CHECK_EQUAL(gin::getDevice(windows[0], device), GIN_SUCCESS);
  for (size_t rank = 0; rank < comms.size(); ++rank) {
    ginCommDestroy(comms[rank]);
    ginWindowDestroy(windows[rank]);
  }
}

/// What one rank alone has made goes too.
GIN_TEST(HalfMadeThingsGo) {
  if (ranks == 1)
    return;
  std::vector<ginComm_t> comms(static_cast<size_t>(ranks));
  need(createComms(ranks, comms.data()), "communicators");
  ginWindow_t window;
  ginProgram_t program;
  const ginProgramConfig_t config = named("half", 1);
  CHECK_EQUAL(ginWindowRegister(comms[0], nullptr, 0, GIN_RIGHT_READ, &window),
              GIN_SUCCESS);
  CHECK_EQUAL(ginProgramCreate(comms[0], &config, &program), GIN_SUCCESS);
  const ginLaunchConfig_t launch = shape({1, 1, 1}, {32, 1, 1});
  CHECK_EQUAL(ginLaunch(program, &launch, &launch, nullptr),
              GIN_ERR_INCOMPLETE);
  CHECK(says("half: not yet created by rank"));
  for (ginComm_t comm : comms)
    ginCommDestroy(comm);
  ginWindowDestroy(window);
  ginProgramDestroy(program);
}

GIN_TEST_OF_TWO(Memory) {
  Pair pair;
  void *memory = nullptr;
  CHECK_EQUAL(ginMemoryAlloc(pair.comms[0], 4096, &memory), GIN_SUCCESS);
  char *base = static_cast<char *>(memory);
  CHECK_EQUAL(ginMemoryCheck(pair.comms[0], base, 4096), GIN_SUCCESS);
  CHECK_EQUAL(ginMemoryCheck(pair.comms[0], nullptr, 0), GIN_SUCCESS);
  CHECK_EQUAL(ginMemoryCheck(pair.comms[0], nullptr, 8),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK(says("a null pointer to 8 bytes"));
  CHECK_EQUAL(ginMemoryCheck(pair.comms[0], base + 4, 8),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK(says("begins 4 bytes after a multiple of 16"));
  CHECK_EQUAL(ginMemoryCheck(pair.comms[1], base, 8), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(ginMemoryCheck(pair.comms[0], base + 4000, 100),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK(says("ends 4 bytes after its allocation"));
  ginWindow_t window = nullptr;
  CHECK_EQUAL(ginWindowRegisterLocal(pair.comms[0], base + 8, 8, &window),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK(says("begins 8 bytes after a multiple of 16"));
  CHECK_EQUAL(ginMemoryFree(pair.comms[0], memory), GIN_SUCCESS);
}

GIN_TEST_OF_TWO(TooFewSignals) {
  Group group(ranks, {4, 2});
  gin::Bank bank;
  CHECK_EQUAL(gin::getBank(group.programs[0], 2, bank), GIN_ERR_NO_SLOT);
  CHECK(says("test: there is no bank 2, but 2"));
  uint64_t count;
  CHECK_EQUAL(ginProgramReadSlot(group.programs[0], 0, 4, &count),
              GIN_ERR_NO_SLOT);
  CHECK(says("test: bank 0 has 4 slots, this is slot 4"));
  const uint32_t many[] = {1u << 31, 1};
  ginProgramConfig_t config = named("many", 0);
  config.banks = 2;
  config.slots = many;
  ginProgram_t program;
  CHECK_EQUAL(ginProgramCreate(group.comms[0], &config, &program),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK(says("many: the banks have 2147483649 slots"));
}

static __global__ void nothing(const __grid_constant__ gin::Program program) {
  gin::Context context = gin::begin(program);
  gin::end(context);
}

GIN_TEST_OF_TWO(NotResidentSaysHowMany) {
  Group group(ranks);
  unsigned most = 0;
  CHECK_EQUAL(ginProgramMaxBlocks(group.programs[0], GIN_KERNEL(nothing), 256,
                                  1024, &most),
              GIN_SUCCESS);
  CHECK_EQUAL(group.launchRank(0, nothing, most + 1, 256, 1024),
              GIN_ERR_NOT_RESIDENT);
  CHECK(says("test: " + std::to_string(most + 1) +
             " blocks of 256 threads and 1024 bytes of shared memory; " +
             std::to_string(most) + " run at once"));
}

GIN_TEST(Capabilities) {
  Group group(ranks);
  for (ginComm_t comm : group.comms) {
    int has = 1, count = 0;
    CHECK_EQUAL(ginCommHasCapability(comm, GIN_CAPABILITY_MULTIMEM, &has),
                GIN_SUCCESS);
    CHECK_EQUAL(has, 0);
    CHECK_EQUAL(
        ginCommHasCapability(comm, static_cast<ginCapability_t>(1), &has),
        GIN_ERR_INVALID_ARGUMENT);
    CHECK_EQUAL(ginCommHasCapability(comm, GIN_CAPABILITY_MULTIMEM, nullptr),
                GIN_ERR_INVALID_ARGUMENT);
    CHECK_EQUAL(ginCommMultiprocessors(comm, &count), GIN_SUCCESS);
    CHECK(count > 0);
  }
}
