//===- Rounds.h - plays a litmus program again and again --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A launch takes microseconds, and its ranks begin far apart. So a kernel calls
// the body that ginc emitted round by round. Each round has what a launch of
// the program would have: windows and signals that are zero, a gin::Program
// with all that is in it, begin() and end(). Before and after it the instance's
// ranks meet, at a barrier of the driver's own with full fences; after the
// first they wait for random times, and some have looked at their windows,
// which may then lie in a cache. Several launches of a program are several
// calls in one round: what the end of a kernel orders is here a fence.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_TEST_GPU_LITMUS_ROUNDS_H
#define GIN_TEST_GPU_LITMUS_ROUNDS_H

#include "test/gpu/litmus/Litmus.h"

#include <cstddef>

namespace gintest::litmus {

GIN_DEVICE uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// What a body takes its arguments from, in shared memory behind what
/// gin::broadcast uses there.
struct Scene {
  gin::Program program;
  gin::Window windows[maxWindows];
  gin::Bank banks[maxBanks];
};
constexpr size_t sceneAt = 128, sharedBytes = sceneAt + sizeof(Scene);

/// One rank of one instance: all threads of a block.
class Player {
public:
  GIN_DEVICE Player(const gin::Context &outer, const gin::Window &arena,
                    const Shape &shape, const Run &run, uint32_t seat)
      : outer(outer), arena(arena), shape(shape), run(run), layout(shape),
        floor(shape, layout, run.instances, outer.ranks),
        instance(seat / floor.perInstance),
        rank(static_cast<int32_t>((static_cast<uint32_t>(outer.rank) +
                                   outer.ranks - instance % outer.ranks) %
                                      outer.ranks +
                                  outer.ranks * (seat % floor.perInstance))),
        thread(outer.thread), threads(outer.threads) {}

  /// GPUs may have more seats than ranks.
  GIN_DEVICE bool isRank() const { return rank < shape.ranks; }

  template <class Program>
  GIN_DEVICE void play() {
    Seat &own = seatOf(rank);
    for (uint32_t round = 0; round < run.rounds; ++round) {
      memory = round % memories;
      const uint64_t chance =
          mix(run.seed ^ mix(uint64_t(instance) << 34 | uint64_t(rank) << 32 |
                             uint64_t(round)));
      reset();
      if (!meet())
        return;
      if (chance >> 60 & 1)
        look();
      delay(chance);
      if (!perform<Program>() && thread == 0) {
        ++own.failures;
        for (int32_t other = 0; other < shape.ranks; ++other)
          gin::storeRelaxed(&seatOf(other).quit, 1u);
      }
      if (!meet() || gin::loadRelaxed(&own.quit) != 0)
        return;
      if (rank == 0 && thread == 0)
        record(own);
    }
  }

private:
  GIN_DEVICE char *floorOf(int32_t other) const {
    return arena.direct[(static_cast<uint32_t>(other) + instance) % outer.ranks]
        .base;
  }
  GIN_DEVICE uint64_t seatNumber(int32_t other) const {
    return uint64_t(instance) * floor.perInstance +
           static_cast<uint32_t>(other) / outer.ranks;
  }
  GIN_DEVICE Seat &seatOf(int32_t other) const {
    return reinterpret_cast<Seat *>(floorOf(other) +
                                    sizeof(Hall))[seatNumber(other)];
  }
  /// Of the round that is played.
  GIN_DEVICE char *memoryOf(int32_t other, uint32_t offset) const {
    return floorOf(other) + floor.memoryAt +
           (seatNumber(other) * memories + memory) * layout.end + offset;
  }
  GIN_DEVICE uint64_t *wordsOf(int32_t other, uint32_t offset) const {
    return reinterpret_cast<uint64_t *>(memoryOf(other, offset));
  }
  GIN_DEVICE Scene &scene() const {
    return *reinterpret_cast<Scene *>(gin::sharedMemory() + sceneAt);
  }

  /// The driver's own barrier of the instance, after which everything before it
  /// has happened. False if a rank does not come.
  GIN_DEVICE bool meet() {
    ++meetings;
    gin::syncBlock();
    bool failed = false;
    const int32_t other = static_cast<int32_t>(thread);
    if (other < shape.ranks && other != rank) {
      gin::fenceSystem();
      gin::addRelease(&seatOf(other).arrivals[rank].count, 1);
      const uint64_t *arrived = &seatOf(rank).arrivals[other].count;
      const uint64_t begun = gin::nanoseconds();
      for (unsigned polls = 1; !failed && gin::loadAcquire(arrived) < meetings;
           ++polls)
        failed = polls % 1024 == 0 &&
                 (gin::nanoseconds() - begun > 4 * run.timeout ||
                  gin::loadRelaxed(outer.state->abort) != 0);
      gin::fenceSystem();
    }
    return !gin::syncBlockOr(failed);
  }

  GIN_DEVICE void reset() {
    // All but the state and the table of stops.
    for (uint32_t at = layout.counts + 16 * thread; at < layout.end;
         at += 16 * threads)
      gin::store16(memoryOf(rank, at), gin::Vector16{});
    gin::compilerFence();
    for (uint32_t i = thread; i < 32; i += threads) {
      if (i < static_cast<uint32_t>(shape.ranks))
        wordsOf(rank, layout.stops)[i] = reinterpret_cast<uint64_t>(
            memoryOf(static_cast<int32_t>(i), offsetof(gin::State, stop)));
      if (i == 4)
        describeProgram();
      else if (i >= 8 && i < 8 + shape.windows)
        describeWindow(i - 8);
      else if (i >= 16 && i < 16 + shape.banks)
        describeBank(i - 16);
    }
  }

  GIN_DEVICE void describeProgram() {
    gin::State &state = *reinterpret_cast<gin::State *>(memoryOf(rank, 0));
    state.launch = 0;
    state.stop = 0;
    state.claimed = seatOf(rank).failures != 0;
    state.slots = 0;
    for (uint32_t i = 0; i < shape.banks; ++i)
      state.slots += shape.slots[i];
    state.zero = 0;
    state.rank = rank;
    state.ranks = shape.ranks;
    state.bases = wordsOf(rank, layout.bases);
    state.counts = wordsOf(rank, layout.counts);
    state.rounds = wordsOf(rank, layout.rounds);
    state.record = &seatOf(rank).record;
    state.abort = outer.state->abort;
    state.stops =
        reinterpret_cast<uint32_t *const *>(memoryOf(rank, layout.stops));
    gin::Program &program = scene().program;
    program = gin::Program();
    program.rank = rank;
    program.ranks = shape.ranks;
    program.state = &state;
    program.timeout = run.timeout;
    program.teams = 1;
    describeWords(program.barriers, layout.barriers);
  }
  GIN_DEVICE void describeWindow(uint32_t number) {
    const uint32_t at = layout.windows[number];
    gin::Window &window = scene().windows[number];
    window.base = memoryOf(rank, at);
    window.bytes = uint64_t(shape.cells[number]) * 8;
    for (int32_t other = 0; other < shape.ranks; ++other)
      window.direct[other] = {memoryOf(other, at), window.bytes};
    window.more = nullptr;
    window.ranks = static_cast<uint32_t>(shape.ranks);
    window.rights = shape.rights[number];
    window.id = number;
    window.own = static_cast<uint32_t>(rank);
  }
  GIN_DEVICE void describeBank(uint32_t number) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < number; ++i)
      first += shape.slots[i];
    gin::Bank &bank = scene().banks[number];
    bank.values = wordsOf(rank, layout.values[number]);
    bank.bases = wordsOf(rank, layout.bases) + first;
    bank.counts = wordsOf(rank, layout.counts) + first;
    describeWords(bank.peers, layout.values[number]);
    bank.slots = shape.slots[number];
    bank.index = number;
  }
  GIN_DEVICE void describeWords(gin::Words &words, uint32_t at) {
    for (int32_t other = 0; other < shape.ranks; ++other)
      words.direct[other] = wordsOf(other, at);
    words.more = nullptr;
  }

  /// Brings the windows into the caches of this multiprocessor.
  GIN_DEVICE void look() const {
    for (uint32_t i = 0; i < shape.windows; ++i)
      for (uint32_t k = thread; k < shape.cells[i]; k += threads)
        gin::load8(wordsOf(rank, layout.windows[i]) + k);
  }

  GIN_DEVICE void delay(uint64_t chance) const {
    if (chance >> 61 & 1)
      gin::pause(chance & 1023);
    GIN_NO_UNROLL
    for (unsigned i = chance >> 10 & 511; i != 0; --i)
      gin::compilerFence();
  }

  /// False if an operation failed.
  template <class Program>
  GIN_DEVICE bool perform() const {
    const Scene &now = scene();
    gin::State &state = *now.program.state;
    int64_t *out = reinterpret_cast<int64_t *>(wordsOf(0, layout.out));
    bool good = true;
    for (int32_t launch = 0; launch < shape.launches; ++launch) {
      // What the host does between launches, where the program has that.
      gin::Context host = gin::begin(now.program);
      Program::host(host, now.windows, now.banks, out);
      boundary();
      // end() shall take this block for the grid's last.
      if (thread == 0)
        state.arrived = gin::blocksOfGrid() - 1;
      gin::syncBlock();
      gin::Context context = gin::begin(now.program);
      Program::body(context, now.windows, now.banks, out);
      gin::end(context);
      good = !context.failed;
      boundary();
    }
    return good;
  }
  GIN_DEVICE static void boundary() {
    gin::syncBlock();
    gin::fenceSystem();
    gin::syncBlock();
  }

  GIN_DEVICE void record(Seat &own) const {
    int64_t values[maxObserved];
    for (uint32_t i = 0; i < shape.observed; ++i) {
      const Observed &place = shape.places[i];
      const uint64_t *cells =
          place.window < 0 ? wordsOf(0, layout.out)
                           : wordsOf(place.rank, layout.windows[place.window]);
      values[i] = static_cast<int64_t>(gin::loadRelaxed(cells + place.element));
    }
    ++own.rounds;
    uint32_t at = 0;
    while (at < own.used && !equals(own.outcomes[at], values))
      ++at;
    if (at == maxOutcomes) {
      ++own.lost;
      return;
    }
    Outcome &outcome = own.outcomes[at];
    if (at == own.used) {
      ++own.used;
      for (uint32_t i = 0; i < shape.observed; ++i)
        outcome.values[i] = values[i];
    }
    ++outcome.count;
  }
  GIN_DEVICE bool equals(const Outcome &outcome, const int64_t *values) const {
    for (uint32_t i = 0; i < shape.observed; ++i)
      if (outcome.values[i] != values[i])
        return false;
    return true;
  }

  const gin::Context &outer;
  const gin::Window &arena;
  const Shape &shape;
  const Run &run;
  const Layout layout;
  const Floor floor;
  const uint32_t instance;
  const int32_t rank;
  const unsigned thread, threads;
  uint32_t memory = 0;
  uint64_t meetings = 0;
};

/// Writes to all GPUs, and reads, until all seats of this one are left.
GIN_DEVICE void loadLinks(const gin::Context &outer, const gin::Window &arena,
                          const Floor &floor, const Run &run) {
  const Hall &hall = *reinterpret_cast<const Hall *>(arena.base);
  uint64_t chance = mix(run.seed ^ (uint64_t(blockIdx.x) << 20 | outer.thread));
  for (bool ended = false; !gin::syncBlockOr(ended);) {
    for (int i = 0; i < 32; ++i) {
      chance = mix(chance);
      char *playground =
          arena.direct[(chance >> 40) % unsigned(outer.ranks)].base +
          floor.stressAt;
      char *place = playground + chance % (stressBytes / 16) * 16;
      if (chance >> 62 == 0)
        gin::load16(place);
      else
        gin::store16(place, gin::Vector16{});
    }
    gin::pause(0);
    ended = outer.thread == 0 && (gin::loadRelaxed(&hall.left) >= floor.seats ||
                                  gin::loadRelaxed(outer.state->abort) != 0);
  }
}

template <class Program>
__global__ void __launch_bounds__(128)
    rounds(const __grid_constant__ gin::Program program,
           const __grid_constant__ gin::Window arena,
           const __grid_constant__ Shape shape,
           const __grid_constant__ Run run) {
  gin::Context outer = gin::begin(program);
  const Floor floor(shape, Layout(shape), run.instances, outer.ranks);
  if (blockIdx.x < floor.seats) {
    Player player(outer, arena, shape, run, blockIdx.x);
    if (player.isRank())
      player.template play<Program>();
    gin::syncBlock();
    if (outer.thread == 0)
      gin::addRelaxed(&reinterpret_cast<Hall *>(arena.base)->left, 1);
  } else {
    loadLinks(outer, arena, floor, run);
  }
  gin::end(outer);
}

} // namespace gintest::litmus

#endif // GIN_TEST_GPU_LITMUS_ROUNDS_H
