//===- Copies.h - copies between windows ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_TEST_GPU_COPIES_H
#define GIN_TEST_GPU_COPIES_H

#include "test/gpu/Harness.h"

namespace gintest {

/// Copies between the source and the target of a group's ranks.
struct Copies {
  explicit Copies(int ranks)
      : group(ranks), source(group, 1024), target(group, 10240) {
    group.add(source);
    group.add(target);
    target.set(0);
  }
  /// From `localOffset` of the own source to `offset` of `peer`'s target.
  ginCopy_t put(int rank, int peer, uint64_t offset, uint64_t localOffset,
                uint64_t bytes) const {
    ginCopy_t copy = {};
    copy.window = group.handle(rank, W{1});
    copy.offset = offset;
    copy.peer = peer;
    copy.local = group.handle(rank, W{0});
    copy.localOffset = localOffset;
    copy.bytes = bytes;
    return copy;
  }
  static ginCopy_t inRows(ginCopy_t copy, uint64_t rows, uint64_t pitch,
                          uint64_t localPitch) {
    copy.rows = rows;
    copy.pitch = pitch;
    copy.localPitch = localPitch;
    return copy;
  }
  ginResult_t launch(int rank, const ginCopy_t &copy, unsigned lane) const {
    const size_t i = static_cast<size_t>(rank);
    return ginLaunchCopy(group.programs[i], &copy, group.streams[i], lane);
  }

  Group group;
  Buffers source, target;
};

} // namespace gintest

#endif // GIN_TEST_GPU_COPIES_H
