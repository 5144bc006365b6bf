//===- Result.cpp - names, texts and advice of results --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Result.h"

using namespace gin::host;

namespace {
struct Description {
  const char *name, *text, *advice;
};
} // namespace

static const Description descriptions[] = {
    {"GIN_SUCCESS", "no error", ""},
    {"GIN_ERR_INVALID_ARGUMENT", "an argument is wrong",
     "ginGetLastError() names the argument; for a kernel, the error's site "
     "names the call"},
    {"GIN_ERR_NO_BACKEND", "there is no GPU that can run this",
     "check that a driver is installed and that nvidia-smi lists the GPU, and "
     "compile for its architecture (ginc build --arch, nvcc -arch); "
     "ginCommCreateAllHost and the simulator (ginc run) need no GPU"},
    {"GIN_ERR_CUDA", "CUDA refused a call or a kernel failed",
     "ginGetLastError() names CUDA's error; after a sticky one, such as an "
     "illegal address, the process has to end"},
    {"GIN_ERR_NO_PEER_ACCESS", "two GPUs cannot reach each other's memory",
     "choose GPUs that NVLink or one PCIe root connects (nvidia-smi topo -p2p "
     "rw)"},
    {"GIN_ERR_OUT_OF_MEMORY", "out of memory",
     "use smaller banks or windows, or free other memory of the GPU"},
    {"GIN_ERR_WINDOW_FULL", "an access past the registered size of a window",
     "register a larger window on the target rank, or check the offset; sizes "
     "may differ by rank"},
    {"GIN_ERR_ACCESS", "an access that the rights of a window forbid",
     "register the window with the right (GIN_RIGHT_READ, _WRITE, _ATOMIC) on "
     "every rank"},
    {"GIN_ERR_NO_SLOT", "a slot past the end of its bank",
     "create the program with more slots in this bank"},
    {"GIN_ERR_SIGNAL_PENDING",
     "a launch would overlap another launch on the same signals",
     "launch in the same stream, synchronise the other one first, or create a "
     "second program; end a launch of several parts by its last kernel"},
    {"GIN_ERR_NOT_RESIDENT",
     "the GPU cannot run all blocks of the kernel at once",
     "launch fewer blocks, or blocks with fewer threads, registers or bytes of "
     "shared memory: a block that does not run cannot answer one that waits"},
    {"GIN_ERR_INCOMPLETE", "a rank has not yet made the collective call",
     "make the call on every rank before the object is used on any"},
    {"GIN_ERR_MISMATCH",
     "ranks made different collective calls, or a launch has other sizes than "
     "its program",
     "make the same calls in the same order, with the same programs, rights "
     "and configurations, on all ranks; launch with the sizes of create"},
    {"GIN_ERR_IN_CAPTURE", "set-up while a stream is being captured",
     "create communicators, windows and programs, and load kernels "
     "(ginProgramPreload), before the capture begins"},
    {"GIN_ERR_TIMEOUT", "a wait lasted longer than its time-out",
     "look at have and want: the missing signals were never sent, or went to "
     "another slot; a debugger or a slow first launch may need a longer "
     "time-out"},
    {"GIN_ERR_ABORTED", "the communicator was aborted, or another rank failed",
     "ginCommGetAsyncError on each rank shows the first error"},
    {"GIN_ERR_INTERNAL", "an error of the runtime itself",
     "please report it, with ginGetLastError()"},
    {"GIN_ERR_DIVERGED", "threads wait for others that do not come",
     "let all threads of a block (warp) reach each of its barriers, also those "
     "in gin's operations; a GPU would hang"},
    {"GIN_ERR_ASSERTION", "an assertion of the program does not hold",
     "the error's operation says what was expected, its site where"},
    {"GIN_ERR_UNCONSUMED_SIGNAL", "a signal was sent that nobody waited for",
     "wait, in each launch, for all that it sends to a slot; what is left over "
     "counts for the next launch, whose waits then end too early"},
};

static const Description &describe(ginResult_t result) {
  static const Description unknown = {"GIN_ERR_UNKNOWN", "not a result of gin",
                                      "check that header and library belong "
                                      "together"};
  unsigned index = static_cast<unsigned>(result);
  return index < sizeof descriptions / sizeof *descriptions
             ? descriptions[index]
             : unknown;
}

static thread_local std::string lastError;

ginResult_t gin::host::fail(ginResult_t result, std::string detail) noexcept {
  lastError = std::move(detail);
  return result;
}

const char *ginResultName(ginResult_t result) { return describe(result).name; }
const char *ginResultText(ginResult_t result) { return describe(result).text; }
const char *ginResultAdvice(ginResult_t result) {
  return describe(result).advice;
}
const char *ginGetLastError(void) { return lastError.c_str(); }

ginResult_t ginSetLastError(ginResult_t result, const char *text) {
  return guarded([&] { return fail(result, text ? text : ""); });
}
