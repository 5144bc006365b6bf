//===- Model.h - weak memory, explored ---------------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What loads may return in C++'s memory model. A location that is accessed
// atomically keeps all values that were ever stored, in order; a load returns
// any of them that its agent does not know to be outdated, chosen at random.
// With a value comes what the storing agent knew, if it was released and is
// acquired. Ordinary accesses act on real memory; two of them that nothing
// orders are a race, which is what a missing release shows as.
//
// Left out, though C++ allows it: stores that come earlier in a location's
// order than ones performed before; loads of values that are not yet stored.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_TEST_RUNTIME_WEAK_MODEL_H
#define GIN_TEST_RUNTIME_WEAK_MODEL_H

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace ginweak {

/// Rules that can be switched off, to see that programs need them.
enum class Rule {
  None,
  ReleaseAdd,   // a released addition carries what its agent knows
  ReleaseStore, // the same for a store
  AcquireLoad,  // an acquiring load learns it
  Fence,        // a fence makes accesses before and after it such
  BlockBarrier  // threads of a block learn from each other
};

/// What an agent knows to have happened.
struct Knowledge {
  std::vector<uint32_t> clocks; // how much each agent has done
  std::vector<uint32_t> views;  // the first value of each location not outdated
  void join(const Knowledge &other);
};

/// __ATOMIC_... of an access.
using Order = int;

class Model {
public:
  Model(unsigned agents, uint64_t seed, Rule off);

  // By agent `agent`, of `size` bytes at `address`.
  void read(unsigned agent, const void *address, size_t size);
  void write(unsigned agent, const void *address, size_t size);
  uint64_t load(unsigned agent, const void *address, size_t size, Order order);
  void store(unsigned agent, void *address, size_t size, uint64_t value,
             Order order);
  /// Sets the location to change(old) if that is not null; returns old.
  template <class Change>
  uint64_t modify(unsigned agent, void *address, size_t size, Order order,
                  Change change) {
    const uint64_t old = last(agent, address, size);
    uint64_t value = old;
    if (change(value))
      append(agent, address, size, value, order, true);
    else
      learnLast(agent, address, order);
    return old;
  }
  void fence(unsigned agent, Order order);
  /// The agents learn from each other.
  void meet(const std::vector<unsigned> &agents);
  /// What `from` know, `to` know as well.
  void inherit(const std::vector<unsigned> &from, unsigned to);

  bool isOff(Rule rule) const { return off == rule; }
  /// The first race, or nothing.
  const std::string &failure() const { return race; }
  std::mt19937_64 random;

private:
  struct Message {
    uint64_t value;
    Knowledge known;
  };
  struct Location {
    size_t index;
    std::vector<Message> messages;
    bool outdated = false; // an ordinary store has come since
    Knowledge writer;      // of that
  };
  /// When each agent last accessed a byte, by its own clock; 0: never.
  struct Byte {
    std::vector<uint32_t> reads, writes, atomicReads, atomicWrites;
  };
  struct Agent {
    Knowledge now;
    Knowledge unacquired; // read by relaxed loads: a fence acquires it
    Knowledge released;   // by the last fence: relaxed stores carry it
  };
  Location &locate(const void *address, size_t size);
  void check(unsigned agent, const void *address, size_t size, bool store,
             bool atomic);
  uint64_t last(unsigned agent, const void *address, size_t size);
  void learnLast(unsigned agent, const void *address, Order order);
  void learn(unsigned agent, const Location &location, size_t index,
             Order order);
  void append(unsigned agent, void *address, size_t size, uint64_t value,
              Order order, bool add);

  const Rule off;
  std::vector<Agent> agents;
  std::unordered_map<uintptr_t, Location> locations;
  std::unordered_map<uintptr_t, Byte> bytes;
  std::string race;
};

} // namespace ginweak

#endif // GIN_TEST_RUNTIME_WEAK_MODEL_H
