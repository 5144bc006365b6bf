//===- Steps.h - launches of several kernels and copies ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For the launchers of programs that say which of their parts are kernels: what
// the host does in between, in the order of the program. Roles are lanes, which
// run at the same time. See "launches of several parts" in gin.h.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_STEPS_H
#define GIN_DEVICE_STEPS_H

#include "runtime/device/Arithmetic.h"
#include "runtime/device/Launcher.h"
#include "runtime/device/Teams.h"

namespace gin::launcher {

/// Whether C++ can divide them.
template <class T>
bool divides(T a, gin::detail::Same<T> b) {
  return b != 0 && (b != T(-1) || a != std::numeric_limits<T>::min());
}

/// A rank of the world, or a member of a team, by its number.
struct Peer {
  Peer(int64_t rank) : rank(rank), number(rank) {}
  Peer(const Team &team, int64_t number)
      : rank(gin::peer(team, number)), number(number), members(team.size) {}

  int64_t rank, number;
  int32_t members = 0; // of the team; 0: it is the world
};

/// One launch. What fails returns its code and breaks the launch off.
class Steps {
public:
  /// Kernels get at most `blocks` blocks; 0: as many as run at once.
  Steps(const Program &program, unsigned blocks, void *stream)
      : program(program), blocks(blocks), stream(stream) {}
  Steps(const Steps &) = delete;
  Steps &operator=(const Steps &) = delete;
  ~Steps() {
    if (!ended)
      ginLaunchBreakOff(program.handle);
  }

  /// With the rank and the number of ranks, and nothing else.
  Context context() const {
    Context context = {};
    context.rank = program.device.rank;
    context.ranks = program.device.ranks;
    return context;
  }
  ginResult_t check(bool holds, const Site &site) const {
    if (holds)
      return GIN_SUCCESS;
    return fail(GIN_ERR_ASSERTION, "%s: %s:%d: %s", program.title, site.file,
                site.line, site.text);
  }

  // -- lanes -----------------------------------------------------------------

  /// As many lanes as `ctas` has numbers begin: each is that of the blocks of
  /// the lane's kernels, or 0: the lane shares the multiprocessors that the
  /// others leave with those that say 0, too.
  ginResult_t fork(std::initializer_list<unsigned> ctas) {
    stated = open = 0;
    unsigned number = 0;
    for (const unsigned count : ctas) {
      stated += count;
      open += count == 0;
      ctasOf[number++] = count;
    }
    int all;
    GIN_TRY(ginCommMultiprocessors(program.comm, &all));
    multiprocessors = static_cast<unsigned>(all);
    if (stated + open > multiprocessors)
      return fail(GIN_ERR_NOT_RESIDENT,
                  "%s: roles that run at once need %u multiprocessors, of %u",
                  program.title, stated + open, multiprocessors);
    while (forked + 1 < ctas.size()) {
      GIN_TRY(ginLaunchOrder(program.handle, stream, 0, forked + 1));
      ++forked;
    }
    return GIN_SUCCESS;
  }
  /// What follows is given to another lane.
  void enter(unsigned number) { lane = number; }
  /// What follows runs after all of them.
  ginResult_t join() {
    for (; forked != 0; --forked)
      GIN_TRY(ginLaunchOrder(program.handle, stream, forked, 0));
    lane = stated = open = 0;
    return GIN_SUCCESS;
  }

  // -- copies ----------------------------------------------------------------

  /// Offsets and sizes are in bytes.
  ginResult_t put(const Peer &peer, ginWindow_t target, int64_t targetOffset,
                  ginWindow_t source, int64_t sourceOffset, int64_t bytes,
                  const Site &site) const {
    return copy(peer, target, targetOffset, source, sourceOffset, bytes, false,
                site);
  }
  ginResult_t get(const Peer &peer, ginWindow_t source, int64_t sourceOffset,
                  ginWindow_t target, int64_t targetOffset, int64_t bytes,
                  const Site &site) const {
    return copy(peer, source, sourceOffset, target, targetOffset, bytes, true,
                site);
  }
  /// Of elements that stand apart in a window; offsets and strides in elements.
  template <class T, size_t N>
  ginResult_t putBlock(const Peer &peer, ginWindow_t target,
                       int64_t targetOffset, const int64_t (&targetStrides)[N],
                       ginWindow_t source, int64_t sourceOffset,
                       const int64_t (&sourceStrides)[N],
                       const int64_t (&sizes)[N], const Site &site) const {
    return copyBlock<T>(peer, {target, targetOffset, targetStrides},
                        {source, sourceOffset, sourceStrides}, sizes, false,
                        site);
  }
  template <class T, size_t N>
  ginResult_t getBlock(const Peer &peer, ginWindow_t source,
                       int64_t sourceOffset, const int64_t (&sourceStrides)[N],
                       ginWindow_t target, int64_t targetOffset,
                       const int64_t (&targetStrides)[N],
                       const int64_t (&sizes)[N], const Site &site) const {
    return copyBlock<T>(peer, {source, sourceOffset, sourceStrides},
                        {target, targetOffset, targetStrides}, sizes, true,
                        site);
  }

  // -- kernels ---------------------------------------------------------------

  /// By at most `most` blocks; 0: as many as the lane has. Arguments have
  /// exactly the types of the kernel's.
  template <class... Arguments>
  ginResult_t launch(const Kernel &kernel, unsigned most,
                     Arguments... arguments) {
    return launchIn(lane, kernel, most, true, arguments...);
  }
  /// The same, and the launch ends with it.
  template <class... Arguments>
  ginResult_t finish(const Kernel &kernel, unsigned most,
                     Arguments... arguments) {
    GIN_TRY(launchIn(0, kernel, most, false, arguments...));
    ended = true;
    return GIN_SUCCESS;
  }

private:
  /// Says of a text where it happened.
  ginResult_t blame(const Site &site, ginResult_t result) const {
    if (result == GIN_SUCCESS)
      return result;
    return fail(result, "%s:%d: %s: %s", site.file, site.line, site.text,
                ginGetLastError());
  }
  ginResult_t issue(ginCopy_t &copy, const Peer &peer, const Site &site) const {
    if (peer.rank < 0 || peer.rank >= program.device.ranks)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "%s: %s:%d: %s: there is no peer %lld among the %d %s",
                  program.title, site.file, site.line, site.text,
                  static_cast<long long>(peer.number),
                  peer.members ? peer.members : program.device.ranks,
                  peer.members ? "members of the team" : "ranks");
    copy.peer = static_cast<int>(peer.rank);
    return blame(site, ginLaunchCopy(program.handle, &copy, stream, lane));
  }
  ginResult_t copy(const Peer &peer, ginWindow_t window, int64_t offset,
                   ginWindow_t local, int64_t localOffset, int64_t bytes,
                   bool get, const Site &site) const {
    ginCopy_t copy = {};
    copy.window = window;
    copy.offset = static_cast<uint64_t>(offset);
    copy.local = local;
    copy.localOffset = static_cast<uint64_t>(localOffset);
    copy.bytes = static_cast<uint64_t>(bytes);
    copy.rows = 1;
    copy.get = get;
    return issue(copy, peer, site);
  }

  struct Block {
    ginWindow_t window;
    int64_t offset;
    const int64_t *strides;
  };

  /// The innermost dimensions that have no gaps are bytes of a row, the next
  /// one is rows, and the others are one copy each.
  template <class T, size_t N>
  ginResult_t copyBlock(const Peer &peer, const Block &there, const Block &here,
                        const int64_t (&sizes)[N], bool get,
                        const Site &site) const {
    int64_t row = 1;
    size_t outer = N;
    for (; outer > 0; --outer) {
      const size_t dim = outer - 1;
      const bool isDense =
          there.strides[dim] == row && here.strides[dim] == row;
      if (sizes[dim] != 1 && !isDense)
        break;
      row *= sizes[dim];
    }
    const int64_t rows = outer > 0 ? sizes[outer - 1] : 1;
    int64_t copies = 1;
    for (size_t dim = 0; dim + 1 < outer; ++dim)
      copies *= sizes[dim];
    if (row <= 0 || rows <= 0 || copies <= 0)
      return GIN_SUCCESS;
    constexpr auto size = static_cast<uint64_t>(sizeof(T));
    for (int64_t number = 0; number < copies; ++number) {
      int64_t thereOffset = there.offset, hereOffset = here.offset;
      int64_t rest = number;
      for (size_t dim = outer > 0 ? outer - 1 : 0; dim-- > 0;) {
        thereOffset += rest % sizes[dim] * there.strides[dim];
        hereOffset += rest % sizes[dim] * here.strides[dim];
        rest /= sizes[dim];
      }
      ginCopy_t copy = {};
      copy.window = there.window;
      copy.offset = static_cast<uint64_t>(thereOffset) * size;
      copy.local = here.window;
      copy.localOffset = static_cast<uint64_t>(hereOffset) * size;
      copy.bytes = static_cast<uint64_t>(row) * size;
      copy.rows = static_cast<uint64_t>(rows);
      if (outer > 0) {
        copy.pitch = static_cast<uint64_t>(there.strides[outer - 1]) * size;
        copy.localPitch = static_cast<uint64_t>(here.strides[outer - 1]) * size;
      }
      copy.get = get;
      GIN_TRY(issue(copy, peer, site));
    }
    return GIN_SUCCESS;
  }

  template <class... Arguments>
  ginResult_t launchIn(unsigned where, const Kernel &kernel, unsigned most,
                       bool isOpen, Arguments... arguments) const {
    unsigned fitting;
    GIN_TRY(program.mostBlocks(kernel, fitting));
    if (stated + open == 0) {
      // No other lane runs.
    } else if (ctasOf[lane] != 0) {
      fitting = std::min(fitting, ctasOf[lane]);
    } else {
      // A block of another lane may keep all others off its multiprocessor.
      const unsigned each = std::max(1u, fitting / multiprocessors);
      fitting = std::min(fitting, (multiprocessors - stated) * each / open);
    }
    unsigned count = most == 0 ? blocks : most;
    GIN_TRY(program.limit(kernel, fitting, count));
    gin::Program device = program.device;
    device.lane = where;
    device.open = isOpen;
    void *addresses[] = {&device, &arguments...};
    return program.launchWith(kernel, count, stream, where, addresses);
  }

  const Program &program;
  unsigned blocks;
  void *stream;
  unsigned lane = 0;
  unsigned forked = 0; // the last lane that runs beside lane 0
  // While several lanes run: of how many blocks their kernels are, 0 if they
  // share the rest, and how many state blocks and how many do not.
  unsigned ctasOf[GIN_MAX_LANES] = {};
  unsigned multiprocessors = 1, stated = 0, open = 0;
  bool ended = false;
};

} // namespace gin::launcher

#endif // GIN_DEVICE_STEPS_H
