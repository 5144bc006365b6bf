//===- Sizes.h - expressions for sizes and numbers --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The language of --dims and of `dims` in gin.run: integer expressions over
// `ranks`, `rank` and sizes that have a name.
//
//   expr    := sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
//   sum     := product {("+" | "-") product}
//   product := unary {("*" | "/" | "%") unary}
//   unary   := ["-"] unary | number | name | "(" expr ")"
//            | ("min" | "max") "(" expr {"," expr} ")"
//
// A comparison is 1 or 0. Division rounds down and the remainder has the sign
// of the divisor, so that x == x / y * y + x % y. Arithmetic is on 64 bits and
// an overflow is an error.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_SIZES_H
#define GINC_TOOLS_GINC_SIZES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ginc {

/// What is wrong with an expression, and where: at `column` of `text`, which is
/// the expression of the named size `size` where the mistake is there.
struct SizeError {
  std::string message;
  std::string text;
  size_t column = 0;
  bool inValue = false; ///< the text is right, but not with these values
  std::string size = {};
};

/// The names that expressions may use, and their evaluation.
class Sizes {
public:
  explicit Sizes(int64_t ranks) : ranks(ranks) {}

  /// Lets `name` stand for `expression`, which may use other names in turn. A
  /// later definition replaces an earlier one.
  void define(llvm::StringRef name, llvm::StringRef expression);

  /// The value of `expression` on `rank`, or none and what is wrong with it.
  std::optional<int64_t> evaluate(llvm::StringRef expression, int64_t rank,
                                  SizeError &error);
  /// The values of comma-separated expressions.
  std::optional<std::vector<int64_t>>
  evaluateList(llvm::StringRef expressions, int64_t rank, SizeError &error);

  /// Whether anything evaluated so far has used the size `name`.
  bool wasUsed(llvm::StringRef name) const;
  /// The sizes that the last evaluation has used.
  const std::set<std::string> &lastUsed() const { return used; }
  /// The names that an expression may use.
  std::vector<std::string> names() const;

  static bool isReserved(llvm::StringRef name) {
    return name == "rank" || name == "ranks" || name == "min" || name == "max";
  }

private:
  friend class SizeParser;
  struct Definition {
    std::string expression;
    bool used = false;
    bool open = false; ///< being evaluated
  };
  int64_t ranks;
  std::map<std::string, Definition> definitions;
  std::set<std::string> used;
  unsigned nesting = 0;
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_SIZES_H
