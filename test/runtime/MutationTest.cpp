//===- MutationTest.cpp - the litmus programs notice every change ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Switches off each guarantee of the memory model, and each freedom of the
// network, alone: at least one litmus program must fail. So the programs test
// all of the model, and the simulator has all of its freedom.
//
//===----------------------------------------------------------------------===//

#include "Litmus.h"

#include "runtime/sim/Mutations.h"

#include "gtest/gtest.h"

#include <cstdio>

using namespace ginc;
using namespace ginc::test;

namespace {

class Mutation : public testing::TestWithParam<sim::RuleText> {};

std::string nameOf(const testing::TestParamInfo<sim::RuleText> &info) {
  std::string name = info.param.name;
  for (char &c : name)
    if (c == '-')
      c = '_';
  return name;
}

} // namespace

static const nlohmann::json &litmusPrograms() {
  static const nlohmann::json programs = readPrograms(GINC_LITMUS_JSON);
  return programs;
}

TEST_P(Mutation, IsNoticed) {
  LitmusOptions options;
  options.off = {GetParam().name};
  options.stopWhenWrong = true;
  std::string noticed;
  for (const nlohmann::json &test : litmusPrograms()) {
    LitmusReport report = runLitmus(test, options);
    if (report.wrong.empty())
      continue;
    noticed += " " + test.at("name").get<std::string>();
    if (!getenv("GINC_ALL_MUTANTS"))
      break;
  }
  EXPECT_FALSE(noticed.empty())
      << "no litmus program notices that this is off: " << GetParam().text;
  std::printf("  %s:%s\n", GetParam().name, noticed.c_str());
}

INSTANTIATE_TEST_SUITE_P(Rules, Mutation, testing::ValuesIn(sim::allRules()),
                         nameOf);

TEST(Mutations, NothingOffChangesNothing) {
  for (const nlohmann::json &test : litmusPrograms()) {
    LitmusOptions options;
    options.seeds = 300;
    for (const std::string &line : runLitmus(test, options).wrong)
      ADD_FAILURE() << test.at("name") << ": " << line;
  }
}

TEST(Mutations, UnknownNameIsAnError) {
  sim::Config config;
  config.off = {"no-such-rule"};
  sim::Simulator simulator(config);
  sim::Outcome outcome = simulator.run({});
  EXPECT_EQ(outcome.status, sim::Status::Error);
  EXPECT_EQ(outcome.message, "there is no rule 'no-such-rule' to switch off");
}
