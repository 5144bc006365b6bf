//===- Mutations.cpp - rules and freedoms that a test can switch off ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Mutations.h"

using namespace ginc::sim;

const std::vector<RuleText> &ginc::sim::allRules() {
  static const std::vector<RuleText> rules = {
#define GINC_SIM_GUARANTEE(identifier, name, text) {name, text, true},
#define GINC_SIM_FREEDOM(identifier, name, text) {name, text, false},
      GINC_SIM_GUARANTEES(GINC_SIM_GUARANTEE)
          GINC_SIM_FREEDOMS(GINC_SIM_FREEDOM)
#undef GINC_SIM_GUARANTEE
#undef GINC_SIM_FREEDOM
  };
  return rules;
}

std::string Mutations::parse(const std::vector<std::string> &names) {
#ifdef GINC_SIM_MUTATIONS
  const std::vector<RuleText> &rules = allRules();
  for (const std::string &name : names) {
    size_t i = 0;
    while (i < rules.size() && name != rules[i].name)
      ++i;
    if (i == rules.size())
      return "there is no rule '" + name + "' to switch off";
    mask |= uint64_t(1) << i;
  }
  return "";
#else
  if (names.empty())
    return "";
  return "cannot switch off '" + names.front() +
         "': this build has no mutations; configure with "
         "-DGINC_SIM_MUTATIONS=ON";
#endif
}
