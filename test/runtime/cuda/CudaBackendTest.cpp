//===- CudaBackendTest.cpp - what GPUs may refuse -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include "runtime/device/Types.h"
#include "runtime/include/gin.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

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
  config.name = "exchange";
  config.architectures = "900,1000";
  return config;
}

ginLaunchConfig_t shape(unsigned blocks, size_t shared, cudaStream_t stream) {
  ginLaunchConfig_t config = {};
  config.grid[0] = blocks;
  config.block[0] = 32;
  config.grid[1] = config.grid[2] = config.block[1] = config.block[2] = 1;
  config.shared = shared;
  config.stream = stream;
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
    machine.captured = nullptr;
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
    const ginLaunchConfig_t config = shape(blocks, 0, stream);
    void *none[1] = {};
    return ginLaunch(programs[0], &anyKernel, &config, none);
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
    machine.captured = nullptr;
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
  machine.captured = nullptr;
  EXPECT_EQ(ginProgramPreload(programs[0], &anyKernel, 0), GIN_SUCCESS);
  machine.captured = stream;
  EXPECT_EQ(launch(1, stream), GIN_SUCCESS);
  EXPECT_FALSE(machine.invalidated);
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
      const ginLaunchConfig_t launch = shape(1, 64, nullptr);
      twice([&] {
        void *none[1] = {};
        return ginLaunch(programs[rank], &anyKernel, &launch, none);
      });
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
