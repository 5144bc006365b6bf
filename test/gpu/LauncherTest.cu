//===- LauncherTest.cu - what launchers refuse ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A launcher as ginc writes it, with all kinds of arguments, whose caller makes
// mistakes: each is refused before the launch, in words, and the launch that
// follows works.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

#include "runtime/device/Compiled.h"
#include "runtime/device/Launcher.h"

#include <limits>

using namespace gintest;

/// Adds up the own part of the window, the source and the table.
static __global__ void addUp(const __grid_constant__ gin::Program program,
                             const __grid_constant__ gin::Window x,
                             const __grid_constant__ gin::Window source,
                             int32_t *table, int64_t n,
                             const __grid_constant__ gin::Window scratch,
                             const __grid_constant__ gin::Bank bank) {
  gin::Context context = gin::begin(program);
  gin::signal(context, gin::Block(), nextOf(context), {&bank, 0});
  gin::wait(context, gin::Block(), bank, 0, 1);
  if (threadIdx.x == 0)
    for (int64_t i = 0; i < n; ++i)
      gin::elements<int32_t>(scratch)[i] = gin::elements<int32_t>(x)[i] +
                                           gin::elements<int32_t>(source)[i] +
                                           table[i];
  gin::end(context);
}
static const auto code = gin::launcher::Kernel(
    "addUp", 0x1234, GIN_KERNEL(addUp), GIN_ARCHITECTURES, 32, 0);
static const auto otherCode = gin::launcher::Kernel(
    "addUp", 0x1235, GIN_KERNEL(addUp), GIN_ARCHITECTURES, 32, 0);

namespace {
struct Arguments {
  ginWindow_t x;
  int64_t n;
  int32_t *source, *table;
};
struct Launcher {
  Arguments sizes;
  gin::launcher::Program program;
  gin::launcher::Source source;
  gin::launcher::Scratch scratch;
  gin::Bank bank;
  bool ready = false;
};
} // namespace

static ginResult_t setUpAs(Launcher &self, ginComm_t comm,
                           const gin::launcher::Kernel &kernel) {
  using namespace gin::launcher;
  const Size n = self.sizes.n;
  GIN_TRY(self.program.create(comm, kernel, {{"bank", n + 1}}, 1));
  GIN_TRY(
      self.scratch.create(self.program, "scratch", sizeof(int32_t), {n}, 7));
  return GIN_SUCCESS;
}
static ginResult_t setUp(Launcher &self, ginComm_t comm) {
  return setUpAs(self, comm, code);
}
static ginResult_t setUpOther(Launcher &self, ginComm_t comm) {
  return setUpAs(self, comm, otherCode);
}
/// Of the sizes, only what ranks have in common determines anything.
static ginResult_t setUpCommon(Launcher &self, ginComm_t comm) {
  self.program.common("n", self.sizes.n);
  return self.program.create(comm, code, {}, 1);
}

static ginResult_t destroy(Launcher *self) {
  ginResult_t result = self->program.destroy();
  gin::launcher::also(result, self->source.destroy());
  gin::launcher::also(result, self->scratch.destroy());
  delete self;
  return result;
}
static ginResult_t create(ginComm_t comm, const Arguments *arguments,
                          Launcher **self) {
  return gin::launcher::create("addUp_create", setUp, destroy, comm, arguments,
                               self);
}

static ginResult_t launch(Launcher &self, const Arguments &arguments,
                          void *stream) {
  GIN_TRY(self.program.same("n", arguments.n, self.sizes.n));
  if (!self.ready) {
    GIN_TRY(self.program.open());
    GIN_TRY(self.program.bank(0, self.bank));
    GIN_TRY(self.scratch.open());
    self.ready = true;
  }
  gin::Window x;
  GIN_TRY(
      self.program.window("x", arguments.x, sizeof(int32_t), {arguments.n}, x));
  GIN_TRY(self.source.update(self.program, "source", arguments.source,
                             sizeof(int32_t), {arguments.n}, stream));
  int32_t *table;
  GIN_TRY(self.program.pointer("table", arguments.table, {arguments.n}, table));
  return self.program.launchExactly(1, stream, x, self.source.device, table,
                                    self.sizes.n, self.scratch.device,
                                    self.bank);
}

namespace {
constexpr int64_t count = 8;

/// Communicators, memory and windows for the launcher.
struct Ranks {
  explicit Ranks(int ranks) : comms(static_cast<size_t>(ranks)) {
    need(createComms(ranks, comms.data()), "communicators");
    for (ginComm_t comm : comms) {
      streams.push_back(createStream(comm));
      void *memory;
      need(ginMemoryAlloc(comm, bytes, &memory), "memory");
      memories.push_back(static_cast<char *>(memory));
      windows.emplace_back();
      need(ginWindowRegister(comm, memory, 4 * count, GIN_RIGHT_ALL,
                             &windows.back()),
           "window");
    }
  }
  ~Ranks() {
    for (size_t rank = 0; rank < comms.size(); ++rank) {
      ginCommSynchronize(comms[rank]);
      destroyStream(comms[rank], streams[rank]);
      ginWindowDestroy(windows[rank]);
      ginMemoryFree(comms[rank], memories[rank]);
      ginCommDestroy(comms[rank]);
    }
  }
  Arguments argumentsOf(size_t rank) const {
    auto at = [&](size_t offset) {
      return reinterpret_cast<int32_t *>(memories[rank] + offset);
    };
    return {windows[rank], count, at(1024), at(2048)};
  }

  static constexpr size_t bytes = 4096;
  std::vector<ginComm_t> comms;
  std::vector<void *> streams;
  std::vector<char *> memories;
  std::vector<ginWindow_t> windows;
};
} // namespace

GIN_TEST(LauncherRefusesArguments) {
  Ranks all(ranks);
  Launcher *first = nullptr;
  Arguments good = all.argumentsOf(0);
  CHECK_EQUAL(create(nullptr, &good, &first), GIN_ERR_INVALID_ARGUMENT);
  CHECK(says("addUp_create: a null pointer"));
  Arguments bad = good;
  bad.n = -3;
  CHECK_EQUAL(create(all.comms[0], &bad, &first), GIN_ERR_INVALID_ARGUMENT);
  CHECK(says("addUp: bank has the size -2"));
  bad.n = std::numeric_limits<int64_t>::max();
  CHECK_EQUAL(create(all.comms[0], &bad, &first), GIN_ERR_INVALID_ARGUMENT);
  CHECK(says("addUp: bank is not the size of anything"));
  bad.n = int64_t(1) << 32;
  CHECK_EQUAL(create(all.comms[0], &bad, &first), GIN_ERR_INVALID_ARGUMENT);
  CHECK(says("addUp: bank has 4294967297 signals"));
  bad.n = -1; // no signals, which is no error, but no array either
  CHECK_EQUAL(create(all.comms[0], &bad, &first), GIN_ERR_INVALID_ARGUMENT);
  CHECK(says("addUp: scratch cannot be an array of -1 elements of 4 bytes"));
  CHECK(!first);

  std::vector<Launcher *> launchers(all.comms.size());
  for (size_t rank = 0; rank < launchers.size(); ++rank) {
    const Arguments arguments = all.argumentsOf(rank);
    if (rank + 1 == launchers.size() && rank > 0) {
      CHECK_EQUAL(launch(*launchers[0], good, all.streams[0]),
                  GIN_ERR_INCOMPLETE);
      CHECK(says(
          ("addUp: not yet created by rank " + std::to_string(rank)).c_str()));
    }
    CHECK_EQUAL(create(all.comms[rank], &arguments, &launchers[rank]),
                GIN_SUCCESS);
  }
  auto refuses = [&](ginResult_t result, const Arguments &arguments,
                     const char *words) {
    CHECK_EQUAL(launch(*launchers[0], arguments, all.streams[0]), result);
    CHECK(says(words));
  };
  bad = good;
  bad.n = 9;
  refuses(GIN_ERR_MISMATCH, bad, "addUp: n is 9, and was 8 at create");
  bad = good;
  bad.x = nullptr;
  refuses(GIN_ERR_INVALID_ARGUMENT, bad, "addUp: window x is null");
  if (ranks > 1) {
    bad.x = all.windows[1];
    refuses(GIN_ERR_INVALID_ARGUMENT, bad,
            "addUp: x: window 0 is that of rank 1, and the program that of "
            "rank 0");
  }
  {
    const Ranks others(ranks);
    bad.x = others.windows[0];
    refuses(GIN_ERR_INVALID_ARGUMENT, bad,
            "addUp: x: window 0 is that of another communicator");
  }
  bad = good;
  bad.source = nullptr;
  refuses(GIN_ERR_INVALID_ARGUMENT, bad,
          "addUp: source: a null pointer to 32 bytes");
  bad.source = good.source + 1;
  refuses(GIN_ERR_INVALID_ARGUMENT, bad,
          "addUp: source: the memory begins 4 bytes after a multiple of 16");
  bad.source = good.source + (Ranks::bytes - 1024) / 4 - 4;
  refuses(GIN_ERR_INVALID_ARGUMENT, bad,
          "addUp: source: the memory ends 16 bytes after its allocation");
  bad = good;
  bad.table = good.table + 3;
  refuses(GIN_ERR_INVALID_ARGUMENT, bad,
          "addUp: table: the memory begins 12 bytes after a multiple of 16");
  bad.table = nullptr;
  refuses(GIN_ERR_INVALID_ARGUMENT, bad, "addUp: table: a null pointer");

  ginWindow_t small;
  CHECK_EQUAL(ginWindowRegisterLocal(all.comms[0], all.memories[0], 28, &small),
              GIN_SUCCESS);
  bad = good;
  bad.x = small;
  refuses(GIN_ERR_WINDOW_FULL, bad,
          "addUp: window x has 28 bytes, and 8 elements of 4 bytes need 32; "
          "register a larger one");
  ginWindowDestroy(small);

  // Nothing of it is left.
  for (size_t rank = 0; rank < launchers.size(); ++rank)
    CHECK_EQUAL(
        launch(*launchers[rank], all.argumentsOf(rank), all.streams[rank]),
        GIN_SUCCESS);
  for (ginComm_t comm : all.comms)
    CHECK_EQUAL(ginCommSynchronize(comm), GIN_SUCCESS);
  for (Launcher *launcher : launchers)
    CHECK_EQUAL(destroy(launcher), GIN_SUCCESS);
}

/// Windows of another shape are found at create, before anything is put there.
GIN_TEST(LauncherComparesCommonExtents) {
  Ranks all(ranks);
  const size_t last = all.comms.size() - 1;
  std::vector<Launcher *> launchers(all.comms.size());
  auto createOn = [&](size_t rank, int64_t n) {
    Arguments arguments = all.argumentsOf(rank);
    arguments.n = n;
    return gin::launcher::create("addUp_create", setUpCommon, destroy,
                                 all.comms[rank], &arguments, &launchers[rank]);
  };
  for (size_t rank = 0; rank < last; ++rank)
    CHECK_EQUAL(createOn(rank, 8), GIN_SUCCESS);
  CHECK_EQUAL(createOn(last, -8), GIN_ERR_INVALID_ARGUMENT);
  CHECK(says("addUp: n has the size -8"));
  if (last > 0) {
    CHECK_EQUAL(createOn(last, 6), GIN_ERR_MISMATCH);
    CHECK(says(", n = 6, that of rank 0 program 'addUp'"));
    CHECK(says(", n = 8"));
  }
  CHECK_EQUAL(createOn(last, 8), GIN_SUCCESS);
  for (Launcher *launcher : launchers)
    CHECK_EQUAL(destroy(launcher), GIN_SUCCESS);
}

/// One rank's set-up fails, and all begin anew.
GIN_TEST(LauncherIsCreatedAgain) {
  Ranks all(ranks);
  const size_t last = all.comms.size() - 1;
  std::vector<Launcher *> launchers(all.comms.size());
  auto createOn = [&](size_t rank, ginResult_t (*make)(Launcher &, ginComm_t),
                      int64_t n) {
    Arguments arguments = all.argumentsOf(rank);
    arguments.n = n;
    return gin::launcher::create("addUp_create", make, destroy, all.comms[rank],
                                 &arguments, &launchers[rank]);
  };
  for (size_t rank = 0; rank < last; ++rank)
    CHECK_EQUAL(createOn(rank, setUp, count), GIN_SUCCESS);
  if (last > 0) {
    CHECK_EQUAL(createOn(last, setUpOther, count), GIN_ERR_MISMATCH);
    CHECK(says("program 'addUp' (code 0000000000001235)"));
    CHECK(says("program 'addUp' (code 0000000000001234)"));
    CHECK_EQUAL(createOn(last, setUp, count + 1), GIN_ERR_MISMATCH);
  }
  for (size_t rank = 0; rank < last; ++rank)
    CHECK_EQUAL(destroy(launchers[rank]), GIN_SUCCESS);
  for (size_t rank = 0; rank <= last; ++rank)
    CHECK_EQUAL(createOn(rank, setUp, count), GIN_SUCCESS);
  for (size_t rank = 0; rank <= last; ++rank)
    CHECK_EQUAL(
        launch(*launchers[rank], all.argumentsOf(rank), all.streams[rank]),
        GIN_SUCCESS);
  for (ginComm_t comm : all.comms)
    CHECK_EQUAL(ginCommSynchronize(comm), GIN_SUCCESS);
  for (Launcher *launcher : launchers)
    CHECK_EQUAL(destroy(launcher), GIN_SUCCESS);
}
