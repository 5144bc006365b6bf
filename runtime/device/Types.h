//===- Types.h - what device functions work on ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Plain structures that the host runtime fills in and a kernel receives by
// value. Take them as `const __grid_constant__` parameters: the table of peers
// then stays in constant memory, and a put needs no load to find its peer.
//
// Lifetime: a Window is valid until ginWindowDestroy, a Program and its Banks
// until ginProgramDestroy, on every rank.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_TYPES_H
#define GIN_DEVICE_TYPES_H

#include "runtime/include/gin.h"

#include <cstdint>

namespace gin {

/// As many ranks' addresses travel in kernel parameters; those of others are
/// read from a table in device memory.
constexpr uint32_t directRanks = 8;

/// Slots of a bank stand this many 64-bit words apart, so that polling one does
/// not delay additions to its neighbour.
constexpr uint32_t slotStride = 16;

/// Where in the source an operation stands. Every function has the place of its
/// call as the default.
struct Site {
  const char *text; // the operation as a reader would name it
  const char *file;
  int32_t line;
};
#ifdef __CUDACC__
#define GIN_SITE(text)                                                         \
  ::gin::Site { text, __builtin_FILE(), __builtin_LINE() }
#else
// Between braces GCC takes the place of the default argument itself.
constexpr Site siteOf(const char *text, const char *file, int32_t line) {
  return {text, file, line};
}
#define GIN_SITE(text) ::gin::siteOf(text, __builtin_FILE(), __builtin_LINE())
#endif

/// A rank's part of a window, at the address that this GPU uses. Without a base
/// it cannot be reached by loads and stores.
struct Part {
  char *base;
  uint64_t bytes;
};

/// Memory that every rank has registered, or this rank alone. Each part begins
/// at a multiple of 16.
struct Window {
  char *base;     // own part
  uint64_t bytes; // own part
  Part direct[directRanks];
  const Part *more; // all ranks' parts
  uint32_t ranks;
  uint32_t rights; // GIN_RIGHT_...
  uint32_t id;
  uint32_t own; // own rank
};

/// For each rank, an array of 64-bit words of the same shape.
struct Words {
  uint64_t *direct[directRanks];
  uint64_t *const *more;
};

/// A bank of signals. `values` are arrivals: remote ranks add, this rank reads.
struct Bank {
  uint64_t *values;
  uint64_t *bases;  // a wait counts above its base; constant during a launch
  uint64_t *counts; // the largest count waited for in this launch
  Words peers;      // every rank's `values`
  uint32_t slots;
  uint32_t index; // in its program
};

/// A slot of a bank at the rank that it is sent to, and what to add there. A
/// weight is at least 1 and less than 2^63.
struct Signal {
  const Bank *bank = nullptr;
  uint32_t slot = 0;
  uint64_t weight = 1;
};

enum class Strength {
  Plain,  // after everything that this agent did before
  Relaxed // after nothing
};

/// Ranks first, first + stride, ...; `index` chooses its barrier's slots, and
/// agents of one rank use different ones at a time.
struct Team {
  int32_t first, stride, size;
  uint32_t index;
};

/// The first error of a rank's program, in host memory. `code` is written last.
struct ErrorRecord {
  uint32_t code; // ginResult_t
  int32_t rank;
  int32_t peer; // or -1
  uint32_t block, thread;
  int32_t line;
  uint32_t bank;
  uint32_t reserved;
  uint64_t slot, have, want, launch;
  char text[96];
  char file[160];
};

/// Where blocks of a launch meet; see Join.h. A line of its own, as the blocks
/// poll it.
struct alignas(128) JoinPoint {
  uint32_t arrived;    // blocks, back to 0 with the last one
  uint32_t generation; // meetings so far
  uint64_t words[2];   // what the first block hands to the others
};
/// The grid, and the roles that may run at once, in each lane.
constexpr uint32_t maxJoinPoints = 16;

/// What a rank keeps of a program, in its device memory.
struct State {
  uint64_t launch;         // number of launches that have ended
  uint32_t arrived;        // blocks at the end of this launch
  uint32_t stop;           // not 0: every wait of this rank returns at once
  uint32_t claimed;        // somebody writes the error record
  uint32_t slots;          // of all banks, which lie one after the other
  uint32_t zero;           // 0
  alignas(8) int32_t rank; // read together with `ranks`
  int32_t ranks;
  uint64_t *bases, *counts;
  uint64_t *rounds;       // of barriers, one for each team
  ErrorRecord *record;    // host memory
  const uint32_t *abort;  // host memory, set by ginCommAbort
  uint32_t *const *stops; // every rank's `stop`
  JoinPoint joins[GIN_MAX_LANES][maxJoinPoints];
};

/// One rank's side of a program: what a kernel is launched with.
struct Program {
  int32_t rank, ranks;
  State *state;
  uint64_t timeout; // of waits that name none, in nanoseconds; 0: none
  Words barriers;   // every rank's slots of barriers
  uint32_t teams;   // that have such slots; at least 1, the world
  // Of a launch of several kernels; 0 as ginProgramGetDevice gives them.
  uint32_t lane; // that the kernel is in
  uint32_t open; // not 0: another kernel ends the launch
};

/// What a thread knows during a launch; made by begin(). Threads of one agent
/// hold equal copies. Not shared between threads, and not kept after end().
struct Context {
  const Program *program;
  int32_t rank, ranks;
  unsigned thread, threads; // of the block, counted through
  unsigned zero;            // 0, see begin()
  State *state;
  int failed;       // not 0: an operation failed, and all others do nothing
  bool bulkPending; // this thread has issued asynchronous copies
  uint64_t due;     // when pace() lets it go on; 0: at once
};

/// A time-out that means the program's own.
constexpr uint64_t programTimeout = ~uint64_t(0);

} // namespace gin

#endif // GIN_DEVICE_TYPES_H
