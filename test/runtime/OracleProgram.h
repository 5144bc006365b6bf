//===- OracleProgram.h - runs the oracle's programs -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The oracle (test/oracle) writes programs in a small text notation, described
// in its program.py. Here they are read and run on the simulator, through the
// same C interface that compiled programs call.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TEST_ORACLE_PROGRAM_H
#define GINC_TEST_ORACLE_PROGRAM_H

#include "runtime/sim/Simulator.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace ginc::test {

/// Registers and cells by name ("r", "y[0]@1") to their values.
using Values = std::map<std::string, int64_t>;

class OracleProgram {
public:
  /// From an entry of the oracle's export. Throws std::runtime_error where it
  /// is malformed.
  explicit OracleProgram(const nlohmann::json &json);

  struct Result {
    sim::Outcome outcome;
    Values values; ///< of all registers and cells; what did not run is 0
  };
  Result run(sim::Config config) const;

  int64_t ranks, launches;

  struct Place {
    int window, rank;
    int64_t low, high;
  };
  struct Slot {
    int bank = -1;
    int64_t index = 0;
  };
  struct Op {
    std::string kind, text;
    Place source{}, target{};
    bool immediate = false, accumulate = false, relaxed = false, global = false;
    int64_t value = 0, weight = 1, count = 0, context = 0, peer = 0;
    int reg = -1, guard = -1, token = -1;
    int64_t constant = -1; ///< of an accumulating immediate: where it is kept
    Slot slot;
    std::vector<std::vector<Op>> branches;
  };

private:
  struct Bank {
    std::string name;
    bool indexed;
    int64_t extent;
  };

  std::vector<Op> parse(const std::string &text, int rank);
  Op parseOp(const std::string &text, int rank);
  Place parsePlace(const std::string &text, int rank);
  Slot parseSlot(const std::string &text, int &rank);
  int named(std::vector<std::string> &names, const std::string &name);

  std::vector<std::string> windows, registers, tokens;
  std::map<std::string, std::vector<int64_t>> sizes;
  std::set<std::string> scratch, source;
  std::vector<Bank> banks;
  std::vector<std::vector<int64_t>> constants;     ///< by rank
  std::vector<std::vector<std::vector<Op>>> texts; ///< by rank and launch

  friend class OracleRun;
};

/// Reads the programs of an exported file. Throws std::runtime_error.
nlohmann::json readPrograms(const std::string &file);

} // namespace ginc::test

#endif // GINC_TEST_ORACLE_PROGRAM_H
