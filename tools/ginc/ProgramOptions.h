//===- ProgramOptions.h - which program, and how it lowers ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The part of the command line that the sub-commands which compile have in
// common; ProgramOptions.td describes the options.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_PROGRAMOPTIONS_H
#define GINC_TOOLS_GINC_PROGRAMOPTIONS_H

#include "CommandLine.h"

#include "passes/Pipelines.h"

#include <optional>
#include <string>

namespace ginc {

struct ProgramOptions {
  std::string file;
  std::string entry;                    ///< "": the program decides
  std::optional<std::string> algorithm; ///< of collectives; none: the default
  std::string launchBarrier = "auto";   ///< auto, always or never
  std::string launchBarrierReason;
};

/// Identifiers of these options in the numbering of a sub-command's table.
struct ProgramOptionIds {
  unsigned input, entry, algorithm, launchBarrier, launchBarrierReason;
};

/// Reads them; reports an error.
mlir::LogicalResult readProgramOptions(const llvm::opt::InputArgList &parsed,
                                       const ProgramOptionIds &ids,
                                       const Help &help,
                                       ProgramOptions &options);

/// What pipelines take of them. `entry` is the name of the entry.
void setPipelineOptions(const ProgramOptions &options, llvm::StringRef entry,
                        gin::ProgramOptions &pipeline);

} // namespace ginc

#endif // GINC_TOOLS_GINC_PROGRAMOPTIONS_H
