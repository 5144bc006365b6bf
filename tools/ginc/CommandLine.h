//===- CommandLine.h - sub-commands and their options -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A sub-command is a row of the table in Main.cpp: its name, one line about it
// and a function. Its options stand in a TableGen file that includes
// CommonOptions.td; `CommandLine` parses them and answers --help and --color.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_COMMANDLINE_H
#define GINC_TOOLS_GINC_COMMANDLINE_H

#include "mlir/Support/LLVM.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

#include <optional>

namespace ginc {

struct Command {
  llvm::StringRef name;
  llvm::StringRef summary;
  /// Runs with the arguments after the sub-command's name; returns an ExitCode.
  int (*run)(llvm::ArrayRef<const char *> arguments);
};

/// What `ginc COMMAND --help` says beside the options.
struct Help {
  llvm::StringRef usage;    ///< after the program's name
  llvm::StringRef overview; ///< a sentence or two
  llvm::StringRef epilogue; ///< examples, exit codes
};

/// Identifiers of the options in CommonOptions.td and of the predefined ones,
/// in the numbering of a sub-command's table.
struct CommonOptions {
  unsigned color, help, unknown;
  /// Options with a value that may be given several times.
  llvm::ArrayRef<unsigned> repeatable;
};

/// Parses `arguments`. Returns none when there is nothing left to do: help was
/// asked for and shown (`exitCode` is 0), or an error was reported (2).
std::optional<llvm::opt::InputArgList>
parseCommandLine(const llvm::opt::OptTable &table, CommonOptions common,
                 llvm::ArrayRef<const char *> arguments, const Help &help,
                 int &exitCode);

/// The value of an option as a whole number; reports one that is not from `low`
/// to `high`. Without the option nothing changes.
mlir::LogicalResult readNumber(const llvm::opt::InputArgList &parsed,
                               unsigned id, int64_t low, int64_t high,
                               int64_t &number);
/// The value of an option as one of at least two words.
mlir::LogicalResult readChoice(const llvm::opt::InputArgList &parsed,
                               unsigned id,
                               llvm::ArrayRef<llvm::StringRef> choices,
                               std::string &choice);
/// Reports options that were given an empty value.
mlir::LogicalResult checkNotEmpty(const llvm::opt::InputArgList &parsed,
                                  llvm::ArrayRef<unsigned> ids);

/// Of `candidates` the one that `name` was probably meant to be, or "".
std::string nearest(llvm::StringRef name,
                    llvm::ArrayRef<std::string> candidates);

/// "; did you mean 'x'?", or "" when nothing is near.
std::string didYouMean(llvm::StringRef name,
                       llvm::ArrayRef<std::string> candidates);

} // namespace ginc

#endif // GINC_TOOLS_GINC_COMMANDLINE_H
