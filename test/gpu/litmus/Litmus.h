//===- Litmus.h - litmus programs as data -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the driver of litmus programs (Rounds.h) and its host side (Main.cpp)
// know of a program, and the memory that they share.
//
// A program runs in instances, many at a time. An instance has as many ranks as
// the program, each of which is one block; rank r of instance i is on GPU
// (r + i) mod GPUs. So both directions of a link are used, and programs of more
// ranks than GPUs run too, some of their ranks on one GPU.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_TEST_GPU_LITMUS_LITMUS_H
#define GIN_TEST_GPU_LITMUS_LITMUS_H

#include "runtime/device/Gin.h"

#include <string>
#include <utility>
#include <vector>

namespace gintest::litmus {

constexpr uint32_t mostRanks = 4, maxWindows = 4, maxBanks = 4,
                   maxObserved = 16, maxOutcomes = 48;

/// A value that an outcome consists of: a register, which is an element of the
/// program's plain memref, or a cell of a rank's window.
struct Observed {
  int32_t window; // or -1: a register
  int32_t rank, element;
};

/// All windows have elements of 64 bits.
struct Shape {
  int32_t ranks, launches;
  uint32_t windows, banks, registers, observed;
  uint32_t cells[maxWindows], rights[maxWindows], slots[maxBanks];
  Observed places[maxObserved];
};

/// One launch of the driver.
struct Run {
  uint32_t instances, rounds;
  uint32_t stress;  // blocks that only load the links
  uint64_t seed;    // of delays
  uint64_t timeout; // of waits, in nanoseconds
};

/// A round uses this memory, the next one another: who is slow may still look
/// at the last one's.
constexpr uint32_t memories = 4;

/// Where things lie in the memory that a rank has for one round.
struct Layout {
  uint32_t stops, counts, bases, rounds, out, values[maxBanks], barriers,
      windows[maxWindows], end;

  GIN_ANYWHERE explicit Layout(const Shape &shape) {
    end = 0;
    uint32_t slots = 0;
    for (uint32_t i = 0; i < shape.banks; ++i)
      slots += shape.slots[i];
    take(sizeof(gin::State));
    stops = take(shape.ranks * 8);
    counts = take(slots * 8);
    bases = take(slots * 8);
    rounds = take(8);
    out = take(shape.registers * 8);
    for (uint32_t i = 0; i < shape.banks; ++i)
      values[i] = take(shape.slots[i] * gin::slotStride * 8);
    barriers = take(2 * shape.ranks * gin::slotStride * 8);
    for (uint32_t i = 0; i < shape.windows; ++i)
      windows[i] = take(shape.cells[i] * 8);
  }

private:
  GIN_ANYWHERE uint32_t take(uint32_t bytes) {
    const uint32_t start = end;
    end += (bytes + 255) / 256 * 256;
    return start;
  }
};

struct Outcome {
  uint64_t count;
  int64_t values[maxObserved];
};

/// What a rank of an instance keeps from round to round. All zero at first.
struct Seat {
  struct alignas(128) Arrivals {
    uint64_t count;
  } arrivals[mostRanks]; // of the others, at the driver's own barrier
  alignas(128) uint32_t quit;
  // Of rank 0:
  uint32_t used;
  uint64_t rounds, lost; // outcomes that had no room
  Outcome outcomes[maxOutcomes];
  // Of each:
  uint64_t failures;
  gin::ErrorRecord record;
};

/// The front of each GPU's memory.
struct alignas(256) Hall {
  alignas(128) uint64_t left; // blocks that have played all rounds
};

constexpr uint64_t stressBytes = uint64_t(1) << 22;

/// A GPU's memory: the hall, seats, their rounds' memories, a playground of
/// those that load the links.
struct Floor {
  uint32_t seats, perInstance;
  uint64_t memoryAt, stressAt, end;

  GIN_ANYWHERE Floor(const Shape &shape, const Layout &layout,
                     uint32_t instances, uint32_t gpus) {
    perInstance = (shape.ranks + gpus - 1) / gpus;
    seats = instances * perInstance;
    memoryAt = sizeof(Hall) + uint64_t(seats) * sizeof(Seat);
    memoryAt = (memoryAt + 255) / 256 * 256;
    stressAt = memoryAt + uint64_t(seats) * memories * layout.end;
    end = stressAt + stressBytes;
  }
};

using Kernel = void (*)(gin::Program, gin::Window, Shape, Run);

struct Pattern {
  std::string text;
  std::vector<std::pair<uint32_t, int64_t>> terms; // number of the observed
};

struct Entry {
  std::string name;
  Kernel kernel;
  Shape shape;
  std::vector<std::string> observed; // names
  std::vector<Pattern> allow, forbid;
  bool exact; // all that is not allowed is forbidden
  std::string verdict;
};

/// Adds a program to those that Main.cpp runs.
struct Registered {
  explicit Registered(Entry entry);
};

} // namespace gintest::litmus

#endif // GIN_TEST_GPU_LITMUS_LITMUS_H
