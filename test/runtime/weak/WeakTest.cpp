//===- WeakTest.cpp - gin's protocols under weak memory -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/runtime/weak/Programs.h"

#include "gtest/gtest.h"

using namespace ginweak;

/// The first failure, with its seed.
static std::string explore(Program program, Rule off, uint64_t seeds) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    std::string failure = program(seed, off);
    if (!failure.empty())
      return failure + " (seed " + std::to_string(seed) + ")";
  }
  return "";
}

struct Named {
  const char *name;
  Program program;
};
static std::ostream &operator<<(std::ostream &out, const Named &named) {
  return out << named.name;
}

class RightProgram : public testing::TestWithParam<Named> {};
TEST_P(RightProgram, NeverFails) {
  EXPECT_EQ(explore(GetParam().program, Rule::None, 1000), "");
}
INSTANTIATE_TEST_SUITE_P(
    Weak, RightProgram,
    testing::Values(Named{"putThenSignal", putThenSignal},
                    Named{"putWithSignal", putWithSignal},
                    Named{"putValue", putValue},
                    Named{"accumulate", accumulate},
                    Named{"getAfterSignal", getAfterSignal},
                    Named{"relay", relay}, Named{"barriers", barriers},
                    Named{"launches", launches},
                    Named{"errorStop", errorStop}));

class WrongProgram : public testing::TestWithParam<Named> {};
TEST_P(WrongProgram, Fails) {
  EXPECT_NE(explore(GetParam().program, Rule::None, 100), "");
}
// The last one: a relaxed signal does not carry what its agent acquired, which
// docs/memory-model.md promises to programs. Kernels that ginc maps have plain
// signals in its place.
INSTANTIATE_TEST_SUITE_P(Weak, WrongProgram,
                         testing::Values(Named{"putThenRelaxed",
                                               putThenRelaxed},
                                         Named{"noCredit", noCredit},
                                         Named{"relayRelaxed", relayRelaxed}));

/// What each rule is for.
struct Need {
  Named named;
  Rule rule;
};
static std::ostream &operator<<(std::ostream &out, const Need &need) {
  return out << need.named.name << " without rule "
             << static_cast<int>(need.rule);
}

class NeededRule : public testing::TestWithParam<Need> {};
TEST_P(NeededRule, IsMissed) {
  const std::string failure =
      explore(GetParam().named.program, GetParam().rule, 100);
  EXPECT_NE(failure, "");
  RecordProperty("failure", failure);
}
INSTANTIATE_TEST_SUITE_P(
    Weak, NeededRule,
    testing::Values(Need{{"putThenSignal", putThenSignal}, Rule::ReleaseAdd},
                    Need{{"putThenSignal", putThenSignal}, Rule::AcquireLoad},
                    Need{{"putThenSignal", putThenSignal}, Rule::BlockBarrier},
                    Need{{"putWithSignal", putWithSignal}, Rule::ReleaseAdd},
                    Need{{"putWithSignal", putWithSignal}, Rule::AcquireLoad},
                    Need{{"accumulate", accumulate}, Rule::ReleaseAdd},
                    Need{{"getAfterSignal", getAfterSignal}, Rule::ReleaseAdd},
                    Need{{"getAfterSignal", getAfterSignal},
                         Rule::BlockBarrier},
                    Need{{"relay", relay}, Rule::ReleaseAdd},
                    Need{{"relay", relay}, Rule::AcquireLoad},
                    Need{{"barriers", barriers}, Rule::ReleaseAdd},
                    Need{{"barriers", barriers}, Rule::AcquireLoad},
                    Need{{"barriers", barriers}, Rule::BlockBarrier},
                    Need{{"launches", launches}, Rule::Fence},
                    Need{{"errorStop", errorStop}, Rule::ReleaseStore}));
