//===- Harness.h - small programs in C++ ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a compiled program does, for tests that are written by hand: memrefs,
// and short names for the functions of the contract.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TEST_HARNESS_H
#define GINC_TEST_HARNESS_H

#include "runtime/sim/Simulator.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace ginc::test {

/// Up to four numbers. Owns no memory: when a run ends by an error, what stands
/// on the stacks of its agents is forgotten.
struct Numbers {
  Numbers(std::initializer_list<int64_t> list);
  Numbers(const std::vector<int64_t> &list);

  int64_t values[4] = {};
  size_t count = 0;
};

/// A strided memref in memory, of up to four dimensions.
class Memref {
public:
  Memref() = default;
  /// Row-major, at `base`, in the window `allocated`.
  Memref(void *allocated, void *base, const Numbers &shape);

  Memref offset(int64_t elements) const;
  /// Sets sizes and strides.
  Memref view(const Numbers &sizes, const Numbers &strides) const;

  void *descriptor() { return words; }
  int64_t rank() const { return dims; }
  void *aligned() const;

private:
  int64_t words[3 + 2 * 4] = {};
  int64_t dims = 0;
};

/// A simulator with one or more windows and banks.
class Machine {
public:
  explicit Machine(int64_t ranks, uint64_t seed = 0) {
    config.ranks = ranks;
    config.seed = seed;
  }

  sim::Config config; ///< may be changed until the first window

  sim::Simulator &simulator();
  /// A window of the same shape on all ranks; returns its number.
  int window(std::vector<int64_t> shape, unsigned bits = 32,
             unsigned rights = sim::AllRights);
  /// Its name is "w" and its number unless the spec has one.
  int window(sim::WindowSpec spec);
  int bank(std::vector<int64_t> extents, const char *name = "s");

  template <typename T = int32_t>
  T *data(int window, int64_t rank) {
    return static_cast<T *>(simulator().data(windows[size_t(window)], rank));
  }

  /// Runs `body` as one launch on every rank.
  sim::Outcome run(std::function<void(int64_t rank)> body);
  sim::Outcome run(std::vector<sim::Step> steps);

  // For use in bodies, by the running rank.
  Memref whole(int window);
  gin_token_t put(int64_t peer, Memref source, int window,
                  const Numbers &indices, int slot = -1, int64_t context = 0,
                  int32_t flags = 0, int32_t type = GIN_I32);
  gin_token_t putValue(int64_t peer, uint64_t value, int window,
                       const Numbers &indices, int slot = -1,
                       int64_t weight = 1, int64_t context = 0);
  gin_token_t get(int64_t peer, int window, const Numbers &indices,
                  Memref target, int32_t type = GIN_I32);
  void signal(int64_t peer, int64_t slot, bool relaxed = false,
              int64_t weight = 1, int64_t context = 0);
  bool wait(int64_t slot, int64_t count, int64_t timeout = -1,
            bool must = true);
  bool test(int64_t slot, int64_t count);
  int64_t read(int64_t slot);
  void store(int window, int64_t index, int32_t value);
  int32_t load(int window, int64_t index);
  void barrier(bool global = false, const gin_team_t *team = nullptr);
  static void fork(int64_t count, const std::function<void(int64_t)> &body,
                   const char *const *names = nullptr);

  gin_window_t *record(int window) { return windows[size_t(window)]; }
  gin_bank_t *bankRecord(int bank) { return banks[size_t(bank)]; }

  /// The site of all operations.
  static const gin_site_t site;

private:
  std::unique_ptr<sim::Simulator> made;
  std::vector<gin_window_t *> windows;
  std::vector<gin_bank_t *> banks;
  std::vector<std::vector<std::vector<int64_t>>> shapes;
};

/// A step that is a launch.
sim::Step launch(std::function<void(int64_t rank)> body);
/// A step that is the host's.
sim::Step host(std::function<void(int64_t rank)> body);

} // namespace ginc::test

#endif // GINC_TEST_HARNESS_H
