//===- ProgramOptions.cpp - which program, and how it lowers ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ProgramOptions.h"

#include "Diagnostics.h"

#include "llvm/ADT/StringSwitch.h"

using namespace ginc;
using namespace mlir;

namespace opt = llvm::opt;

LogicalResult ginc::readProgramOptions(const opt::InputArgList &parsed,
                                       const ProgramOptionIds &ids,
                                       const Help &help,
                                       ProgramOptions &options) {
  if (failed(checkNotEmpty(parsed, {ids.entry, ids.launchBarrierReason})))
    return failure();
  std::vector<std::string> files = parsed.getAllArgValues(ids.input);
  if (files.empty())
    return error("no program; usage: ginc " + help.usage);
  if (files.size() > 1)
    return error("one program at a time, not both '" + files[0] + "' and '" +
                 files[1] + "'");
  options.file = files.front();
  StringRef entry = parsed.getLastArgValue(ids.entry);
  entry.consume_front("@");
  options.entry = entry.str();
  std::string algorithm;
  if (failed(readChoice(parsed, ids.algorithm, {"direct", "ring", "tree"},
                        algorithm)) ||
      failed(readChoice(parsed, ids.launchBarrier, {"auto", "always", "never"},
                        options.launchBarrier)))
    return failure();
  if (!algorithm.empty())
    options.algorithm = algorithm;
  options.launchBarrierReason =
      parsed.getLastArgValue(ids.launchBarrierReason).str();
  if (!options.launchBarrierReason.empty() && options.launchBarrier != "never")
    return error("--launch-barrier-reason goes with --launch-barrier=never");
  return success();
}

void ginc::setPipelineOptions(const ProgramOptions &options, StringRef entry,
                              gin::ProgramOptions &pipeline) {
  pipeline.entry = entry.str();
  if (options.algorithm)
    pipeline.algorithm =
        llvm::StringSwitch<gin::CollectiveAlgorithm>(*options.algorithm)
            .Case("ring", gin::CollectiveAlgorithm::Ring)
            .Case("tree", gin::CollectiveAlgorithm::Tree)
            .Default(gin::CollectiveAlgorithm::Direct);
  pipeline.launchBarrier =
      llvm::StringSwitch<gin::LaunchBarrierMode>(options.launchBarrier)
          .Case("always", gin::LaunchBarrierMode::Always)
          .Case("never", gin::LaunchBarrierMode::Never)
          .Default(gin::LaunchBarrierMode::Auto);
  pipeline.launchBarrierReason = options.launchBarrierReason;
}
