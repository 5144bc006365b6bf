//===- LaneErrorTest.cu - launches of several parts that fail -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Copies.h"

using namespace gintest;

static GIN_DEVICE void expect(bool holds, unsigned long long *bad) {
  if (!holds)
    atomicAdd(bad, 1ull);
}

static __global__ void nothing(const __grid_constant__ gin::Program program) {
  gin::Context context = gin::begin(program);
  gin::end(context);
}

/// Whatever it says, the program is gone.
static void destroy(ginProgram_t &program, ginResult_t result) {
  CHECK_EQUAL(ginProgramDestroy(program), result);
  program = nullptr;
}

GIN_TEST_OF_TWO(BadLanes) {
  Copies copies(2);
  Group &group = copies.group;
  auto fails = [&](ginResult_t result) {
    CHECK_EQUAL(result, GIN_ERR_INVALID_ARGUMENT);
    CHECK(says("test: there is no lane 3, but 3; the program's configuration"));
  };
  fails(group.order(0, 0, 3));
  fails(group.order(0, 3, 0));
  fails(copies.launch(0, copies.put(0, 1, 0, 0, 16), 3));
  fails(group.launchPart(0, 3, true, nothing, 1, 32, 0));
  CHECK_EQUAL(ginLaunchOrder(nullptr, nullptr, 0, 0), GIN_ERR_INVALID_ARGUMENT);
  // As many as there are, and what the ranks have to agree on.
  ginProgramConfig_t config = {};
  config.name = "lanes";
  ginProgram_t programs[2] = {};
  config.lanes = GIN_MAX_LANES + 1;
  CHECK_EQUAL(ginProgramCreate(group.comms[0], &config, &programs[0]),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK(says("lanes: 9 lanes, of at most 8"));
  config.lanes = 0;
  CHECK_EQUAL(ginProgramCreate(group.comms[0], &config, &programs[0]),
              GIN_SUCCESS);
  config.lanes = GIN_MAX_LANES;
  CHECK_EQUAL(ginProgramCreate(group.comms[1], &config, &programs[1]),
              GIN_ERR_MISMATCH);
  CHECK(says("8 lanes"));
  CHECK(says("1 lanes"));
  CHECK_EQUAL(ginLaunchOrder(programs[0], nullptr, 0, 0), GIN_ERR_INCOMPLETE);
  config.lanes = 1;
  CHECK_EQUAL(ginProgramCreate(group.comms[1], &config, &programs[1]),
              GIN_SUCCESS);
  for (ginProgram_t program : programs)
    ginProgramDestroy(program);
}

static __global__ void
waitForNobody(const __grid_constant__ gin::Program program,
              const __grid_constant__ gin::Bank bank, unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  expect(!gin::wait(context, gin::Block(), bank, 1, 1), bad);
  gin::end(context);
}

static __global__ void breaks(const __grid_constant__ gin::Program program) {
  gin::Context context = gin::begin(program);
  gin::check(context, gin::Block(), false, gin::Site{"a thing", "", 0});
  gin::end(context);
}

/// What fails in one lane ends the others, and nothing more is launched.
GIN_TEST(ErrorsInLanes) {
  for (const bool aborts : {false, true}) {
    Copies copies(ranks);
    Group &group = copies.group;
    Counter bad(group);
    const ginResult_t error = aborts ? GIN_ERR_ABORTED : GIN_ERR_ASSERTION;
    group.preload({GIN_KERNEL(waitForNobody), GIN_KERNEL(breaks)});
    for (int rank = 0; rank < ranks; ++rank) {
      for (unsigned lane : {1, 2})
        CHECK_EQUAL(group.order(rank, 0, lane), GIN_SUCCESS);
      CHECK_EQUAL(group.launchPart(rank, 2, true, waitForNobody, 2, 64, 0, B{0},
                                   C{&bad}),
                  GIN_SUCCESS);
      CHECK_EQUAL(copies.launch(rank, copies.put(rank, rank, 0, 0, 16), 2),
                  GIN_SUCCESS);
      CHECK_EQUAL(group.order(rank, 2, 0), GIN_SUCCESS);
    }
    if (aborts)
      CHECK_EQUAL(ginCommAbort(group.comms[0]), GIN_SUCCESS);
    else
      CHECK_EQUAL(group.launchPart(0, 1, true, breaks, 1, 32, 0), GIN_SUCCESS);
    CHECK_EQUAL(group.synchronize(), error);
    CHECK_EQUAL(bad.total(), 0u);
    for (int rank = 0; rank < ranks; ++rank) {
      CHECK_EQUAL(group.order(rank, 1, 0), error);
      CHECK_EQUAL(copies.launch(rank, copies.put(rank, rank, 0, 0, 16), 1),
                  error);
      CHECK_EQUAL(group.launchPart(rank, 0, false, nothing, 1, 32, 0), error);
    }
    // That they have no end says nothing new.
    for (ginProgram_t &program : group.programs)
      destroy(program, GIN_SUCCESS);
  }
}

//===----------------------------------------------------------------------===//
// Launches that are not what they should be
//===----------------------------------------------------------------------===//

static __global__ void count(const __grid_constant__ gin::Program program,
                             unsigned long long *counter) {
  gin::Context context = gin::begin(program);
  if (gin::launchNumber(context) == 0)
    atomicAdd(counter, 1ull);
  gin::end(context);
}

/// What has been launched of it runs to its end.
GIN_TEST(LaunchesWithoutEnd) {
  Group group(ranks);
  Counter counter(group);
  for (int rank = 0; rank < ranks; ++rank) {
    CHECK_EQUAL(group.order(rank, 0, 1), GIN_SUCCESS);
    for (unsigned lane : {0, 1, 0})
      CHECK_EQUAL(
          group.launchPart(rank, lane, true, count, 1, 1, 0, C{&counter}),
          GIN_SUCCESS);
  }
  for (ginProgram_t &program : group.programs) {
    destroy(program, GIN_ERR_SIGNAL_PENDING);
    CHECK(says("test: the last launch has not ended; a kernel in lane 0"));
  }
  CHECK_EQUAL(counter.total(), 3u * unsigned(ranks));
}

GIN_TEST(LaunchesThatBreakOff) {
  Group group(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    // Not begun, it can be made again.
    CHECK_EQUAL(group.launchPart(rank, 1, true, nothing, 1, 32, 0),
                GIN_ERR_INVALID_ARGUMENT);
    CHECK(says("test: lane 1 does not take part in the launch; order it after "
               "lane 0 first"));
    CHECK_EQUAL(group.order(rank, 2, 0), GIN_ERR_INVALID_ARGUMENT);
    CHECK(says("test: lane 2 does not take part"));
    CHECK_EQUAL(group.launchPart(rank, 1, false, nothing, 1, 32, 0),
                GIN_ERR_INVALID_ARGUMENT);
    CHECK(says("test: the launch's last kernel, whose gin::Program has `open` "
               "0, is in lane 1 and has to be in lane 0"));
    CHECK_EQUAL(group.launchRank(rank, nothing, 1, 32, 0), GIN_SUCCESS);
    // Lanes take part in one launch, not in the next.
    for (unsigned lane : {1, 2})
      CHECK_EQUAL(group.order(rank, 0, lane), GIN_SUCCESS);
    CHECK_EQUAL(group.order(rank, 1, 2), GIN_SUCCESS);
    CHECK_EQUAL(group.order(rank, 2, 0), GIN_SUCCESS);
    CHECK_EQUAL(group.launchRank(rank, nothing, 1, 32, 0), GIN_SUCCESS);
    CHECK_EQUAL(group.launchPart(rank, 2, true, nothing, 1, 32, 0),
                GIN_ERR_INVALID_ARGUMENT);
    CHECK(says("test: lane 2 does not take part"));
    // A lane that is joined too early.
    CHECK_EQUAL(group.order(rank, 0, 2), GIN_SUCCESS);
    CHECK_EQUAL(group.order(rank, 2, 0), GIN_SUCCESS);
    CHECK_EQUAL(group.launchPart(rank, 2, true, nothing, 1, 32, 0),
                GIN_SUCCESS);
    CHECK_EQUAL(group.launchRank(rank, nothing, 1, 32, 0),
                GIN_ERR_INVALID_ARGUMENT);
    CHECK(says("test: lane 2 is not ordered before the launch's last kernel"));
    // Begun, it cannot.
    for (ginResult_t result :
         {group.order(rank, 2, 0), group.launchRank(rank, nothing, 1, 32, 0)}) {
      CHECK_EQUAL(result, GIN_ERR_SIGNAL_PENDING);
      CHECK(says("test: the last launch was broken off, and nothing can follow "
                 "it: test: lane 2 is not ordered before"));
    }
  }
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  for (ginProgram_t &program : group.programs)
    destroy(program, GIN_SUCCESS);
}

/// The program that a kernel gets is the one that it is launched with.
GIN_TEST_OF_TWO(WrongPrograms) {
  Group group(ranks), other(ranks);
  const ginLaunchConfig_t config =
      shape({1, 1, 1}, {32, 1, 1}, 0, group.streams[0]);
  auto fails = [&](gin::Program *program, const std::string &words) {
    void *arguments[] = {program};
    CHECK_EQUAL(
        ginLaunch(group.programs[0], GIN_KERNEL(nothing), &config, arguments),
        GIN_ERR_INVALID_ARGUMENT);
    CHECK(says("test: the kernel's " + words));
  };
  fails(nullptr, "first argument is no gin::Program");
  const char *notThis =
      "first argument is not this program's gin::Program of rank 0";
  fails(&group.program[1], notThis);
  fails(&other.program[0], notThis);
  gin::Program program = group.program[0];
  program.lane = 2;
  fails(&program, "first argument is a gin::Program of lane 2, and it is "
                  "launched in lane 0");
  CHECK_EQUAL(group.launch(nothing, 1, 32, 0), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
}
