//===- LitmusReport.h - what ginc litmus says -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_LITMUSREPORT_H
#define GINC_TOOLS_GINC_LITMUSREPORT_H

#include "LitmusRun.h"

#include "llvm/Support/JSON.h"

namespace ginc {

/// The number of runs within which every allowed outcome must be seen. With
/// fewer only what must not be seen counts, so that a single run can be
/// repeated.
inline constexpr int64_t litmusSeeds = 2000;

/// One program and all its runs.
struct LitmusReport {
  std::string file;
  LitmusTest test;
  Histogram histogram;
  uint64_t seed = 0;   ///< the first
  bool checked = true; ///< whether the expectations are for these runs
  double compileMs = 0, runMs = 0;

  /// What differs from the expectations, one sentence each.
  std::vector<std::string> failures() const;
  /// Whether every allowed outcome, and what else must show, has been seen.
  bool allSeen() const;
};

/// For people: the outcomes with their number, then what differs.
void printLitmus(llvm::raw_ostream &os, const LitmusReport &report, bool quiet);
/// docs/ginc.md describes the form.
void printLitmus(llvm::json::OStream &json, const LitmusReport &report);

} // namespace ginc

#endif // GINC_TOOLS_GINC_LITMUSREPORT_H
