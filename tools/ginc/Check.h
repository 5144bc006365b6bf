//===- Check.h - are the results what they should be? -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_CHECK_H
#define GINC_TOOLS_GINC_CHECK_H

#include "Arguments.h"

namespace ginc {

/// Floating-point numbers are equal if they differ by at most
/// absolute + relative * |wanted|; NaN equals NaN. Integers must be the same.
struct Tolerance {
  double absolute = 0, relative = 0;
};

/// Compares results with what was wanted, argument by argument.
class Check {
public:
  /// What is wrong with an array from the file `where` that is of another type
  /// or shape than one rank's part; "" if nothing is.
  static std::string findMisfit(const Argument &argument, int64_t rank,
                                const NpyArray &wanted, llvm::StringRef where);

  /// Compares one rank's part with an array that fits, from what is called
  /// `where`. Differences are only counted.
  void compare(const Argument &argument, int64_t rank, const NpyArray &wanted,
               Tolerance tolerance, llvm::StringRef where);

  /// Reports the differences, one error for each argument at its place in the
  /// program; failure if there are any.
  mlir::LogicalResult report(int64_t ranks) const;

  bool passed() const;
  /// The names of what was compared, in the order in which that began.
  std::vector<std::string> names() const;

private:
  struct Result {
    explicit Result(const Argument *argument) : argument(argument) {}

    const Argument *argument;
    std::string against; ///< the file of the first difference
    uint64_t elements = 0, differences = 0, ranksDiffering = 0;
    int64_t rank = 0; ///< of the first difference, and so on
    uint64_t index = 0;
    std::string got, wanted;
    double largest = 0; ///< difference, of floats
  };
  Result &resultOf(const Argument &argument);

  std::vector<Result> results;
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_CHECK_H
