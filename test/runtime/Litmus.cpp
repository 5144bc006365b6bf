//===- Litmus.cpp - runs litmus programs ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Litmus.h"

#include <algorithm>

using namespace ginc;
using namespace ginc::test;

namespace {

/// Something to be seen, or not to be seen, in some run.
struct Watch {
  std::string what;
  bool wanted;
  Values pattern;
  bool seen = false;
};

} // namespace

/// A name that no run knows matches nothing.
static bool holds(const Values &pattern, const Values &values) {
  return std::all_of(pattern.begin(), pattern.end(), [&](const auto &term) {
    auto found = values.find(term.first);
    return found != values.end() && found->second == term.second;
  });
}

static std::string text(const Values &pattern) {
  std::string result;
  for (const auto &[name, value] : pattern)
    result += (result.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return result;
}

static bool verdictHas(const nlohmann::json &test, const std::string &word) {
  for (const auto &verdict : test.at("verdict"))
    if (verdict.get<std::string>().rfind(word, 0) == 0)
      return true;
  return false;
}

LitmusReport ginc::test::runLitmus(const nlohmann::json &test,
                                   const LitmusOptions &options) {
  OracleProgram program(test);
  std::vector<Watch> watches;
  for (const auto &pattern : test.at("allow"))
    watches.push_back({"", true, pattern.get<Values>()});
  for (const auto &pattern : test.at("forbid"))
    watches.push_back({"", false, pattern.get<Values>()});
  for (Watch &watch : watches)
    watch.what = text(watch.pattern);
  size_t patterns = watches.size();
  watches.push_back({"a deadlock", verdictHas(test, "deadlock"), {}});
  watches.push_back(
      {"an unconsumed signal", verdictHas(test, "unconsumed"), {}});
  Watch &deadlock = watches[patterns], &unconsumed = watches[patterns + 1];

  // An error of the program shows in every run.
  std::string error;
  if (verdictHas(test, "overlap"))
    error = "overlap";
  else if (verdictHas(test, "out-of-bounds"))
    error = "out of bounds";
  else if (verdictHas(test, "access-right"))
    error = "only its own rank may touch it";

  LitmusReport report;
  sim::Config config;
  config.off = options.off;
  for (uint64_t seed = 0; seed < options.seeds; ++seed) {
    config.seed = seed;
    OracleProgram::Result result = program.run(config);
    const sim::Outcome &outcome = result.outcome;
    bool failed = outcome.status == sim::Status::Error;
    if (failed != !error.empty() ||
        outcome.message.find(error) == std::string::npos) {
      report.wrong.push_back("seed " + std::to_string(seed) + ": '" +
                             outcome.message + "', expected '" + error + "'");
      return report;
    }
    if (failed)
      continue;
    for (size_t i = 0; i < watches.size(); ++i) {
      Watch &watch = watches[i];
      bool now = &watch == &deadlock ? outcome.status == sim::Status::Deadlock
                 : &watch == &unconsumed
                     ? outcome.status == sim::Status::Unbalanced
                     : outcome.status != sim::Status::Deadlock &&
                           holds(watch.pattern, result.values);
      if (!now || watch.seen)
        continue;
      watch.seen = true;
      if (watch.wanted)
        report.seedsNeeded = seed + 1;
      // A run that got stuck says nothing about balance.
      else if (&watch != &unconsumed || !deadlock.wanted)
        report.wrong.push_back("seed " + std::to_string(seed) +
                               " shows what is forbidden: " + watch.what);
    }
    if (options.stopWhenWrong && !report.wrong.empty())
      return report;
  }
  for (const Watch &watch : watches)
    if (watch.wanted && !watch.seen)
      report.wrong.push_back("not seen under " + std::to_string(options.seeds) +
                             " seeds: " + watch.what);
  return report;
}
