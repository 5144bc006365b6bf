//===- HarnessHost.cpp - tests on threads of the host ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Platform.h"

int gintest::maxRanks(std::string &) { return 8; }

ginResult_t gintest::createComms(int ranks, ginComm_t *comms) {
  return ginCommCreateAllHost(ranks, comms);
}

void *gintest::createStream(ginComm_t) { return nullptr; }
void gintest::destroyStream(ginComm_t, void *) {}

std::string gintest::leftover() { return ""; }

unsigned gintest::slowness() { return 200; }
