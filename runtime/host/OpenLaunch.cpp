//===- OpenLaunch.cpp - what has been launched of a launch ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/OpenLaunch.h"

#include <algorithm>

using namespace gin;
using namespace gin::host;

ginResult_t OpenLaunch::failOpen(const std::string &why) const {
  return fail(GIN_ERR_SIGNAL_PENDING, prefix + why);
}

ginResult_t OpenLaunch::checkClosed() const {
  if (!open || !reason.empty())
    return GIN_SUCCESS;
  return failOpen("the last launch has not ended; a kernel in lane 0 whose "
                  "gin::Program has `open` 0 ends it");
}

ginResult_t OpenLaunch::checkStream(const LaunchQueue &queue, void *next) {
  uint64_t number = 0;
  GIN_TRY(queue.findCapture(next, number));
  if (open && capture != 0 && number != capture) {
    // Nothing of it has run, and what the caller knows needs no words.
    const ginResult_t result = checkClosed();
    end();
    GIN_TRY(result);
  }
  if (!open) {
    stream = next;
    capture = number;
    return GIN_SUCCESS;
  }
  if (!reason.empty())
    return failOpen("the last launch was broken off, and nothing can follow "
                    "it: " +
                    reason);
  if (number != capture || next != stream)
    return failOpen("the last launch has not ended, and this is another stream "
                    "or a capture; a kernel in lane 0 of the launch's stream "
                    "whose gin::Program has `open` 0 ends it");
  return GIN_SUCCESS;
}

ginResult_t OpenLaunch::checkExists(unsigned lane) const {
  if (lane < lanes)
    return GIN_SUCCESS;
  return fail(GIN_ERR_INVALID_ARGUMENT,
              prefix + "there is no lane " + std::to_string(lane) + ", but " +
                  std::to_string(lanes) +
                  "; the program's configuration says how many");
}

ginResult_t OpenLaunch::checkLane(unsigned lane) const {
  GIN_TRY(checkExists(lane));
  if (entered & bit(lane))
    return GIN_SUCCESS;
  return fail(GIN_ERR_INVALID_ARGUMENT,
              prefix + "lane " + std::to_string(lane) +
                  " does not take part in the launch; order it after lane 0 "
                  "first (ginLaunchOrder)");
}

ginResult_t OpenLaunch::checkEnd(unsigned lane) const {
  const std::string last =
      "the launch's last kernel, whose gin::Program has `open` 0";
  if (lane != 0)
    return fail(GIN_ERR_INVALID_ARGUMENT, prefix + last + ", is in lane " +
                                              std::to_string(lane) +
                                              " and has to be in lane 0");
  for (unsigned other = 1; other < lanes; ++other)
    if (entered & ~covered[0] & bit(other))
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  prefix + "lane " + std::to_string(other) +
                      " is not ordered before " + last +
                      "; order lane 0 after it (ginLaunchOrder)");
  return GIN_SUCCESS;
}

void OpenLaunch::add(unsigned lane) {
  open = true;
  for (uint32_t &others : covered)
    others &= ~bit(lane);
}

void OpenLaunch::order(unsigned before, unsigned after) {
  // What `after` has had is before its next part, and now less is before that
  // of other lanes: `after` may get parts that wait for `before`.
  add(after);
  entered |= bit(after);
  covered[after] |= (covered[before] | bit(before)) & ~bit(after);
}

void OpenLaunch::end() {
  open = false;
  reason.clear();
  entered = bit(0);
  std::fill(std::begin(covered), std::end(covered), 0);
}

void OpenLaunch::breakOff() {
  if (open && reason.empty())
    reason = ginGetLastError();
}
