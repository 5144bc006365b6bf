//===- Report.h - what ginc run says about a run ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_REPORT_H
#define GINC_TOOLS_GINC_REPORT_H

#include "RunOptions.h"

#include "runtime/sim/Simulator.h"

#include <chrono>

namespace ginc {

/// A run that came to its end.
struct RunReport {
  std::string program, entry;
  int64_t ranks = 1, repeat = 1;
  std::string target; ///< empty: simulated
  uint64_t seed = 0;
  sim::Traffic total;                  ///< of all ranks
  std::vector<sim::RankStats> traffic; ///< by rank; empty: not counted
  uint64_t virtualTime = 0, events = 0;
  std::vector<std::string> compared; ///< arguments
  std::vector<std::string> against;  ///< references and files
  bool matches = true;
  std::vector<std::string> notes; ///< of the compiler
  double compileMs = 0, runMs = 0, totalMs = 0;
};

/// A few lines for people.
void printSummary(llvm::raw_ostream &os, const RunReport &report);
/// Traffic by rank and peer, and what each rank did.
void printStatsTable(llvm::raw_ostream &os, const RunReport &report);
/// Everything, as a JSON object (docs/ginc.md describes it).
void printJson(llvm::raw_ostream &os, const RunReport &report);

/// A line on a terminal that says how far a long run has come; nothing where
/// standard error is no terminal.
class Progress {
public:
  Progress(bool enabled, uint64_t allSteps);
  ~Progress() { clear(); }
  void show(uint64_t steps, uint64_t puts);
  void clear();

private:
  bool enabled;
  bool shown = false;
  uint64_t allSteps;
  std::chrono::steady_clock::time_point begin;
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_REPORT_H
