//===- EventHeap.h - what happens next --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_EVENT_HEAP_H
#define GINC_SIM_EVENT_HEAP_H

#include "runtime/sim/Time.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ginc::sim {

/// What an event does; the rest of its handle is an index into a pool.
enum class EventKind : uint32_t {
  Transfer, ///< reads or delivers a piece of a put or get
  Arrival,  ///< adds to a slot
  Access,   ///< performs a late load or store
  Timeout,  ///< ends a wait
  Agent,    ///< goes on with an agent: needs its fiber
  Child     ///< starts an agent: needs a new fiber
};

struct Event {
  Time time;
  uint32_t handle; ///< index * 8 + kind

  EventKind kind() const { return static_cast<EventKind>(handle & 7); }
  uint32_t index() const { return handle >> 3; }
  bool needsFiber() const { return kind() >= EventKind::Agent; }
};

/// A heap by time, with four children to a node. Events of one time come in any
/// order, but always in the same one if pushed and popped alike.
class EventHeap {
public:
  bool empty() const { return count == 0; }
  const Event &top() const { return at(0); }
  /// Time of the next event; the end of time if there is none.
  Time next() const {
    return count ? at(0).time : std::numeric_limits<Time>::max();
  }
  const Event *begin() const { return &at(0); }
  const Event *end() const { return &at(0) + count; }

  void push(Time time, EventKind kind, uint32_t index) {
    if (shift + count == lines.size() * 4)
      lines.resize(lines.size() * 2);
    size_t hole = count++;
    sift(hole, {time, index << 3 | static_cast<uint32_t>(kind)});
  }

  Event pop() {
    Event result = at(0), last = at(--count);
    // The hole goes down to a leaf, always to the earliest child; the last
    // event, which fills it, seldom has to go up again from there. Compilers
    // make the comparisons of siblings free of branches.
    size_t hole = 0, first = 1;
    for (; first + 4 <= count; first = hole * 4 + 1) {
      size_t a = first + (at(first + 1).time < at(first).time);
      size_t b = first + 2 + (at(first + 3).time < at(first + 2).time);
      size_t best = at(b).time < at(a).time ? b : a;
      at(hole) = at(best);
      hole = best;
    }
    if (first < count) {
      size_t best = first;
      for (size_t i = first + 1; i < count; ++i)
        best = at(i).time < at(best).time ? i : best;
      at(hole) = at(best);
      hole = best;
    }
    if (count > 0)
      sift(hole, last);
    return result;
  }

private:
  // Siblings share a cache line: the first event stands at the end of one.
  static constexpr size_t shift = 3;
  struct alignas(64) Line {
    Event events[4];
  };

  Event &at(size_t index) {
    return reinterpret_cast<Event *>(lines.data())[index + shift];
  }
  const Event &at(size_t index) const {
    return reinterpret_cast<const Event *>(lines.data())[index + shift];
  }

  /// Moves `event` up from the hole to its place.
  void sift(size_t hole, Event event) {
    while (hole > 0) {
      size_t parent = (hole - 1) / 4;
      if (at(parent).time <= event.time)
        break;
      at(hole) = at(parent);
      hole = parent;
    }
    at(hole) = event;
  }

  std::vector<Line> lines = std::vector<Line>(4);
  size_t count = 0;
};

} // namespace ginc::sim

#endif // GINC_SIM_EVENT_HEAP_H
