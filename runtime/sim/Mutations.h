//===- Mutations.h - rules and freedoms that a test can switch off -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The memory model as a list: what it guarantees to a program, and what it
// leaves to the network. A test build (GINC_SIM_MUTATIONS) can switch any one
// of them off in the simulator, to show that the litmus programs would notice.
// In any other build nothing can be switched off, and asking costs nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_MUTATIONS_H
#define GINC_SIM_MUTATIONS_H

#include <cstdint>
#include <string>
#include <vector>

// X(identifier, name, what it says)
#define GINC_SIM_GUARANTEES(X)                                                 \
  X(ProgramOrder, "po", "operations of an agent issue in program order")       \
  X(Fork, "fork", "children start after the fork")                             \
  X(Join, "join", "the parent goes on after its children")                     \
  X(ReadIssue, "read-issue", "a source is read after the issue")               \
  X(DeliverRead, "deliver-read", "a cell is delivered after it was read")      \
  X(DoneRead, "done-read", "a put is done after its source reads")             \
  X(GetIssue, "get-issue", "a get reads after its issue")                      \
  X(GetWrite, "get-write", "a get writes what it has read")                    \
  X(GetDone, "get-done", "a get is done when written")                         \
  X(Bundled, "bundled", "a bundled signal arrives after its own put")          \
  X(PlainPut, "plain-put",                                                     \
    "a plain signal arrives after earlier puts to its peer on its context")    \
  X(PlainFamily, "plain-family",                                               \
    "... those of joined children, and of ancestors before the fork, "         \
    "included")                                                                \
  X(PlainLoad, "plain-load", "... and after earlier loads")                    \
  X(PlainStore, "plain-store", "... and after earlier stores and atomics")     \
  X(Wait, "wait", "a wait needs its count")                                    \
  X(Base, "base", "a wait counts above the base")                              \
  X(Await, "await", "an await needs its token done")                           \
  X(Flush, "flush", "a flush needs everything of its agent done")              \
  X(End, "end",                                                                \
    "a launch ends when its puts and gets are done and its loads and stores "  \
    "performed")                                                               \
  X(BarrierWait, "barrier-wait", "a barrier waits for every member")           \
  X(BarrierPut, "barrier-put",                                                 \
    "a barrier covers earlier puts to the waiting rank")                       \
  X(BarrierAccess, "barrier-access",                                           \
    "a barrier covers earlier loads and stores")                               \
  X(BarrierGlobal, "barrier-global", "barrier global has a second round")      \
  X(BarrierSlots, "barrier-slots",                                             \
    "barriers count each source apart (off: one summed counter)")              \
  X(BarrierParity, "barrier-parity",                                           \
    "... and odd barriers apart from even "                                    \
    "ones")                                                                    \
  X(Accumulate, "accumulate",                                                  \
    "accumulating deliveries add (off: they overwrite)")                       \
  X(Host, "host", "host steps between launches")

#define GINC_SIM_FREEDOMS(X)                                                   \
  X(LateRead, "late-read", "a source is read at any time until done")          \
  X(Torn, "torn", "cells are delivered one by one")                            \
  X(AnyOrder, "any-order", "cells are delivered in any order")                 \
  X(PutOrder, "put-order",                                                     \
    "puts of one agent to one peer overtake each "                             \
    "other")                                                                   \
  X(BundledOvertakes, "bundled-overtakes",                                     \
    "a bundled signal overtakes earlier puts")                                 \
  X(Relaxed, "relaxed", "a relaxed signal covers nothing")                     \
  X(Context, "context", "a plain signal overtakes puts on other contexts")     \
  X(Peer, "peer", "a plain signal overtakes puts to other peers")              \
  X(DoneEarly, "done-early", "a put is done before it is delivered")           \
  X(SignalOrder, "signal-order", "signals of one agent overtake each other")   \
  X(LateStore, "late-store", "a store becomes visible later")                  \
  X(LateLoad, "late-load", "a load is performed later")                        \
  X(LateGet, "late-get", "a get is asynchronous")                              \
  X(EarlyArrival, "early-arrival",                                             \
    "an arrival of a later launch comes before its target has begun that "     \
    "launch")                                                                  \
  X(ThirdRank, "third-rank", "no cover through a third rank")                  \
  X(BarrierThird, "barrier-third",                                             \
    "a barrier does not cover puts to third ranks")                            \
  X(Agents, "agents", "agents of one rank run concurrently")                   \
  X(SelfPut, "self-put", "a put to oneself is asynchronous too")

namespace ginc::sim {

enum class Rule : uint8_t {
#define GINC_SIM_RULE(identifier, name, text) identifier,
  GINC_SIM_GUARANTEES(GINC_SIM_RULE) GINC_SIM_FREEDOMS(GINC_SIM_RULE)
#undef GINC_SIM_RULE
};

struct RuleText {
  const char *name;
  const char *text;
  bool guarantee; ///< else a freedom of the network
};

/// All rules in the order of `Rule`.
const std::vector<RuleText> &allRules();

/// The rules that a run does without.
class Mutations {
public:
  /// Whether `rule` is switched off.
  bool off([[maybe_unused]] Rule rule) const {
#ifdef GINC_SIM_MUTATIONS
    return mask >> static_cast<unsigned>(rule) & 1;
#else
    return false;
#endif
  }

  /// Switches off the rules of these names. Returns what is wrong with them, or
  /// an empty string.
  std::string parse(const std::vector<std::string> &names);

private:
#ifdef GINC_SIM_MUTATIONS
  uint64_t mask = 0;
#endif
};

} // namespace ginc::sim

#endif // GINC_SIM_MUTATIONS_H
