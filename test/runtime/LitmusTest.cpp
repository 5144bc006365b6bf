//===- LitmusTest.cpp - the litmus programs on the simulator --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every litmus program of the oracle, under many seeds: each allowed outcome is
// seen, and a forbidden one never.
//
//===----------------------------------------------------------------------===//

#include "Litmus.h"

#include <gtest/gtest.h>

using namespace ginc::test;

namespace {

class Litmus : public testing::TestWithParam<nlohmann::json> {};

std::string nameOf(const testing::TestParamInfo<nlohmann::json> &info) {
  std::string name = info.param.at("name");
  for (char &c : name)
    if (c == '-')
      c = '_';
  return name;
}

} // namespace

TEST_P(Litmus, AllowedAndForbidden) {
  LitmusReport report = runLitmus(GetParam(), LitmusOptions());
  for (const std::string &line : report.wrong)
    ADD_FAILURE() << line;
  RecordProperty("seeds", static_cast<int>(report.seedsNeeded));
}

INSTANTIATE_TEST_SUITE_P(Oracle, Litmus,
                         testing::ValuesIn(readPrograms(GINC_LITMUS_JSON)),
                         nameOf);
