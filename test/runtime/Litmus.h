//===- Litmus.h - runs litmus programs --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TEST_LITMUS_H
#define GINC_TEST_LITMUS_H

#include "OracleProgram.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ginc::test {

struct LitmusOptions {
  uint64_t seeds = 2000;        ///< runs, seeds 0 and up
  std::vector<std::string> off; ///< rules to switch off
  bool stopWhenWrong = false;   ///< at the first forbidden outcome
};

struct LitmusReport {
  /// What differs from the program's expectation, one line each.
  std::vector<std::string> wrong;
  /// Runs after which all that is allowed had been seen.
  uint64_t seedsNeeded = 0;
};

LitmusReport runLitmus(const nlohmann::json &test,
                       const LitmusOptions &options);

} // namespace ginc::test

#endif // GINC_TEST_LITMUS_H
