//===- WrongArchitecture.cu - code that this GPU does not run -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiled for sm_75 alone: without PTX, no other GPU can run it.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

using namespace gintest;

static __global__ void forTuring(const __grid_constant__ gin::Program program) {
  gin::Context context = gin::begin(program);
  gin::end(context);
}

GIN_TEST_OF_TWO(WrongArchitecture) {
  Group group(ranks);
  const uint32_t slots = 1;
  // Of this file, and not of the harness.
  ginProgramConfig_t config = {};
  config.banks = 1;
  config.slots = &slots;
  config.teams = 1;
  config.name = "turing";
  config.architectures = GIN_ARCHITECTURES;
  ginProgram_t programs[2];
  for (int rank = 0; rank < 2; ++rank)
    CHECK_EQUAL(ginProgramCreate(group.comms[rank], &config, &programs[rank]),
                GIN_SUCCESS);
  gin::Program program;
  CHECK_EQUAL(gin::getDevice(programs[0], program), GIN_SUCCESS);
  unsigned most = 0;
  for (const ginResult_t result :
       {gin::launch(programs[0], forTuring, 1, 32, 0, group.streams[0],
                    program),
        ginProgramPreload(programs[0], GIN_KERNEL(forTuring), 0),
        ginProgramMaxBlocks(programs[0], GIN_KERNEL(forTuring), 32, 0, &most)})
    CHECK_EQUAL(result, GIN_ERR_NO_BACKEND);
  CHECK(says("turing: there is no code of the kernel for device 0, "));
  CHECK(says("(sm_"));
  CHECK(says("compiled for sm_75"));
  note(ginGetLastError());
  for (ginProgram_t one : programs)
    ginProgramDestroy(one);
}
