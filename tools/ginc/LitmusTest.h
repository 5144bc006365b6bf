//===- LitmusTest.h - what a litmus program is expected to do ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The attribute gin.litmus of a function, a dictionary:
//
//   ranks, launches   numbers; launches is 1 unless given
//   host = @f         runs before each launch, with the entry's arguments
//   registers         names of the elements of the program's plain memref, of
//                     which there is one for all ranks
//   allow, forbid     outcomes: "r=1 y[0]@1=2" says that the register r is 1
//   and
//                     element 0 of rank 1's window y is 2 at the end
//   exact             allow lists all outcomes
//   verdict           what is wrong with the program. Of this, "deadlock",
//                     "unconsumed-signal", "out-of-bounds", "access-right" and
//                     "overlap" are expected of a run; the rest is for analyses
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_LITMUSTEST_H
#define GINC_TOOLS_GINC_LITMUSTEST_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace ginc {

/// A register, or a cell of a window at the end.
struct Observed {
  std::string name;
  std::string window; ///< empty: a register
  int64_t element;    ///< of the window, or of the registers
  int64_t rank = 0;   ///< of a cell
};

/// Values of some of the observed places.
struct OutcomePattern {
  std::string text;
  std::vector<std::pair<size_t, int64_t>> terms; ///< place, value

  bool holds(llvm::ArrayRef<int64_t> values) const {
    for (auto [place, value] : terms)
      if (values[place] != value)
        return false;
    return true;
  }
};

struct LitmusTest {
  std::string name;
  int64_t ranks = 1, launches = 1;
  std::vector<std::string> registers, verdict;
  /// What the patterns name, or all registers if there are none.
  std::vector<Observed> observed;
  std::vector<OutcomePattern> allow, forbid;
  bool exact = false;
  mlir::func::FuncOp host; ///< may be null

  /// Whether the verdict has `kind`, with or without a place.
  bool expects(llvm::StringRef kind) const;
  /// Whether an outcome must not be seen.
  bool forbids(llvm::ArrayRef<int64_t> values) const;

  /// Reads the attribute of `entry`; reports what is wrong with it.
  static mlir::FailureOr<LitmusTest> read(mlir::func::FuncOp entry);

private:
  mlir::LogicalResult readPatterns(mlir::func::FuncOp entry,
                                   llvm::StringRef key,
                                   std::vector<OutcomePattern> &patterns);
  mlir::LogicalResult checkContradictions(mlir::func::FuncOp entry) const;
  mlir::FailureOr<size_t> observe(mlir::func::FuncOp entry,
                                  llvm::StringRef name);
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_LITMUSTEST_H
