//===- Transfer.h - a put or get under way ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_TRANSFER_H
#define GINC_SIM_TRANSFER_H

#include "runtime/sim/Block.h"
#include "runtime/sim/Knowledge.h"
#include "runtime/sim/Signals.h"
#include "runtime/sim/Time.h"

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace ginc::sim {

/// A signal under way to a slot.
struct Arrival {
  Slot *slot = nullptr;
  uint64_t weight;
  const gin_site_t *site;
  uint64_t flow; ///< in the trace, or 0
  int32_t rank;
  int32_t source;  ///< the rank that sent it
  uint32_t launch; ///< of the sender
#ifdef GINC_SIM_MUTATIONS
  Knowledge knowledge; ///< of the sender
#endif
};

/// How a transfer goes in pieces, or sees stores that are still pending.
struct Pieces {
  /// A piece of elements is read or written at a time.
  struct Action {
    Time time;
    uint32_t piece;
    bool write;
    bool early; ///< reads what was there when the run began (mutations only)
  };
  /// A store of the agent that the source read must see.
  struct Forward {
    uint32_t access;
    uint64_t element;
  };

  std::vector<Action> plan;      ///< in order of time
  std::vector<uint64_t> bounds;  ///< first element of each piece; empty: all
  size_t next = 0;               ///< action
  std::vector<Forward> forwards; ///< in program order
  std::vector<Forward> stored;   ///< the values that an early read sees
};

/// Bytes of a put or get on their way: read at some times, written at others,
/// and then perhaps signalled. There are many, so they are small.
struct alignas(64) Transfer {
  enum class Phase : uint8_t { Read, Write, Arrive, InPieces };

  Transfer() = default;
  ~Transfer() { dropBuffer(); }
  Transfer(const Transfer &) = delete;
  Transfer &operator=(const Transfer &) = delete;

  Copy copy;
  Time writeAt; ///< of the last piece
  Time arriveAt;
  Arrival arrival; ///< its slot is null if nothing is signalled
  uint8_t type;    ///< a gin_type
  bool add;        ///< accumulates
  bool hasRead;    ///< the value is immediate: in the buffer from the issue
  Phase phase;

  /// Room for all elements; lives from the first read to the last write.
  char *buffer() { return allocated ? large : small; }
  void makeBuffer() {
    uint64_t bytes = copy.count * copy.bytes;
    if (bytes <= sizeof(small) || allocated)
      return;
    large = static_cast<char *>(std::malloc(bytes));
    if (!large)
      throw std::bad_alloc();
    allocated = true;
  }
  void dropBuffer() {
    if (allocated)
      std::free(large);
    allocated = false;
  }

private:
  bool allocated = false;

public:
  /// Only in phase InPieces; kept for the next user of the object.
  std::unique_ptr<Pieces> pieces;

private:
  union {
    char small[8]; ///< where one element is all
    char *large;
  };
};

#ifndef GINC_SIM_MUTATIONS
static_assert(sizeof(Transfer) == 128, "two cache lines");
#endif

} // namespace ginc::sim

#endif // GINC_SIM_TRANSFER_H
