//===- Pool.h - objects named by small numbers ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_POOL_H
#define GINC_SIM_POOL_H

#include <cstdint>
#include <memory>
#include <vector>

namespace ginc::sim {

/// Objects that come and go by the million. An object is named by its index,
/// which fits into an event; its address never changes. A returned object keeps
/// its state (the capacity of its vectors) for the next user, who resets what
/// matters.
template <typename T>
class Pool {
public:
  uint32_t take() {
    if (free.empty())
      grow();
    uint32_t index = free.back();
    free.pop_back();
    return index;
  }
  void give(uint32_t index) { free.push_back(index); }
  T &operator[](uint32_t index) {
    return chunks[index / chunkSize][index % chunkSize];
  }
  uint32_t size() const {
    return static_cast<uint32_t>(chunks.size()) * chunkSize;
  }

private:
  // Small, because most runs are: a litmus program needs a dozen objects.
  static constexpr uint32_t chunkSize = 32;

  void grow() {
    uint32_t first = size();
    chunks.emplace_back(new T[chunkSize]);
    for (uint32_t i = chunkSize; i-- > 0;)
      free.push_back(first + i);
  }

  std::vector<std::unique_ptr<T[]>> chunks;
  std::vector<uint32_t> free;
};

} // namespace ginc::sim

#endif // GINC_SIM_POOL_H
