//===- Programs.cpp - the protocols that are explored ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiled with ThreadSanitizer's instrumentation, see Explorer.h.
//
//===----------------------------------------------------------------------===//

#include "test/runtime/weak/Programs.h"

#include "runtime/device/Gin.h"
#include "test/runtime/weak/Explorer.h"

using namespace ginweak;

static void claim(bool holds, const char *what) {
  Inside().explorer->claim(holds, what);
}
static uint64_t &cell(const gin::Window &window, size_t index) {
  return reinterpret_cast<uint64_t *>(window.base)[index];
}

/// The kernel that a rank launches: body(context) between begin and end.
template <class Body>
static std::function<void()> kernelOf(const Machine &machine, unsigned rank,
                                      Body body) {
  return [&machine, rank, body] {
    gin::Context context = gin::begin(machine.programs[rank]);
    body(context, machine.windows[rank], machine.banks[rank]);
    gin::end(context);
  };
}

/// All ranks run `body`, once, on one block.
template <class Body>
static std::string onAll(Machine &machine, unsigned threads, uint64_t seed,
                         Rule off, Body body) {
  std::vector<std::vector<Launch>> work;
  work.reserve(machine.programs.size());
  for (unsigned rank = 0; rank < machine.programs.size(); ++rank)
    work.push_back({{1, threads, kernelOf(machine, rank, body)}});
  return Explorer(std::move(work), seed, off).run();
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Rank 0 sends cells 0 and 1 as `send` does, to cells 2 and 3 of rank 1, which
/// answers; twice, by the same cells.
template <class Send>
static std::string messages(uint64_t seed, Rule off, Send send, bool credit,
                            bool value = false) {
  Machine machine(2, 2, 64);
  return onAll(machine, 2, seed, off,
               [=](gin::Context &context, const gin::Window &window,
                   const gin::Bank &bank) {
                 const gin::Block block;
                 for (uint64_t round = 1; round <= 2; ++round) {
                   if (context.rank == 0) {
                     cell(window, context.thread) = round * 10 + context.thread;
                     send(context, window, bank, round);
                     if (credit)
                       gin::wait(context, block, bank, 1, round);
                   } else {
                     gin::wait(context, block, bank, 0, round);
                     const uint64_t got = cell(window, 2 + context.thread);
                     if (!value || context.thread == 0)
                       claim(got == round * 10 + context.thread, "wrong data");
                     if (credit)
                       gin::signal(context, block, 0, {&bank, 1});
                   }
                 }
               });
}

std::string ginweak::putThenSignal(uint64_t seed, Rule off) {
  return messages(
      seed, off,
      [](gin::Context &context, const gin::Window &window,
         const gin::Bank &bank, uint64_t) {
        gin::put(context, gin::Block(), 1, window, 16, window, 0, 16);
        gin::signal(context, gin::Block(), 1, {&bank, 0});
      },
      true);
}
std::string ginweak::putWithSignal(uint64_t seed, Rule off) {
  return messages(
      seed, off,
      [](gin::Context &context, const gin::Window &window,
         const gin::Bank &bank, uint64_t) {
        gin::put(context, gin::Block(), 1, window, 16, window, 0, 16,
                 {&bank, 0});
      },
      true);
}
std::string ginweak::putValue(uint64_t seed, Rule off) {
  return messages(
      seed, off,
      [](gin::Context &context, const gin::Window &window,
         const gin::Bank &bank, uint64_t round) {
        gin::putValue(context, gin::Block(), 1, window, 16, round * 10,
                      {&bank, 0});
      },
      true, true);
}
std::string ginweak::putThenRelaxed(uint64_t seed, Rule off) {
  return messages(
      seed, off,
      [](gin::Context &context, const gin::Window &window,
         const gin::Bank &bank, uint64_t) {
        gin::put(context, gin::Block(), 1, window, 16, window, 0, 16);
        gin::signal(context, gin::Block(), 1, {&bank, 0},
                    gin::Strength::Relaxed);
      },
      true);
}
std::string ginweak::noCredit(uint64_t seed, Rule off) {
  return messages(
      seed, off,
      [](gin::Context &context, const gin::Window &window,
         const gin::Bank &bank, uint64_t) {
        gin::put(context, gin::Block(), 1, window, 16, window, 0, 16,
                 {&bank, 0});
      },
      false);
}

/// Two ranks add to the cells of a third.
std::string ginweak::accumulate(uint64_t seed, Rule off) {
  Machine machine(3, 1, 64);
  return onAll(machine, 2, seed, off,
               [](gin::Context &context, const gin::Window &window,
                  const gin::Bank &bank) {
                 const gin::Block block;
                 if (context.rank < 2) {
                   cell(window, context.thread) = 3 + context.thread;
                   gin::putAccumulate<uint64_t>(context, block, 2, window, 16,
                                                window, 0, 2, {&bank, 0});
                 } else {
                   gin::wait(context, block, bank, 0, 2);
                   claim(cell(window, 2 + context.thread) ==
                             2 * (3 + context.thread),
                         "wrong sum");
                 }
               });
}

std::string ginweak::getAfterSignal(uint64_t seed, Rule off) {
  Machine machine(2, 1, 64);
  return onAll(machine, 2, seed, off,
               [](gin::Context &context, const gin::Window &window,
                  const gin::Bank &bank) {
                 const gin::Block block;
                 if (context.rank == 0) {
                   cell(window, context.thread) = 7 + context.thread;
                   gin::signal(context, block, 1, {&bank, 0});
                 } else {
                   gin::wait(context, block, bank, 0, 1);
                   gin::get(context, block, 0, window, 0, window, 16, 16);
                   gin::flush(context, block);
                   claim(cell(window, 3 - context.thread) == 8 - context.thread,
                         "wrong data");
                 }
               });
}

/// Rank 0 puts to rank 2 and tells rank 1, which tells rank 2.
static std::string relayBy(gin::Strength strength, uint64_t seed, Rule off) {
  Machine machine(3, 1, 64);
  return onAll(machine, 1, seed, off,
               [=](gin::Context &context, const gin::Window &window,
                   const gin::Bank &bank) {
                 const gin::Thread thread;
                 if (context.rank == 0) {
                   cell(window, 0) = 5;
                   gin::put(context, thread, 2, window, 8, window, 0, 8);
                   gin::signal(context, thread, 1, {&bank, 0});
                 } else if (context.rank == 1) {
                   gin::wait(context, thread, bank, 0, 1);
                   gin::signal(context, thread, 2, {&bank, 0}, strength);
                 } else {
                   gin::wait(context, thread, bank, 0, 1);
                   claim(cell(window, 1) == 5, "wrong data");
                 }
               });
}
std::string ginweak::relay(uint64_t seed, Rule off) {
  return relayBy(gin::Strength::Plain, seed, off);
}
std::string ginweak::relayRelaxed(uint64_t seed, Rule off) {
  return relayBy(gin::Strength::Relaxed, seed, off);
}

//===----------------------------------------------------------------------===//
// Barriers, launches, errors
//===----------------------------------------------------------------------===//

std::string ginweak::barriers(uint64_t seed, Rule off) {
  Machine machine(3, 1, 64);
  return onAll(
      machine, 2, seed, off,
      [](gin::Context &context, const gin::Window &window, const gin::Bank &) {
        const gin::Block block;
        const int next = (context.rank + 1) % 3;
        uint64_t *view = gin::peerView<uint64_t>(context, next, window);
        for (uint64_t round = 1; round <= 3; ++round) {
          view[context.thread] = round * 10 + uint64_t(context.rank);
          gin::barrier(context, block, gin::world(context));
          claim(cell(window, 1 - context.thread) ==
                    round * 10 + uint64_t((context.rank + 2) % 3),
                "wrong data");
          gin::barrier(context, block, gin::world(context));
        }
      });
}

/// Three blocks of a rank signal themselves, and wait for one arrival more in
/// each launch; whatever the last block misses, later launches do.
std::string ginweak::launches(uint64_t seed, Rule off) {
  Machine machine(1, 3, 16);
  auto body = [](gin::Context &context, const gin::Window &,
                 const gin::Bank &bank) {
    const gin::Thread thread;
    const uint64_t weight = gin::launchNumber(context) + 1;
    gin::signal(context, thread, 0, {&bank, blockIdx.x, weight});
    gin::wait(context, thread, bank, blockIdx.x, weight);
    claim(gin::read(context, bank, blockIdx.x) == weight,
          "an arrival that an earlier launch had waited for");
  };
  std::vector<Launch> work(3, Launch{3, 1, kernelOf(machine, 0, body)});
  std::string failure = Explorer({work}, seed, off).run();
  for (uint64_t base : machine.bases[0])
    if (failure.empty() && base != 6)
      failure = "a base was not advanced";
  if (failure.empty() && machine.states[0].launch != 3)
    failure = "a launch was not counted";
  return failure;
}

std::string ginweak::errorStop(uint64_t seed, Rule off) {
  Machine machine(2, 1, 16);
  auto body = [](gin::Context &context, const gin::Window &,
                 const gin::Bank &bank) {
    const gin::Block block;
    if (context.rank == 0)
      gin::signal(context, block, 1, {&bank, 7});
    else
      claim(!gin::wait(context, block, bank, 0, 1), "nobody has signalled");
  };
  auto host = [&] {
    const gin::ErrorRecord &record = machine.records[0];
    uint32_t code;
    do {
      gin::threads::yield();
      code = __atomic_load_n(&record.code, __ATOMIC_ACQUIRE);
    } while (code == 0);
    claim(code == GIN_ERR_NO_SLOT && record.slot == 7 && record.have == 1 &&
              record.text[0] == 's',
          "wrong record");
  };
  std::string failure = Explorer({{{1, 2, kernelOf(machine, 0, body)}},
                                  {{1, 2, kernelOf(machine, 1, body)}},
                                  {{1, 1, host}}},
                                 seed, off)
                            .run();
  if (failure.empty() && machine.bases[0][0] + machine.bases[1][0] != 0)
    failure = "a base was advanced after an error";
  return failure;
}
