//===- Explorer.h - small kernels under weak memory --------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs kernels on the device headers as they are, on one OS thread: the threads
// of all ranks are fibers, which change at random accesses. The kernels are
// compiled with the instrumentation of ThreadSanitizer, but Hooks.cpp stands in
// for its runtime, and so the model sees every access.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_TEST_RUNTIME_WEAK_EXPLORER_H
#define GIN_TEST_RUNTIME_WEAK_EXPLORER_H

#include "runtime/device/HostThreads.h"
#include "runtime/device/Types.h"
#include "runtime/fiber/Fiber.h"
#include "test/runtime/weak/Model.h"

#include <deque>
#include <functional>
#include <memory>

namespace ginweak {

/// One launch: threads of one rank, in blocks.
struct Launch {
  unsigned blocks, threads;
  std::function<void()> kernel;
};

class Explorer {
public:
  /// `launches` of each rank, one after the other; those of different ranks run
  /// at the same time.
  Explorer(std::vector<std::vector<Launch>> launches, uint64_t seed, Rule off);
  ~Explorer();
  Explorer(const Explorer &) = delete;
  Explorer &operator=(const Explorer &) = delete;

  /// What went wrong, or nothing: a race, threads that wait for ever, a claim.
  std::string run();

  /// The kernel claims something.
  void claim(bool holds, const char *what);

  // For the hooks; the access is one of the running agent.
  bool concerns(const void *address) const;
  void maybeChange(unsigned oneIn);
  Model &memory() { return model; }
  unsigned agent() const { return running->number; }

  // For HostThreads.h.
  void yield();
  bool syncBlock(bool value);
  gin::threads::Meeting meet(uint32_t mask, uint64_t value, unsigned from,
                             gin::threads::Orders orders);
  unsigned lane() const { return running->thread % 32; }
  uint64_t time() const { return steps * 100; }

private:
  struct Agent {
    unsigned number, rank, launch, block, thread;
    const Launch *work;
    std::unique_ptr<ginc::Fiber> fiber;
    bool started = false, waits = false, ended = false;
    const char *stack = nullptr; // its upper end
    // At a barrier of its block or warp.
    unsigned barriers = 0;
    bool inWarp = false, value = false;
    bool result = false;
    uint32_t mask = 0;
    uint64_t word = 0;
    unsigned from = 0;
    gin::threads::Meeting met{};
    gin::threads::Orders orders{};
  };
  static unsigned count(const std::vector<std::vector<Launch>> &launches);
  static void runAgent(void *agent);
  void begin(unsigned rank, unsigned launch);
  void end(Agent &agent);
  void suspend();
  void wait();
  std::vector<Agent *> peersOf(const Agent &agent, bool warp);
  bool completeBlock(Agent &agent);
  bool completeWarp(Agent &agent);

  const std::vector<std::vector<Launch>> launches;
  Model model;
  std::vector<Agent> agents;
  std::vector<std::vector<Agent *>> live; // of each rank
  Agent *running = nullptr;
  uint64_t steps = 0;
  std::string failure;
};

/// In its scope the running kernel's accesses are not the kernel's: the library
/// functions that it shares with the explorer are instrumented, too.
class Inside {
public:
  Inside();
  ~Inside();
  Inside(const Inside &) = delete;
  Inside &operator=(const Inside &) = delete;
  Explorer *const explorer; // or null, outside of kernels
};

/// A communicator of `ranks` with one program, in plain memory.
class Machine {
public:
  Machine(unsigned ranks, unsigned slots, size_t windowBytes);
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  std::vector<gin::Program> programs;
  std::vector<gin::Bank> banks;
  std::vector<gin::Window> windows;
  std::vector<gin::State> states;
  std::vector<gin::ErrorRecord> records;
  std::vector<std::vector<uint64_t>> values, bases, counts, barriers, rounds;

private:
  std::vector<std::vector<uint64_t>> memory; // of windows
  std::vector<uint32_t *> stops;
  std::vector<uint32_t> aborts;
};

} // namespace ginweak

#endif // GIN_TEST_RUNTIME_WEAK_EXPLORER_H
