//===- RandomTest.cpp - random programs have the oracle's outcomes --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The oracle gives random programs with all their outcomes. The simulator must
// produce these and no others. For more programs than stand in the file:
//
//   cd test/oracle
//   python3 -m gin_oracle export random /tmp/more.json --count 5000 --seed 7
//   RandomTests /tmp/more.json [most seeds for a program]
//
//===----------------------------------------------------------------------===//

#include "OracleProgram.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace ginc;
using namespace ginc::test;

static std::string file = GINC_RANDOM_JSON;

/// An outcome that no run shows is missed if it does not come within so many.
static uint64_t maxSeeds = 200000;
/// What is not allowed is looked for in at least so many.
static constexpr uint64_t minSeeds = 300;

namespace {

/// One program's outcomes, and which of them were seen.
struct Expected {
  std::vector<std::string> names;
  std::map<std::vector<int64_t>, bool> outcomes;
  bool deadlock, unconsumed;
  bool sawDeadlock = false, sawUnconsumed = false;

  explicit Expected(const nlohmann::json &json)
      : names(json.at("names")), deadlock(json.at("deadlock")),
        unconsumed(json.at("unconsumed")) {
    for (const auto &outcome : json.at("outcomes"))
      outcomes[outcome.get<std::vector<int64_t>>()] = false;
  }

  bool complete() const {
    return (sawDeadlock || !deadlock) &&
           std::all_of(outcomes.begin(), outcomes.end(),
                       [](const auto &entry) { return entry.second; });
  }
};

} // namespace

static std::string text(const Expected &expected,
                        const std::vector<int64_t> &outcome) {
  std::string result;
  for (size_t i = 0; i < outcome.size(); ++i)
    result += " " + expected.names[i] + "=" + std::to_string(outcome[i]);
  return result;
}

static std::string text(const nlohmann::json &json) {
  return json.at("name").get<std::string>() + " " + json.at("texts").dump(1);
}

/// Returns how many runs it took to see everything.
static uint64_t check(const nlohmann::json &json) {
  OracleProgram program(json);
  Expected expected(json);
  uint64_t needed = 0;
  for (uint64_t seed = 0; seed < maxSeeds; ++seed) {
    if (expected.complete()) {
      if (needed == 0)
        needed = seed;
      if (seed >= minSeeds)
        return needed;
    }
    sim::Config config;
    config.seed = seed;
    OracleProgram::Result result = program.run(config);
    if (result.outcome.status == sim::Status::Error) {
      ADD_FAILURE() << text(json) << "\n" << result.outcome.message;
      return needed;
    }
    if (result.outcome.status == sim::Status::Deadlock) {
      expected.sawDeadlock = true;
      EXPECT_TRUE(expected.deadlock) << text(json) << "\nseed " << seed;
      continue;
    }
    if (result.outcome.status == sim::Status::Unbalanced &&
        !expected.unconsumed && !expected.deadlock)
      ADD_FAILURE() << text(json) << "\nseed " << seed << ": unconsumed";
    std::vector<int64_t> outcome;
    outcome.reserve(expected.names.size());
    for (const std::string &name : expected.names)
      outcome.push_back(result.values[name]);
    auto found = expected.outcomes.find(outcome);
    if (found == expected.outcomes.end()) {
      ADD_FAILURE() << text(json) << "\nseed " << seed
                    << " is not allowed:" << text(expected, outcome);
      return needed;
    }
    found->second = true;
  }
  for (const auto &[outcome, seen] : expected.outcomes)
    if (!seen)
      ADD_FAILURE() << text(json) << "\nnot seen:" << text(expected, outcome);
  if (expected.deadlock && !expected.sawDeadlock)
    ADD_FAILURE() << text(json) << "\nno deadlock seen";
  return maxSeeds;
}

TEST(Random, SameOutcomesAsTheOracle) {
  nlohmann::json programs = readPrograms(file);
  std::vector<uint64_t> needed;
  for (const nlohmann::json &program : programs)
    needed.push_back(check(program));
  std::sort(needed.begin(), needed.end());
  std::printf("%zu programs; seeds until all was seen:", needed.size());
  for (int percent : {50, 90, 99, 100})
    std::printf(
        " %d %% in %llu", percent,
        static_cast<unsigned long long>(
            needed[(needed.size() - 1) * static_cast<size_t>(percent) / 100]));
  std::printf("\n");
}

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1)
    file = argv[1];
  if (argc > 2)
    maxSeeds = std::strtoull(argv[2], nullptr, 10);
  return RUN_ALL_TESTS();
}
