//===- Block.h - strided copies in pieces -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_BLOCK_H
#define GINC_SIM_BLOCK_H

#include <cstdint>
#include <memory>
#include <vector>

namespace ginc::sim {

constexpr unsigned maxDims = 16;

/// One dimension of a copy; strides count elements.
struct CopyDim {
  int64_t size, source, target;
};

/// A copy of `count` elements between two strided places of one shape. Elements
/// are numbered row by row; a piece is a range of these numbers.
struct Copy {
  char *source = nullptr; ///< of element 0; null for an immediate value
  char *target = nullptr;
  uint64_t count = 0;
  unsigned bytes = 0; ///< of an element
  /// Slowest first; no two that could be one. Null: both sides are contiguous.
  std::unique_ptr<std::vector<CopyDim>> dims;

  bool contiguous() const { return !dims; }

  /// Sets `dims` from `all`, merging what is contiguous, and `count`.
  void setDims(const CopyDim *all, unsigned number);

  /// Copies elements [first, last) from the source into `buffer`, which holds
  /// all elements in a row.
  void read(char *buffer, uint64_t first, uint64_t last) const;
  /// Copies them from `buffer` to the target.
  void write(const char *buffer, uint64_t first, uint64_t last) const;
  /// Adds them there, as elements of `type`.
  void add(const char *buffer, uint64_t first, uint64_t last,
           int32_t type) const;
  /// Copies them from source to target at once.
  void move(uint64_t first, uint64_t last) const;

  /// The number of the element whose source begins at `address`, or -1; -2 if
  /// the strides are too odd to say.
  int64_t sourceElement(const char *address) const;

  /// Addresses of the first byte and behind the last one of either side.
  struct Extent {
    const char *low, *high;
    bool overlaps(const Extent &other) const {
      return low < other.high && other.low < high;
    }
  };
  Extent sourceExtent() const { return extent(source, &CopyDim::source); }
  Extent targetExtent() const { return extent(target, &CopyDim::target); }

  /// Whether each element goes to its own place.
  bool inPlace() const;
  /// Whether an element of the source is also one of the target.
  bool overlaps() const;

private:
  Extent extent(const char *base, int64_t CopyDim::*stride) const;
  template <typename Run>
  void runs(uint64_t first, uint64_t last, Run run) const;
};

} // namespace ginc::sim

#endif // GINC_SIM_BLOCK_H
