//===- CudaBackendTest.cpp - what GPUs may refuse -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include "runtime/include/gin.hpp"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

using fake::machine;
using testing::AllOf;
using testing::HasSubstr;

namespace {

const int anyKernel = 0;
const uint32_t slots[] = {4, 2};

ginProgramConfig_t configuration() {
  ginProgramConfig_t config = {};
  config.banks = 2;
  config.slots = slots;
  config.lanes = 3;
  config.name = "exchange";
  config.architectures = "900,1000";
  return config;
}

class CudaBackend : public testing::Test {
protected:
  CudaBackend() { machine = fake::Machine(); }
  ~CudaBackend() override {
    for (ginProgram_t program : programs)
      ginProgramDestroy(program);
    for (ginComm_t comm : comms)
      ginCommDestroy(comm);
    machine.endCapture();
    EXPECT_EQ(machine.live, 0) << "something is leaked";
  }

  void start() {
    comms.resize(2);
    ASSERT_EQ(ginCommCreateAll(nullptr, 2, comms.data()), GIN_SUCCESS);
    programs.resize(2);
    const ginProgramConfig_t config = configuration();
    for (int rank = 0; rank < 2; ++rank)
      ASSERT_EQ(ginProgramCreate(comms[rank], &config, &programs[rank]),
                GIN_SUCCESS);
  }
  ginResult_t launch(unsigned blocks, cudaStream_t stream = nullptr) {
    return launchPart(0, false, stream, blocks);
  }
  // Parts of launches of rank 0.
  ginResult_t launchPart(unsigned lane, bool open, cudaStream_t stream,
                         unsigned blocks = 1) {
    ginLaunchConfig_t config = gin::launchConfig(blocks, 32, 0, stream);
    config.lane = lane;
    gin::Program program{};
    EXPECT_EQ(ginProgramGetDevice(programs[0], &program, sizeof program),
              GIN_SUCCESS);
    program.lane = lane;
    program.open = open;
    void *arguments[] = {&program};
    return ginLaunch(programs[0], &anyKernel, &config, arguments);
  }
  ginResult_t order(unsigned before, unsigned after, cudaStream_t stream) {
    return ginLaunchOrder(programs[0], stream, before, after);
  }
  /// Expects a failure to create communicators, and a text with these words.
  void refuses(ginResult_t result, const char *words,
               const int *devices = nullptr) {
    ginComm_t made[2] = {};
    EXPECT_EQ(ginCommCreateAll(devices, 2, made), result);
    EXPECT_THAT(ginGetLastError(), HasSubstr(words));
    EXPECT_EQ(made[0], nullptr);
    EXPECT_EQ(machine.live, 0);
  }

  std::vector<ginComm_t> comms;
  std::vector<ginProgram_t> programs;
  /// An address serves as a stream.
  const cudaStream_t stream = reinterpret_cast<cudaStream_t>(&comms);
};

} // namespace

TEST_F(CudaBackend, NoGpu) {
  machine.driver = cudaErrorNoDevice;
  refuses(GIN_ERR_NO_BACKEND, "there is no GPU, or no driver for it: "
                              "cudaErrorNoDevice");
  machine.driver = cudaErrorInsufficientDriver;
  refuses(GIN_ERR_NO_BACKEND, "no driver");
}

TEST_F(CudaBackend, TooFewGpus) {
  machine.devices = 1;
  refuses(GIN_ERR_INVALID_ARGUMENT,
          "rank 1 is to have device 1, and there are 1");
  const int twice[] = {0, 0};
  refuses(GIN_ERR_INVALID_ARGUMENT, "device 0 is listed twice", twice);
}

TEST_F(CudaBackend, OldGpu) {
  machine.major = 7;
  refuses(GIN_ERR_NO_BACKEND, "device 0 (Fake GPU) is older than sm_75");
}

TEST_F(CudaBackend, NoPeerAccess) {
  machine.peers = false;
  // What devices can do is remembered, but for those that cannot.
  const int devices[] = {0, 1};
  machine.devices = 4;
  const int others[] = {2, 3};
  refuses(GIN_ERR_NO_PEER_ACCESS, "device 2 cannot reach device 3", others);
  machine.peers = true;
  ginComm_t made[2];
  ASSERT_EQ(ginCommCreateAll(devices, 2, made), GIN_SUCCESS);
  for (ginComm_t comm : made)
    ginCommDestroy(comm);
}

TEST_F(CudaBackend, WrongArchitecture) {
  start();
  machine.hasCode = false;
  machine.major = 8;
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(launch(1), GIN_ERR_NO_BACKEND);
    EXPECT_THAT(ginGetLastError(),
                AllOf(HasSubstr("exchange: there is no code of the kernel for "
                                "device 0, Fake GPU (sm_80)"),
                      HasSubstr("compiled for sm_90, sm_100")));
  }
  EXPECT_EQ(ginProgramPreload(programs[1], &anyKernel, 0), GIN_ERR_NO_BACKEND);
  EXPECT_EQ(machine.launches, 0);
}

TEST_F(CudaBackend, NotResident) {
  start();
  EXPECT_EQ(launch(5), GIN_ERR_NOT_RESIDENT);
  EXPECT_THAT(ginGetLastError(), AllOf(HasSubstr("exchange: 5 blocks of 32"),
                                       HasSubstr("4 run at once")));
  machine.blocksPerMultiprocessor = 0;
  EXPECT_EQ(launch(1), GIN_ERR_NOT_RESIDENT);
  EXPECT_THAT(ginGetLastError(), HasSubstr("not even one block of 32"));
  EXPECT_EQ(machine.launches, 0);
  machine.blocksPerMultiprocessor = 2;
  EXPECT_EQ(launch(4), GIN_SUCCESS);
  EXPECT_EQ(machine.launches, 1);
}

TEST_F(CudaBackend, MemoryOfOthers) {
  start();
  void *memory = nullptr;
  ASSERT_EQ(ginMemoryAlloc(comms[1], 256, &memory), GIN_SUCCESS);
  EXPECT_EQ(ginMemoryCheck(comms[1], memory, 256), GIN_SUCCESS);
  EXPECT_EQ(ginMemoryCheck(comms[0], memory, 256), GIN_ERR_INVALID_ARGUMENT);
  EXPECT_THAT(ginGetLastError(), HasSubstr("not memory of device 0"));
  EXPECT_EQ(ginMemoryCheck(comms[0], &comms, 16), GIN_ERR_INVALID_ARGUMENT);
  ginMemoryFree(comms[1], memory);
}

namespace {
/// Kernels do not run, so the test does what they would.
class Balance : public CudaBackend {
protected:
  void SetUp() override {
    start();
    ASSERT_EQ(ginProgramGetBank(programs[1], 1, &bank, sizeof bank),
              GIN_SUCCESS);
    for (int rank = 0; rank < 2; ++rank) {
      gin::Program program;
      ASSERT_EQ(ginProgramGetDevice(programs[rank], &program, sizeof program),
                GIN_SUCCESS);
      program.state->launch = 7;
      states.push_back(program.state);
    }
  }
  ginResult_t destroy() {
    EXPECT_EQ(ginProgramDestroy(programs[1]), GIN_SUCCESS);
    const ginResult_t result = ginProgramDestroy(programs[0]);
    programs.clear();
    return result;
  }
  void arrives(uint64_t weight) { bank.values[gin::slotStride] = weight; }

  gin::Bank bank; // of rank 1
  std::vector<gin::State *> states;
};
} // namespace

TEST_F(Balance, Unconsumed) {
  arrives(9);
  bank.bases[1] = 4;
  EXPECT_EQ(destroy(), GIN_ERR_UNCONSUMED_SIGNAL);
  EXPECT_THAT(ginGetLastError(),
              HasSubstr("exchange: slot 1 of bank 1 on rank 1 has counted 5 "
                        "that nobody waited for, in 7 launches"));
}

TEST_F(Balance, Consumed) {
  arrives(4);
  bank.bases[1] = 4;
  EXPECT_EQ(destroy(), GIN_SUCCESS);
}

TEST_F(Balance, OfRanksThatHaveLaunchedEquallyOften) {
  arrives(1);
  ++states[0]->launch;
  EXPECT_EQ(destroy(), GIN_SUCCESS);
}

TEST_F(Balance, CannotBeRead) {
  arrives(1);
  // The first call of CUDA that is not for waiting.
  machine.failing = machine.calls + 1;
  EXPECT_EQ(destroy(), GIN_ERR_OUT_OF_MEMORY);
  EXPECT_EQ(machine.failed, "cudaMemcpyAsync");
}

// -- set-up during a capture
// ---------------------------------------------------

namespace {
class Capture : public CudaBackend {
protected:
  /// What is set up says that it may not be; a launch may be captured.
  void refusesSetUp() {
    start();
    void *memory = nullptr;
    ASSERT_EQ(ginMemoryAlloc(comms[0], 256, &memory), GIN_SUCCESS);
    ASSERT_EQ(launch(1), GIN_SUCCESS);
    const int live = machine.live;
    machine.captured = stream;

    auto refused = [](ginResult_t result) {
      EXPECT_EQ(result, GIN_ERR_IN_CAPTURE);
      EXPECT_THAT(ginGetLastError(), HasSubstr("captured into a graph"));
    };
    ginComm_t more[2];
    refused(ginCommCreateAll(nullptr, 2, more));
    ginWindow_t window = nullptr;
    refused(ginWindowRegister(comms[0], memory, 256, GIN_RIGHT_ALL, &window));
    refused(ginWindowRegisterLocal(comms[0], memory, 256, &window));
    const ginProgramConfig_t config = configuration();
    ginProgram_t program = nullptr;
    refused(ginProgramCreate(comms[0], &config, &program));
    void *other = nullptr;
    refused(ginMemoryAlloc(comms[0], 256, &other));
    const int another = 0;
    refused(ginProgramPreload(programs[0], &another, 0));
    EXPECT_EQ(machine.live, live);
    EXPECT_EQ(launch(1, stream), GIN_SUCCESS);

    // Nothing of it is left: the same calls agree with the other rank's.
    machine.endCapture();
    ginWindow_t windows[2];
    for (int rank = 0; rank < 2; ++rank)
      EXPECT_EQ(ginWindowRegister(comms[rank], nullptr, 0, GIN_RIGHT_ALL,
                                  &windows[rank]),
                GIN_SUCCESS);
    gin::Window device;
    EXPECT_EQ(ginWindowGetDevice(windows[0], &device, sizeof device),
              GIN_SUCCESS);
    for (ginWindow_t one : windows)
      ginWindowDestroy(one);
    ginMemoryFree(comms[0], memory);
  }
};
} // namespace

TEST_F(Capture, OfBlockingStreamsGoesOn) {
  machine.blocking = true;
  refusesSetUp();
  EXPECT_FALSE(machine.invalidated);
}

TEST_F(Capture, OfOtherStreamsIsFound) { refusesSetUp(); }

TEST_F(Capture, FirstLaunch) {
  start();
  machine.captured = stream;
  EXPECT_EQ(launch(1, stream), GIN_ERR_IN_CAPTURE);
  EXPECT_THAT(ginGetLastError(), HasSubstr("exchange: the first launch"));
  int capturing = 0;
  EXPECT_EQ(ginCommIsCapturing(comms[0], stream, &capturing), GIN_SUCCESS);
  EXPECT_TRUE(capturing);
  EXPECT_FALSE(machine.invalidated);
  machine.endCapture();
  EXPECT_EQ(ginProgramPreload(programs[0], &anyKernel, 0), GIN_SUCCESS);
  machine.captured = stream;
  EXPECT_EQ(launch(1, stream), GIN_SUCCESS);
  EXPECT_FALSE(machine.invalidated);
}

// -- launches of several parts
// -------------------------------------------------

namespace {
class Lanes : public CudaBackend {
protected:
  void SetUp() override {
    start();
    EXPECT_EQ(launch(1, stream), GIN_SUCCESS);
    machine.work.clear();
    machine.streams.clear();
  }
  /// Through lanes 1 and 2, which follow each other.
  void launchParts(cudaStream_t stream) {
    EXPECT_EQ(order(0, 1, stream), GIN_SUCCESS);
    EXPECT_EQ(launchPart(1, true, stream), GIN_SUCCESS);
    EXPECT_EQ(order(1, 2, stream), GIN_SUCCESS);
    EXPECT_EQ(launchPart(0, true, stream), GIN_SUCCESS);
    EXPECT_EQ(launchPart(2, true, stream), GIN_SUCCESS);
    EXPECT_EQ(order(2, 0, stream), GIN_SUCCESS);
    EXPECT_EQ(launchPart(0, false, stream), GIN_SUCCESS);
  }
  void pending(ginResult_t result, const char *words) {
    EXPECT_EQ(result, GIN_ERR_SIGNAL_PENDING);
    EXPECT_THAT(ginGetLastError(), HasSubstr(words));
  }
  /// Another stream.
  const cudaStream_t other = reinterpret_cast<cudaStream_t>(&programs);
};
} // namespace

TEST_F(Lanes, AreStreams) {
  launchParts(stream);
  EXPECT_EQ(machine.work, "record 0, wait 1, kernel 1, "
                          "record 1, wait 2, kernel 0, record 0, kernel 2, "
                          "record 2, wait 0, record 0, kernel 0, record 0");
  launchParts(other);
}

TEST_F(Lanes, AreCaptured) {
  machine.captured = stream;
  launchParts(stream);
  EXPECT_EQ(machine.forked.size(), 2u);
  // The event that tells whether the last launch has ended is none of a graph.
  EXPECT_EQ(machine.work, "record 0, wait 1, kernel 1, "
                          "record 1, wait 2, kernel 0, kernel 2, "
                          "record 2, wait 0, kernel 0");
  EXPECT_FALSE(machine.invalidated);
  launchParts(stream);
  machine.relaxed = true;
  pending(order(0, 1, other), "lane 1 is still in another capture");
  machine.endCapture();
  launchParts(other);
}

TEST_F(Lanes, StayInTheStream) {
  EXPECT_EQ(launchPart(0, true, stream), GIN_SUCCESS);
  pending(launchPart(0, false, other), "exchange: the last launch has not "
                                       "ended, and this is another stream");
  pending(launchPart(0, false, stream), "exchange: the last launch was broken "
                                        "off, and nothing can follow it");
}

TEST_F(Lanes, StayInTheCapture) {
  // It ends in the middle of a launch.
  machine.captured = stream;
  EXPECT_EQ(order(0, 1, stream), GIN_SUCCESS);
  machine.endCapture();
  pending(launch(1, stream), "exchange: the last launch has not ended");
  launchParts(stream);
  // After a failure nobody has to hear of it again.
  machine.captured = stream;
  EXPECT_EQ(order(0, 1, stream), GIN_SUCCESS);
  EXPECT_EQ(launch(1, stream), GIN_ERR_INVALID_ARGUMENT);
  pending(order(1, 0, stream), "broken off");
  machine.endCapture();
  launchParts(stream);
  // It begins in the middle of one.
  EXPECT_EQ(order(0, 1, stream), GIN_SUCCESS);
  machine.captured = stream;
  pending(order(1, 0, stream), "this is another stream or a capture");
}

TEST_F(Lanes, CopyRows) {
  const size_t bytes = size_t(5) << 30;
  char *memory = fake::mapMemory(bytes);
  ginWindow_t windows[2];
  for (int rank = 0; rank < 2; ++rank)
    ASSERT_EQ(ginWindowRegister(comms[rank], rank == 0 ? memory : nullptr,
                                rank == 0 ? bytes : 0, GIN_RIGHT_ALL,
                                &windows[rank]),
              GIN_SUCCESS);
  std::memcpy(memory, "first...second..", 16);
  ginCopy_t copy = {};
  copy.window = copy.local = windows[0];
  copy.bytes = 8;
  copy.rows = 2;
  copy.localPitch = 8;
  auto copies = [&](size_t offset, size_t pitch, const char *work) {
    copy.offset = offset;
    copy.pitch = pitch;
    machine.work.clear();
    EXPECT_EQ(ginLaunchCopy(programs[0], &copy, stream, 0), GIN_SUCCESS);
    EXPECT_EQ(machine.work, std::string(work) + ", record 0");
    EXPECT_EQ(std::memcmp(memory + offset, "first...", 8), 0);
    EXPECT_EQ(std::memcmp(memory + offset + pitch, "second..", 8), 0);
  };
  copies(64, 8, "copy 0");
  copies(128, 16, "copy2D 0");
  // Wider than CUDA's copies can be.
  copies(256, size_t(1) << 32, "copy 0, copy 0");
  EXPECT_EQ(launch(1, stream), GIN_SUCCESS);
  for (ginWindow_t window : windows)
    ginWindowDestroy(window);
  fake::unmapMemory(memory, bytes);
}

// -- each call of CUDA fails once
// ----------------------------------------------

namespace {
/// Does all that a program does, each call until it succeeds, at most twice.
class Everything {
public:
  /// The number of calls that failed.
  int run() {
    ginComm_t comms[2] = {};
    const int devices[] = {first, first + 1};
    twice([&] { return ginCommCreateAll(devices, 2, comms); });
    void *memory[2] = {};
    ginWindow_t windows[2] = {}, local = nullptr;
    ginProgram_t programs[2] = {};
    const ginProgramConfig_t config = configuration();
    for (int rank = 0; rank < 2; ++rank) {
      twice([&] { return ginMemoryAlloc(comms[rank], 256, &memory[rank]); });
      twice([&] {
        return ginWindowRegister(comms[rank], memory[rank], 256, GIN_RIGHT_ALL,
                                 &windows[rank]);
      });
      twice([&] {
        return ginProgramCreate(comms[rank], &config, &programs[rank]);
      });
    }
    twice([&] {
      return ginWindowRegisterLocal(comms[0], memory[0], 256, &local);
    });
    for (int rank = 0; rank < 2; ++rank) {
      gin::Window window;
      twice([&] {
        return ginWindowGetDevice(windows[rank], &window, sizeof window);
      });
      const ginLaunchConfig_t launch = gin::launchConfig(1, 32, 64, nullptr);
      gin::Program program;
      twice([&] {
        return ginProgramGetDevice(programs[rank], &program, sizeof program);
      });
      void *arguments[] = {&program};
      twice([&] {
        return ginLaunch(programs[rank], &anyKernel, &launch, arguments);
      });
      ginCopy_t copy = {};
      copy.window = copy.local = windows[rank];
      copy.peer = rank;
      copy.offset = 128;
      copy.bytes = 16;
      copy.rows = 2;
      copy.pitch = copy.localPitch = 32;
      inOneLaunch(
          {[&] { return ginLaunchOrder(programs[rank], nullptr, 0, 1); },
           [&] { return ginLaunchCopy(programs[rank], &copy, nullptr, 1); },
           [&] { return ginLaunchOrder(programs[rank], nullptr, 1, 0); },
           [&] {
             return ginLaunch(programs[rank], &anyKernel, &launch, arguments);
           }});
      char back[256];
      twice([&] {
        return ginMemoryCopy(comms[rank], back, memory[rank], sizeof back);
      });
      twice([&] { return ginCommSynchronize(comms[rank]); });
    }
    ginWindowDestroy(local);
    for (int rank = 0; rank < 2; ++rank) {
      ginMemoryFree(comms[rank], memory[rank]);
      ginCommDestroy(comms[rank]);
      ginProgramDestroy(programs[rank]);
      ginWindowDestroy(windows[rank]);
    }
    return failures;
  }

  int first = 0; // device

private:
  template <class Call>
  void twice(Call call) {
    if (call() == GIN_SUCCESS)
      return;
    ++failures;
    EXPECT_STRNE(ginGetLastError(), "");
    EXPECT_EQ(call(), GIN_SUCCESS)
        << machine.failed << ": " << ginGetLastError();
  }
  /// After a failure the rest cannot follow.
  void inOneLaunch(std::vector<std::function<ginResult_t()>> parts) {
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i]() == GIN_SUCCESS)
        continue;
      ++failures;
      EXPECT_STRNE(ginGetLastError(), "");
      if (i > 0)
        EXPECT_EQ(parts[i](), GIN_ERR_SIGNAL_PENDING) << machine.failed;
      return;
    }
  }
  int failures = 0;
};
} // namespace

TEST_F(CudaBackend, AfterAnyFailureTheCallCanBeMadeAgain) {
  int tried = 0;
  for (int failing = 1; failing == 1 || tried == failing - 1; ++failing) {
    machine = fake::Machine();
    machine.devices = 1 << 20;
    machine.failing = failing;
    Everything everything;
    // Other devices each time, since that peers reach each other is remembered.
    everything.first = 2 * failing;
    const int failures = everything.run();
    EXPECT_EQ(machine.live, 0) << "after a failure of " << machine.failed;
    if (machine.failed.empty())
      break;
    EXPECT_LE(failures, 1) << machine.failed;
    tried = failing;
  }
  EXPECT_GT(tried, 50);
}
