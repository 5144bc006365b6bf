//===- Agent.h - a thread of control of a rank ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_AGENT_H
#define GINC_SIM_AGENT_H

#include "runtime/fiber/Fiber.h"
#include "runtime/sim/Channel.h"
#include "runtime/sim/Knowledge.h"
#include "runtime/sim/Signals.h"
#include "runtime/sim/Time.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ginc::sim {

class Team;

/// A load, store or atomic addition that need not be performed at once.
///
/// Pending ones stand in their agent's list in program order. Their times are
/// drawn at issue such that those to one cell are performed in that order.
struct Access {
  char *address;
  uint64_t value;
  Time time;         ///< when it is performed
  uint32_t uses = 0; ///< by the list, the event, forwards, a program's handle
  uint8_t bytes;
  int8_t addType = -1; ///< GIN_… of an addition to the cell; -1 of others
  bool load;
  bool performed;
  /// Of a load and an addition: what the agent has pending in the cell, latest
  /// first; of a load, up to the latest addition, and no loads. The first store
  /// that is still pending gives a load its value, since an agent sees its own
  /// stores; an addition is performed first.
  std::vector<uint32_t> forwards;
};

/// A fork and its children.
struct Fork {
  struct Left {
    int64_t index;
    std::vector<uint32_t> pending;
  };

  struct Agent *parent;
  const gin_site_t *site;
  void (*body)(void *captures, int64_t index);
  void *captures;
  const char *const *names;
  int64_t count, running;
  // What children that have ended leave to the join.
  std::vector<Left> left;
  ChannelTable channels;
};

/// A child that has not started: its agent is made when it does, so that a loop
/// of a million iterations needs few stacks at a time.
struct Child {
  uint32_t fork;
  int64_t index;
};

struct Agent {
  enum class State : uint8_t {
    Free,
    Runnable,
    Waits,     ///< for a slot
    InBarrier, ///< until all members have entered
    Joins,     ///< until its children have ended
    Collects   ///< until its ghosts have ended (mutations only)
  };

  uint32_t id = 0;
  State state = State::Free;
  int64_t rank = 0;
  std::unique_ptr<Fiber> fiber;

  // Family. A parent does nothing while it has children.
  Agent *parent = nullptr;
  uint32_t fork = 0; ///< that made this agent
  int64_t index = 0; ///< in that fork
  const char *role = nullptr;

  // Under way, in this launch.
  ChannelTable channels;
  std::vector<uint32_t> pending; ///< accesses in program order; old ones too
  std::vector<Time> done;        ///< local completion of token firstToken + i
  int64_t firstToken = 1;
  Time doneMax = 0;

  // Where it is blocked.
  const gin_site_t *site = nullptr;
  gin_bank *bank = nullptr;
  uint64_t slot = 0;
  uint64_t target = 0;     ///< the slot's value that ends the wait
  uint32_t nextWaiter = 0; ///< in the slot's line, its number plus 1
  uint32_t wakeups = 0;    ///< makes an old time-out recognisable
  bool timedOut = false;
  const Team *team = nullptr;
  uint32_t lane = 0; ///< in the trace

  // Mutations only.
  Agent *owner = nullptr; ///< of a ghost: an agent that waits in its place
  int64_t ghosts = 0;
  ChannelTable joined; ///< joined children's, if plain signals ignore them
  Knowledge known;     ///< puts of others that this agent knows of
  Knowledge told;      ///< those and its own

  bool ghost() const { return owner != nullptr; }
};

} // namespace ginc::sim

#endif // GINC_SIM_AGENT_H
