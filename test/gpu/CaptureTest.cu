//===- CaptureTest.cu - set-up while a stream is captured -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// CUDA forbids some calls during a capture, and ends the capture for them. What
// gin does is refused with a text, and whatever the capture becomes, the same
// calls work after it.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

#include "runtime/device/Launcher.h"

using namespace gintest;

static __global__ void nothing(const __grid_constant__ gin::Program program) {
  gin::Context context = gin::begin(program);
  gin::end(context);
}
static __global__ void another(const __grid_constant__ gin::Program program) {
  gin::Context context = gin::begin(program);
  gin::end(context);
}

/// A capture of a stream on rank 0's GPU.
namespace {
struct Capture {
  Capture(unsigned flags, cudaStreamCaptureMode mode) {
    cudaSetDevice(0);
    CHECK(cudaStreamCreateWithFlags(&stream, flags) == cudaSuccess);
    CHECK(cudaStreamBeginCapture(stream, mode) == cudaSuccess);
  }
  /// How it ends.
  cudaError_t end() {
    cudaGraph_t graph = nullptr;
    const cudaError_t error = cudaStreamEndCapture(stream, &graph);
    cudaGetLastError();
    if (graph)
      cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    return error;
  }
  cudaStream_t stream = nullptr;
};
} // namespace

static void refusesSetUp(unsigned flags, cudaStreamCaptureMode mode,
                         bool capturesOn) {
  Group group(2);
  Buffers buffers(group, 4096);
  CHECK_EQUAL(group.launch(nothing, 1, 32, 0), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  ginComm_t comms[2];
  ginWindow_t windows[2] = {}, local;
  ginProgram_t programs[2] = {};
  const uint32_t slots = 1;
  ginProgramConfig_t config = {};
  config.banks = 1;
  config.slots = &slots;
  config.teams = 1;
  config.name = "captured";
  config.architectures = GIN_ARCHITECTURES;
  void *memory;
  auto registerOn = [&](size_t rank) {
    return ginWindowRegister(group.comms[rank], buffers.at[rank], 4096,
                             GIN_RIGHT_ALL, &windows[rank]);
  };
  // Each in a capture of its own, since it may end it.
  auto refused = [&](const char *what, auto call) {
    Capture capture(flags, mode);
    CHECK_EQUAL(group.launchRank(0, nothing, 1, 32, 0), GIN_SUCCESS);
    const ginResult_t result = call();
    check(result == GIN_ERR_IN_CAPTURE, __FILE__, __LINE__,
          std::string(what) + " is " + ginResultName(result));
    CHECK(says("captured into a graph"));
    const cudaError_t ended = capture.end();
    note(std::string(what) + ": the capture ends with " +
         cudaGetErrorName(ended));
    CHECK(ended == cudaSuccess ||
          (!capturesOn && ended == cudaErrorStreamCaptureInvalidated));
  };
  refused("ginMemoryAlloc",
          [&] { return ginMemoryAlloc(group.comms[0], 4096, &memory); });
  refused("ginWindowRegister", [&] { return registerOn(0); });
  refused("ginWindowRegisterLocal", [&] {
    return ginWindowRegisterLocal(group.comms[0], buffers.at[0], 4096, &local);
  });
  refused("ginProgramCreate", [&] {
    return ginProgramCreate(group.comms[0], &config, &programs[0]);
  });
  refused("ginCommCreateAll",
          [&] { return ginCommCreateAll(nullptr, 2, comms); });
  // All the same works now, and in step with rank 1.
  CHECK_EQUAL(registerOn(0), GIN_SUCCESS);
  CHECK_EQUAL(registerOn(1), GIN_SUCCESS);
  gin::Window window;
  CHECK_EQUAL(gin::getDevice(windows[1], window), GIN_SUCCESS);
  for (int rank = 0; rank < 2; ++rank)
    CHECK_EQUAL(ginProgramCreate(group.comms[rank], &config, &programs[rank]),
                GIN_SUCCESS);
  CHECK_EQUAL(group.launch(nothing, 1, 32, 0), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  for (int rank = 0; rank < 2; ++rank) {
    ginProgramDestroy(programs[rank]);
    ginWindowDestroy(windows[rank]);
  }
}

GIN_TEST_OF_TWO(SetUpInCapture) {
  refusesSetUp(cudaStreamNonBlocking, cudaStreamCaptureModeThreadLocal, false);
}
GIN_TEST_OF_TWO(SetUpInGlobalCapture) {
  refusesSetUp(cudaStreamNonBlocking, cudaStreamCaptureModeGlobal, false);
}
GIN_TEST_OF_TWO(SetUpInCaptureOfABlockingStream) {
  refusesSetUp(cudaStreamDefault, cudaStreamCaptureModeRelaxed, true);
}

GIN_TEST_OF_TWO(FirstLaunchInCapture) {
  Group group(ranks);
  Capture capture(cudaStreamNonBlocking, cudaStreamCaptureModeThreadLocal);
  auto launch = [&] {
    return gin::launch(group.programs[0], another, 1, 32, 0, capture.stream,
                       group.program[0]);
  };
  CHECK_EQUAL(launch(), GIN_ERR_IN_CAPTURE);
  CHECK(says("test: the first launch of a kernel loads it"));
  CHECK(capture.end() == cudaSuccess);
  CHECK_EQUAL(ginProgramPreload(group.programs[0], GIN_KERNEL(another), 0),
              GIN_SUCCESS);
  capture = Capture(cudaStreamNonBlocking, cudaStreamCaptureModeThreadLocal);
  CHECK_EQUAL(launch(), GIN_SUCCESS);
  CHECK(capture.end() == cudaSuccess);
}

/// A capture that ends in the middle of a launch.
GIN_TEST_OF_TWO(OpenLaunchInCapture) {
  Group group(ranks);
  group.preload({GIN_KERNEL(nothing)});
  Capture capture(cudaStreamNonBlocking, cudaStreamCaptureModeThreadLocal);
  gin::Program program = group.program[0];
  program.open = 1;
  CHECK_EQUAL(gin::launch(group.programs[0], nothing, 1, 32, 0, capture.stream,
                          program),
              GIN_SUCCESS);
  CHECK_EQUAL(ginLaunchOrder(group.programs[0], capture.stream, 0, 1),
              GIN_SUCCESS);
  program.lane = 1;
  ginLaunchConfig_t config = shape({1, 1, 1}, {32, 1, 1}, 0, capture.stream);
  config.lane = 1;
  CHECK_EQUAL(gin::launch(group.programs[0], nothing, config, program),
              GIN_SUCCESS);
  CHECK(capture.end() == cudaErrorStreamCaptureUnjoined);
  CHECK_EQUAL(group.launchRank(0, nothing, 1, 32, 0), GIN_ERR_SIGNAL_PENDING);
  CHECK(says("test: the last launch has not ended"));
  // The lane is in no capture any more.
  CHECK_EQUAL(group.order(0, 0, 1), GIN_SUCCESS);
  CHECK_EQUAL(group.launchPart(0, 1, true, nothing, 1, 32, 0), GIN_SUCCESS);
  CHECK_EQUAL(group.order(0, 1, 0), GIN_SUCCESS);
  CHECK_EQUAL(group.launchRank(0, nothing, 1, 32, 0), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
}

/// Launchers register sources at the first launch with them.
GIN_TEST_OF_TWO(SourceInCapture) {
  Group group(ranks);
  Buffers buffers(group, 4096);
  const gin::launcher::Kernel kernel("captured", 1, GIN_KERNEL(another),
                                     GIN_ARCHITECTURES, 32, 0);
  gin::launcher::Program programs[2];
  for (int rank = 0; rank < 2; ++rank)
    CHECK_EQUAL(
        programs[rank].create(group.comms[rank], kernel, {{"bank", 1}}, 1),
        GIN_SUCCESS);
  CHECK_EQUAL(programs[0].open(), GIN_SUCCESS);
  gin::launcher::Source source;
  auto update = [&](void *stream) {
    return source.update(programs[0], "x", buffers.at[0], 4, {64}, stream);
  };
  Capture capture(cudaStreamNonBlocking, cudaStreamCaptureModeThreadLocal);
  CHECK_EQUAL(update(capture.stream), GIN_ERR_IN_CAPTURE);
  CHECK(says("captured: x is not the memory of the last launch"));
  CHECK(capture.end() == cudaSuccess);
  CHECK_EQUAL(update(group.streams[0]), GIN_SUCCESS);
  capture = Capture(cudaStreamNonBlocking, cudaStreamCaptureModeThreadLocal);
  CHECK_EQUAL(update(capture.stream), GIN_SUCCESS);
  CHECK_EQUAL(programs[0].launchExactly(1, capture.stream), GIN_SUCCESS);
  CHECK(capture.end() == cudaSuccess);
  CHECK_EQUAL(source.destroy(), GIN_SUCCESS);
  for (gin::launcher::Program &program : programs)
    CHECK_EQUAL(program.destroy(), GIN_SUCCESS);
}
