//===- Sizes.cpp - expressions for sizes and numbers ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Sizes.h"

#include "CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace ginc;
using namespace llvm;

namespace ginc {

/// Evaluates while it parses. After an error every function returns 0, and the
/// first error is kept.
class SizeParser {
public:
  SizeParser(Sizes &sizes, StringRef text, int64_t rank, SizeError &error)
      : sizes(sizes), text(text), rank(rank), error(error) {}

  std::optional<std::vector<int64_t>> parseList() {
    std::vector<int64_t> values;
    do
      values.push_back(parseExpression());
    while (!failed && consume(","));
    if (!failed && !atEnd())
      fail("unexpected '" + rest() + "'", position);
    if (failed)
      return std::nullopt;
    return values;
  }

private:
  /// Deep enough for people, shallow enough for the stack.
  static constexpr unsigned maxDepth = 100;

  int64_t fail(const Twine &message, size_t column) {
    if (!failed)
      error = {message.str(), text.str(), column};
    failed = true;
    return 0;
  }

  int64_t failInValue(const Twine &message, size_t column) {
    bool first = !failed;
    fail(message, column);
    error.inValue |= first;
    return 0;
  }

  void skipSpace() {
    while (position < text.size() && isSpace(text[position]))
      ++position;
  }
  bool atEnd() {
    skipSpace();
    return position == text.size();
  }
  /// What to quote of the text that was not understood.
  std::string rest() const {
    StringRef tail = text.drop_front(position);
    StringRef word = tail.take_while([](char c) { return isAlnum(c); });
    return (word.empty() ? tail.take_front(1) : word).str();
  }
  bool consume(StringRef token) {
    skipSpace();
    if (!text.drop_front(position).starts_with(token))
      return false;
    position += token.size();
    return true;
  }

  int64_t parseExpression() {
    if (++depth > maxDepth)
      return fail("the expression is nested too deeply", position);
    int64_t left = parseSum();
    // Longer operators first.
    for (StringRef op : {"<=", ">=", "==", "!=", "<", ">"}) {
      if (failed || !consume(op))
        continue;
      int64_t right = parseSum();
      --depth;
      if (op.starts_with("<"))
        return op == "<" ? left < right : left <= right;
      if (op.starts_with(">"))
        return op == ">" ? left > right : left >= right;
      return (op == "==") == (left == right);
    }
    --depth;
    return left;
  }

  int64_t parseSum() {
    int64_t value = parseProduct();
    while (!failed) {
      skipSpace();
      size_t at = position;
      int64_t result;
      if (consume("+")) {
        if (AddOverflow(value, parseProduct(), result))
          return overflow(at);
      } else if (consume("-")) {
        if (SubOverflow(value, parseProduct(), result))
          return overflow(at);
      } else {
        return value;
      }
      value = result;
    }
    return 0;
  }

  int64_t parseProduct() {
    int64_t value = parseUnary();
    while (!failed) {
      skipSpace();
      size_t at = position;
      if (consume("*")) {
        int64_t result;
        if (MulOverflow(value, parseUnary(), result))
          return overflow(at);
        value = result;
        continue;
      }
      bool quotient = consume("/");
      if (!quotient && !consume("%"))
        return value;
      int64_t divisor = parseUnary();
      if (failed)
        return 0;
      if (divisor == 0)
        return failInValue("division by zero", at);
      if (divisor == -1) {
        if (quotient && value == std::numeric_limits<int64_t>::min())
          return overflow(at);
        value = quotient ? -value : 0;
        continue;
      }
      int64_t down = divideFloorSigned(value, divisor);
      value = quotient ? down : value - down * divisor;
    }
    return 0;
  }

  int64_t parseUnary() {
    if (++depth > maxDepth)
      return fail("the expression is nested too deeply", position);
    skipSpace();
    size_t at = position;
    int64_t value;
    if (consume("-")) {
      // The least number is one that has no positive counterpart.
      skipSpace();
      StringRef number = text.drop_front(position).take_while(
          [](char c) { return isDigit(c); });
      uint64_t magnitude;
      if (!number.getAsInteger(10, magnitude) && magnitude == 1ull << 63) {
        position += number.size();
        --depth;
        return std::numeric_limits<int64_t>::min();
      }
      int64_t operand = parseUnary();
      if (SubOverflow<int64_t>(0, operand, value))
        return overflow(at);
    } else {
      value = parsePrimary();
    }
    --depth;
    return value;
  }

  int64_t parsePrimary() {
    if (atEnd())
      return fail(text.trim().empty() ? "the expression is empty"
                                      : "the expression ends too early",
                  position);
    size_t at = position;
    if (consume("(")) {
      int64_t value = parseExpression();
      if (!failed && !consume(")"))
        return fail("expected ')'", position);
      return value;
    }
    StringRef word = text.drop_front(position).take_while(
        [](char c) { return isAlnum(c) || c == '_'; });
    if (word.empty())
      return fail("unexpected '" + rest() + "'", position);
    position += word.size();
    if (isDigit(word.front())) {
      int64_t value;
      if (word.find_if_not(isDigit) != StringRef::npos)
        return fail("'" + word + "' is not a number", at);
      if (word.getAsInteger(10, value))
        return overflow(at);
      return value;
    }
    if ((word == "min" || word == "max") && consume("("))
      return parseExtremum(word == "max");
    return lookUp(word, at);
  }

  int64_t parseExtremum(bool largest) {
    int64_t value = parseExpression();
    while (!failed && consume(",")) {
      int64_t other = parseExpression();
      value = largest ? std::max(value, other) : std::min(value, other);
    }
    if (!failed && !consume(")"))
      return fail("expected ')'", position);
    return value;
  }

  int64_t lookUp(StringRef name, size_t at) {
    if (name == "rank")
      return rank;
    if (name == "ranks")
      return sizes.ranks;
    auto found = sizes.definitions.find(name.str());
    if (found == sizes.definitions.end()) {
      std::vector<std::string> names = sizes.names();
      // What is being defined cannot be meant.
      erase_if(names, [&](const std::string &other) {
        auto defined = sizes.definitions.find(other);
        return defined != sizes.definitions.end() && defined->second.open;
      });
      return fail("unknown size '" + name + "'" + didYouMean(name, names), at);
    }
    Sizes::Definition &definition = found->second;
    if (definition.open)
      return fail("size '" + name + "' is defined by itself", at);
    definition.used = definition.open = true;
    sizes.used.insert(name.str());
    std::optional<int64_t> value =
        sizes.evaluate(definition.expression, rank, error);
    definition.open = false;
    if (!value) {
      failed = true; // `error` already says where
      if (error.size.empty())
        error.size = name.str();
    }
    return value.value_or(0);
  }

  int64_t overflow(size_t at) {
    return failInValue("the value needs more than 64 bits", at);
  }

  Sizes &sizes;
  StringRef text;
  int64_t rank;
  SizeError &error;
  size_t position = 0;
  unsigned depth = 0;
  bool failed = false;
};

} // namespace ginc

void Sizes::define(StringRef name, StringRef expression) {
  definitions[name.str()] = {expression.str()};
}

std::optional<std::vector<int64_t>>
Sizes::evaluateList(StringRef expressions, int64_t rank, SizeError &error) {
  if (nesting++ == 0)
    used.clear();
  auto values = SizeParser(*this, expressions, rank, error).parseList();
  --nesting;
  return values;
}

std::optional<int64_t> Sizes::evaluate(StringRef expression, int64_t rank,
                                       SizeError &error) {
  std::optional<std::vector<int64_t>> values =
      evaluateList(expression, rank, error);
  if (!values)
    return std::nullopt;
  if (values->size() != 1) {
    error = {"one value is needed, not " + std::to_string(values->size()),
             expression.str(), 0};
    return std::nullopt;
  }
  return values->front();
}

bool Sizes::wasUsed(StringRef name) const {
  auto found = definitions.find(name.str());
  return found != definitions.end() && found->second.used;
}

std::vector<std::string> Sizes::names() const {
  std::vector<std::string> all = {"rank", "ranks"};
  for (const auto &[name, definition] : definitions)
    all.push_back(name);
  return all;
}
