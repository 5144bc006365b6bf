//===- HarnessHost.cpp - tests on threads of the host ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Platform.h"

/// To find uses after a return, AddressSanitizer adds more than a megabyte to
/// each stack, of which there are thousands.
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  return "detect_stack_use_after_return=0";
}

int gintest::maxRanks() { return 8; }

ginResult_t gintest::createComms(int ranks, ginComm_t *comms) {
  return ginCommCreateAllHost(ranks, comms);
}

void *gintest::createStream(ginComm_t) { return nullptr; }
void gintest::destroyStream(ginComm_t, void *) {}

void *gintest::recordGraph(ginComm_t, void *, const std::function<void()> &) {
  return nullptr;
}
bool gintest::replayGraph(ginComm_t, void *, void *) { return false; }
void gintest::destroyGraph(void *) {}

std::string gintest::leftover() { return ""; }

unsigned gintest::slowness() { return 200; }

bool gintest::findsRaces() {
#if defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
  return __has_feature(thread_sanitizer);
#else
  return false;
#endif
}
