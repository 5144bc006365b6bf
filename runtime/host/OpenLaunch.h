//===- OpenLaunch.h - what has been launched of a launch --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A launch of several parts is open from its first part to its last kernel.
// What gin.h asks of such a launch as a whole is checked here, since a GPU
// would not say it: it would run things in the wrong order, or wait for ever.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_HOST_OPEN_LAUNCH_H
#define GIN_HOST_OPEN_LAUNCH_H

#include "runtime/host/Backend.h"

#include <string>

namespace gin::host {

/// The launch of one program that a rank is in the middle of, if any.
class OpenLaunch {
public:
  /// `prefix` is what error texts begin with.
  OpenLaunch(std::string prefix, unsigned lanes)
      : prefix(std::move(prefix)), lanes(lanes) {}

  // Whether a part can be launched. All is as before if not.

  /// A part of a launch that has `stream` as lane 0.
  ginResult_t checkStream(const LaunchQueue &queue, void *stream);
  /// A part in a lane, or an order after it.
  ginResult_t checkLane(unsigned lane) const;
  /// Whether the program has the lane.
  ginResult_t checkExists(unsigned lane) const;
  /// The last kernel.
  ginResult_t checkEnd(unsigned lane) const;

  // After that a part has been launched.

  void add(unsigned lane);
  void order(unsigned before, unsigned after);
  void end();

  /// A part could not be launched, for the reason that ginGetLastError() says:
  /// an open launch can never be ended.
  void breakOff();
  /// GIN_ERR_SIGNAL_PENDING for an open launch, unless its caller has heard
  /// that it cannot be ended.
  ginResult_t checkClosed() const;
  /// Has no last kernel, for whatever reason.
  bool isOpen() const { return open; }

private:
  static constexpr uint32_t bit(unsigned lane) { return uint32_t(1) << lane; }
  ginResult_t failOpen(const std::string &why) const;

  std::string prefix;
  unsigned lanes;
  bool open = false;
  void *stream = nullptr; // of the open launch
  uint64_t capture = 0;   // that it is in, or 0
  std::string reason;     // why it can never be ended
  /// Lanes that take part: 0, and what is ordered after it.
  uint32_t entered = bit(0);
  /// For each lane, those of which all parts come before its next one.
  uint32_t covered[GIN_MAX_LANES] = {};
};

} // namespace gin::host

#endif // GIN_HOST_OPEN_LAUNCH_H
