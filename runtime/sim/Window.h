//===- Window.h - memory that ranks share -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_WINDOW_H
#define GINC_SIM_WINDOW_H

#include "runtime/sim/Simulator.h"

#include <cstdint>
#include <string>
#include <vector>

/// The record of a window: a part of memory for each rank, row-major.
struct gin_window {
  struct Part {
    char *base = nullptr; ///< 64-byte aligned
    uint64_t bytes = 0;
    std::vector<int64_t> shape;
  };

  /// Allocates the parts, full of zeros. Throws std::bad_alloc.
  explicit gin_window(ginc::sim::WindowSpec spec);
  ~gin_window();
  gin_window(const gin_window &) = delete;
  gin_window &operator=(const gin_window &) = delete;

  /// The rank whose part holds the `size` bytes at `address`, or -1.
  int64_t ownerOf(const void *address, uint64_t size) const;

  /// All parts.
  const char *begin() const { return memory; }
  const char *end() const { return memory + memoryBytes; }

  std::string name;
  unsigned bytes; ///< of an element
  unsigned rights;
  bool source;
  std::vector<Part> parts; ///< by rank; addresses ascend

private:
  char *memory = nullptr;
  uint64_t memoryBytes = 0;
};

namespace ginc::sim {

/// Writes "2x3" for a shape; "scalar" for none.
std::string shapeText(const std::vector<int64_t> &shape);

} // namespace ginc::sim

#endif // GINC_SIM_WINDOW_H
