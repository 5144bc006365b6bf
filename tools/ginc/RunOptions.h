//===- RunOptions.h - the command line of ginc run --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_RUNOPTIONS_H
#define GINC_TOOLS_GINC_RUNOPTIONS_H

#include "ProgramOptions.h"

#include <optional>
#include <string>
#include <vector>

namespace ginc {

/// "--option name=value".
struct Assignment {
  std::string name, value;
};

enum class StatsForm { None, Table, Json };

/// What the command line says, checked as far as it can be without the program.
struct RunOptions : ProgramOptions {
  enum class Target { Simulator, Host, Cuda } target = Target::Simulator;
  std::string arch = "sm_90a";
  int64_t threads = 256; ///< of a block
  int64_t blocks = 0;    ///< 0: as many as run at once
  std::optional<int64_t> ranks;
  int64_t repeat = 1;
  std::vector<std::string> libraries;

  std::vector<Assignment> dims, args, outs, expects;
  std::optional<double> atol, rtol;
  bool check = true;

  uint64_t seed = 0;
  bool calm = false;
  int64_t lsaSize = 0;       ///< 0: all ranks
  std::vector<int64_t> grid; ///< empty: chosen by the number of ranks

  StatsForm stats = StatsForm::None;
  std::string trace;
  bool quiet = false;
};

/// The number of ranks that a run may have at most.
inline constexpr int64_t maxRanks = 65536;
/// And launches.
inline constexpr int64_t maxLaunches = 1'000'000;

/// Parses the arguments after `ginc run`. None when there is nothing left to
/// do, with the exit code.
std::optional<RunOptions>
parseRunOptions(llvm::ArrayRef<const char *> arguments, int &exitCode);

} // namespace ginc

#endif // GINC_TOOLS_GINC_RUNOPTIONS_H
