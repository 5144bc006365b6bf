//===- Settings.h - what a run is given, and by whom ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sizes, arguments and the reference come from the attribute gin.run of the
// program and from the command line, which has the last word. A setting knows
// where it was made, so that an error can say so.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_SETTINGS_H
#define GINC_TOOLS_GINC_SETTINGS_H

#include "RunOptions.h"
#include "Sizes.h"
#include "Source.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

namespace ginc {

struct Setting {
  std::string value;
  /// How to speak of it: "--arg x=foo.npy", or "x in 'args' of 'gin.run'".
  std::string origin;
  /// Where in the program it stands; none on the command line.
  std::optional<mlir::Location> location;
  /// Whether it stands on the command line in place of one of the program.
  bool overrides = false;

  /// Reports what is wrong with it.
  mlir::LogicalResult error(const llvm::Twine &message) const;
  mlir::LogicalResult error(const SizeError &error) const;
};

struct Settings {
  std::map<std::string, Setting> dims, args;
  std::optional<Setting> reference;
  std::optional<int64_t> ranks;

  /// Reports a mistake that evaluating `setting` has just come upon, blaming
  /// who made it: a size that it uses, perhaps one from the command line.
  mlir::LogicalResult error(const Setting &setting, const Sizes &sizes,
                            const SizeError &error) const;
  /// The same for a value that is right in itself, but not for its use.
  mlir::LogicalResult error(const Setting &setting, const Sizes &sizes,
                            const llvm::Twine &message) const;

  /// Reports a size on the command line that neither names an argument nor has
  /// been used by any expression: it must be a mistake.
  mlir::LogicalResult checkAllUsed(const Sizes &sizes,
                                   llvm::ArrayRef<std::string> arguments) const;

private:
  const Setting &blame(const Setting &setting, const Sizes &sizes) const;
};

/// The function to run: the one that was asked for, the only public one that no
/// other calls, or the one with gin.run. Null after an error.
mlir::func::FuncOp findEntry(Source &source, llvm::StringRef name);

/// Reads gin.run of `entry` and lays the command line over it.
mlir::FailureOr<Settings> readSettings(Source &source, mlir::func::FuncOp entry,
                                       const RunOptions &options);

/// Fills `sizes` with the settings that are not the shape of an argument.
mlir::LogicalResult defineSizes(const Settings &settings,
                                llvm::ArrayRef<std::string> arguments,
                                Sizes &sizes);

} // namespace ginc

#endif // GINC_TOOLS_GINC_SETTINGS_H
