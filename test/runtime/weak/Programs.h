//===- Programs.h - the protocols that are explored --------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_TEST_RUNTIME_WEAK_PROGRAMS_H
#define GIN_TEST_RUNTIME_WEAK_PROGRAMS_H

#include "test/runtime/weak/Model.h"

namespace ginweak {

/// What goes wrong with one seed, or nothing.
using Program = std::string (*)(uint64_t seed, Rule off);

// Two ranks, two threads each.
std::string putThenSignal(uint64_t seed, Rule off);
std::string putWithSignal(uint64_t seed, Rule off);
std::string putValue(uint64_t seed, Rule off);
std::string accumulate(uint64_t seed, Rule off);
std::string getAfterSignal(uint64_t seed, Rule off);
/// Three ranks.
std::string relay(uint64_t seed, Rule off);
std::string barriers(uint64_t seed, Rule off);
/// Blocks of one rank, several launches.
std::string launches(uint64_t seed, Rule off);
/// An error of one rank, a host that looks, a rank that waits for ever.
std::string errorStop(uint64_t seed, Rule off);
/// Wrong programs.
std::string putThenRelaxed(uint64_t seed, Rule off);
std::string noCredit(uint64_t seed, Rule off);
/// A relaxed signal after a wait.
std::string relayRelaxed(uint64_t seed, Rule off);

} // namespace ginweak

#endif // GIN_TEST_RUNTIME_WEAK_PROGRAMS_H
