//===- Fiber.h - a thread of control that can be put aside ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_FIBER_FIBER_H
#define GINC_FIBER_FIBER_H

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace ginc {

/// A fiber runs jobs, one after the other, on a stack of its own.
///
/// A job may be abandoned in the middle when a run ends: its frames are then
/// forgotten, not unwound, since compiled programs have no unwind tables. What
/// objects on its stack own is leaked.
///
/// Invariant: at any time the thread is either in its main flow of control or
/// in exactly one fiber; `resume` and `suspend` change between the two. A fiber
/// stays on the thread that started it.
class Fiber {
public:
  using Job = void (*)(void *argument);

  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Whether a change between fibers orders what they do. For ThreadSanitizer
  /// alone: it takes fibers that stand in for unordered threads as such.
  enum class Order { Sequential, Unordered };

  /// From the main flow: runs `job` until it ends or suspends.
  void start(Job job, void *argument, Order order = Order::Sequential);
  /// From the main flow: goes on with a suspended job.
  void resume();
  /// From within the job: returns to the main flow.
  void suspend();
  /// Whether the job has ended, so that another one may start.
  bool idle() const { return job == nullptr; }
  /// Brings the top of the stack of a suspended job into the cache.
  void prefetch() const {
    for (int line = 0; line < 8; ++line)
      __builtin_prefetch(top + line * 64);
  }
  /// Forgets a suspended job.
  void abandon();

private:
  friend class FiberPool;
  explicit Fiber(size_t stackBytes, bool guard);
  void create();
  void forgetFrames();
  void loop();
  void beginTracking();
  void endTracking();

  // Boost.Context's handles: the fiber's while the main flow runs, and the main
  // flow's, on the fiber's stack, while the fiber runs. The first is never
  // destroyed: that would unwind the fiber.
  alignas(void *) char own[sizeof(void *)];
  void *caller = nullptr;
  char *mapping = nullptr; ///< guard page (if any), then the stack
  size_t mapped = 0, guardBytes = 0;
  const char *top = nullptr; ///< of the stack, when last suspended
  Job job = nullptr;
  void *argument = nullptr;
  Order order = Order::Sequential;
  [[maybe_unused]] void *fakeStack = nullptr; ///< AddressSanitizer's
  /// ThreadSanitizer's names for the fiber and the main flow.
  [[maybe_unused]] void *tracked = nullptr, *trackedMain = nullptr;
};

/// Fibers of one thread, kept from run to run: making a stack costs system
/// calls and page faults.
class FiberPool {
public:
  /// The pool of the calling thread.
  static FiberPool &ofThread();

  /// An idle fiber whose stack has at least `stackBytes`. Throws std::bad_alloc
  /// if there is no memory.
  std::unique_ptr<Fiber> take(size_t stackBytes);
  void give(std::unique_ptr<Fiber> fiber);
  /// Returns the memory of all but a few idle fibers.
  void trim();

private:
  friend class Fiber;
  std::vector<std::unique_ptr<Fiber>> idle;
  size_t stackBytes = 0;              ///< of the idle fibers
  static std::atomic<size_t> guarded; ///< of the process, with a guard page
};

} // namespace ginc

#endif // GINC_FIBER_FIBER_H
