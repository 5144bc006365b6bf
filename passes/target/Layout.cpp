//===- Layout.cpp - where a long statement breaks ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A model of clang-format (LLVM's style) for the statements that are emitted:
// each possible break has a price, by what it separates and how deep it is
// nested, and the cheapest way into 80 columns wins. The model knows calls,
// braced lists, subscripts, binary operators and conditionals, declarations of
// functions, and the heads of loops; test/passes/target/format.test holds it
// against clang-format itself.
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>
#include <queue>
#include <set>
#include <tuple>

using namespace gin::cuda;
using llvm::SmallVector;
using llvm::StringRef;

static constexpr unsigned limit = 80;
static constexpr unsigned continuation = 4;

/// Levels of operators, as clang-format counts them.
enum Level { NoOperator, Comma, Assignment, Conditional, Multiplicative = 14 };

static int levelOf(StringRef token) {
  return llvm::StringSwitch<int>(token)
      .Case(",", Comma)
      .Cases({"=", "+=", "-=", "*="}, Assignment)
      .Cases({"?", ":"}, Conditional)
      .Case("||", 4)
      .Case("&&", 5)
      .Case("|", 6)
      .Case("^", 7)
      .Case("&", 8)
      .Cases({"==", "!="}, 9)
      .Cases({"<", ">", "<=", ">="}, 10)
      .Cases({"<<", ">>"}, 12)
      .Cases({"+", "-"}, 13)
      .Cases({"*", "/", "%"}, Multiplicative)
      .Default(NoOperator);
}

namespace {
struct Token {
  StringRef text;
  bool space = false;        // before it
  int level = NoOperator;    // of a binary operator
  SmallVector<int, 2> opens; // operators whose first operand begins here
  unsigned closes = 0;       // operators whose last operand ends here
  unsigned operands = 0;     // of an operator: all of its chain
  bool canBreak = false;     // before it
  bool mustBreak = false;    // between the pieces of a string
  unsigned price = 0;        // of that

  bool opensScope() const { return text == "(" || text == "[" || text == "{"; }
  bool closesScope() const { return text == ")" || text == "]" || text == "}"; }
};

/// A bracket or an operator's chain that has begun.
struct Scope {
  unsigned indent, lastSpace;
  bool broken = false, noBreak = false, noBreakInOperand = false;
  bool mustBreak = false; // before the next operand: this one has several lines

  auto key() const {
    return std::tie(indent, lastSpace, broken, noBreak, noBreakInOperand,
                    mustBreak);
  }
  bool operator<(const Scope &other) const { return key() < other.key(); }
};

struct State {
  unsigned column;
  unsigned next; // token
  std::vector<Scope> scopes;
  bool operator<(const State &other) const {
    return std::tie(next, column, scopes) <
           std::tie(other.next, other.column, other.scopes);
  }
};

class Layout {
public:
  Layout(StringRef text, unsigned indent);
  std::string run();

private:
  void lex(StringRef text);
  void parse(int level);
  void parsePrimary();
  void price();
  unsigned place(State &state, bool newLine) const;
  unsigned columnAfterBreak(const State &state) const;
  void enterOperators(State &state) const;
  void leave(State &state, const Token &token) const;

  std::vector<Token> tokens;
  unsigned indent;
  unsigned at = 0;               // the parser's
  bool declaresFunction = false; // and does not call one
  unsigned functionName = 0;     // its token, if the line may break before it
};
} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool isWord(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == ':' || c == '#';
}

/// The length of the token that `text` begins with. Qualified names with their
/// template arguments, and operands with their unary operators, are one.
static size_t tokenLength(StringRef text, bool operand) {
  size_t i = 0;
  if (text[0] == '"') {
    for (i = 1; i < text.size() && text[i] != '"'; ++i)
      i += text[i] == '\\';
    return std::min(i + 1, text.size());
  }
  size_t unary = std::min(text.find_first_not_of("!&*-~"), text.size());
  if (operand && unary < text.size() && !StringRef(" =").contains(text[unary]))
    i = unary;
  bool isName = i < text.size() && isWord(text[i]) &&
                (text[i] != ':' || text.substr(i, 2) == "::");
  if (!isName) {
    if (i)
      return i; // before a bracket
    if (StringRef("(){}[],;").contains(text[0]))
      return 1;
    return std::min(text.find_first_of(" ,;()"), text.size());
  }
  while (i < text.size()) {
    if (isWord(text[i])) {
      ++i;
    } else if (text.substr(i).starts_with("->")) {
      i += 2;
    } else if (text[i] == '<' && i && text[i - 1] != ' ') {
      for (unsigned depth = 0; i < text.size(); ++i) {
        depth += text[i] == '<';
        if (text[i] == '>' && --depth == 0)
          break;
      }
      ++i;
    } else {
      break;
    }
  }
  return i;
}

void Layout::lex(StringRef text) {
  bool space = false;
  while (!text.empty()) {
    if (text[0] == ' ') {
      space = true;
      text = text.drop_front();
      continue;
    }
    bool operand = tokens.empty() || tokens.back().opensScope() ||
                   tokens.back().level || tokens.back().text == ";" || space;
    // A binary operator is followed by a space.
    size_t length = tokenLength(text, operand);
    Token token;
    token.text = text.take_front(length);
    token.space = space;
    if (token.text == "," ||
        (space && text.drop_front(length).starts_with(" ")))
      token.level = levelOf(token.text);
    tokens.push_back(token);
    text = text.drop_front(length);
    space = false;
  }
}

void Layout::parsePrimary() {
  while (at < tokens.size() && !tokens[at].level && !tokens[at].closesScope() &&
         tokens[at].text != ";") {
    bool opens = tokens[at].opensScope();
    ++at;
    if (!opens)
      continue;
    while (at < tokens.size() && !tokens[at].closesScope()) {
      parse(Comma);
      at += at < tokens.size() && tokens[at].text == ";";
    }
    at += at < tokens.size();
  }
}

void Layout::parse(int level) {
  if (level > Multiplicative)
    return parsePrimary();
  unsigned begin = at;
  SmallVector<unsigned> operators;
  while (at < tokens.size()) {
    parse(level + 1);
    if (at >= tokens.size() || tokens[at].level != level)
      break;
    operators.push_back(at++);
  }
  if (operators.empty() || at == begin)
    return;
  for (unsigned i : operators)
    tokens[i].operands = operators.size() + 1;
  // Outer ones come first.
  tokens[begin].opens.insert(tokens[begin].opens.begin(), level);
  ++tokens[at - 1].closes;
}

void Layout::price() {
  SmallVector<unsigned> strengths = {1};
  bool isFor = tokens[0].text == "for";
  bool isCondition = isFor || tokens[0].text == "if";
  for (auto [i, token] : llvm::enumerate(tokens)) {
    if (token.closesScope() && strengths.size() > 1)
      strengths.pop_back();
    if (i) {
      const Token &left = tokens[i - 1];
      bool isTernary = token.level == Conditional;
      unsigned own = 3;
      if (left.text.starts_with("\"") && token.text.starts_with("\"")) {
        token.canBreak = token.mustBreak = true;
      } else if (left.text == ";") {
        token.canBreak = isFor;
        own = 0;
      } else if (isTernary) {
        token.canBreak = true;
      } else if (left.level && left.level != Conditional) {
        token.canBreak = true;
        own = left.level;
        if (left.level == Assignment && isFor)
          own = 4;
        if (left.level == Assignment && token.text == "{")
          own = 160;
      } else if (left.opensScope()) {
        token.canBreak = !token.closesScope();
        own = 19;
        if (declaresFunction && left.text == "(" && strengths.size() == 2)
          own = 100;
        if (isCondition && i == 2)
          own = 1000;
      }
      if (token.closesScope() || token.text == "," || token.text == ";")
        token.canBreak = false;
      if (i > 1 && tokens[i - 2].text == "__launch_bounds__")
        token.canBreak = false;
      if (i && i == functionName) {
        token.canBreak = true;
        // It takes the word after a macro for the name of something.
        own = tokens[0].text == "GIN_API" ? 110 : 60;
      }
      token.price = 20 * strengths.back() + own;
    }
    if (token.opensScope())
      strengths.push_back(strengths.back() + (token.text == "[" ? 10 : 1));
  }
}

//===----------------------------------------------------------------------===//
// Placing
//===----------------------------------------------------------------------===//

/// Before the first token of operators' operands, whose later ones line up.
void Layout::enterOperators(State &state) const {
  const Token &token = tokens[state.next];
  const Token *left = state.next ? &tokens[state.next - 1] : nullptr;
  bool aligned = left && (left->opensScope() || left->text == ";" ||
                          left->text == "return" || left->level == Assignment);
  for (int level : token.opens) {
    Scope scope = state.scopes.back();
    const Scope &outer = state.scopes.back();
    scope.broken = false;
    scope.noBreak = outer.noBreak || outer.noBreakInOperand;
    scope.noBreakInOperand = false;
    if (!left || left->text != "return")
      scope.indent = std::max({state.column, outer.indent, outer.lastSpace});
    scope.lastSpace = std::max(outer.lastSpace, state.column);
    if (level == Conditional || (level > Assignment && !aligned))
      scope.indent += continuation;
    state.scopes.push_back(scope);
    aligned = false;
  }
}

void Layout::leave(State &state, const Token &token) const {
  for (unsigned i = 0; i < token.closes && state.scopes.size() > 1; ++i)
    state.scopes.pop_back();
}

unsigned Layout::columnAfterBreak(const State &state) const {
  const Scope &scope = state.scopes.back();
  bool continues = scope.indent == indent &&
                   (functionName == 0 || state.next != functionName);
  return continues ? indent + continuation : scope.indent;
}

/// Puts the next token down; returns what that costs.
unsigned Layout::place(State &state, bool newLine) const {
  const Token &token = tokens[state.next];
  const Token *left = state.next ? &tokens[state.next - 1] : nullptr;
  Scope &scope = state.scopes.back();
  unsigned cost = 0;
  if (newLine) {
    cost = token.price + (scope.broken ? 0 : 15);
    scope.broken = true;
    state.column = columnAfterBreak(state);
    scope.lastSpace = state.column;
    if (left->text == "," || left->text == ";")
      scope.mustBreak = false;
    for (size_t i = 0; i + !token.mustBreak < state.scopes.size(); ++i)
      state.scopes[i].mustBreak = true;
  } else if (left) {
    state.column += token.space;
    if (left->opensScope())
      scope.indent = state.column;
    bool separates = left->level && left->level != Assignment &&
                     left->text != "?" && left->level != 10;
    if (separates && left->operands > 2)
      scope.noBreakInOperand = true;
    bool isConditional = tokens[0].text == "if" || tokens[0].text == "for";
    bool startsBinary = !token.opens.empty() && token.opens.back() > Assignment;
    if ((left->level && left->level != Assignment) ||
        (left->level == Assignment && startsBinary) ||
        (state.next == 2 && isConditional))
      scope.lastSpace = state.column;
  }
  if (token.level)
    scope.noBreakInOperand = false;

  enterOperators(state);
  if (token.closesScope() && state.scopes.size() > 1)
    state.scopes.pop_back();
  if (token.opensScope()) {
    const Scope &outer = state.scopes.back();
    Scope inner;
    inner.indent = outer.lastSpace + continuation;
    inner.lastSpace = outer.lastSpace;
    inner.noBreak = outer.noBreak || outer.noBreakInOperand;
    state.scopes.push_back(inner);
  }
  state.column += token.text.size();
  if (state.column > limit)
    cost += 1000000 * (state.column - limit);
  leave(state, token);
  ++state.next;
  return cost;
}

Layout::Layout(StringRef text, unsigned indent) : indent(indent) {
  lex(text);
  bool mayBreak = text.starts_with("static ") ||
                  text.starts_with("ginResult_t ") ||
                  text.starts_with("GIN_API ");
  declaresFunction = (mayBreak || text.starts_with("extern ") ||
                      text.starts_with("__launch_bounds__")) &&
                     !text.contains(" = ");
  for (unsigned i = 0; declaresFunction && mayBreak && i < tokens.size(); ++i)
    if (tokens[i].text == "(") {
      functionName = i - 1;
      break;
    }
  while (at < tokens.size()) {
    parse(Comma);
    ++at; // a stray closing bracket or a semicolon
  }
  price();
}

std::string Layout::run() {
  struct Path {
    unsigned cost, count;
    State state;
    std::vector<bool> breaks;
    bool operator<(const Path &other) const { // the best one is the greatest
      return std::tie(cost, count) > std::tie(other.cost, other.count);
    }
  };
  std::priority_queue<Path> queue;
  std::set<State> seen;
  unsigned count = 0;
  State first{indent, 0, {Scope{indent, indent}}};
  Path start{place(first, false), count++, first, {false}};
  queue.push(start);
  while (!queue.empty()) {
    Path path = queue.top();
    queue.pop();
    if (path.state.next == tokens.size()) {
      std::string result;
      State replay{indent, 0, {Scope{indent, indent}}};
      for (auto [i, token] : llvm::enumerate(tokens)) {
        if (path.breaks[i]) {
          result += "\n";
          result.append(columnAfterBreak(replay), ' ');
        } else if (token.space) {
          result += ' ';
        }
        result += token.text;
        place(replay, path.breaks[i]);
      }
      return result;
    }
    if (!seen.insert(path.state).second)
      continue;
    const Token &token = tokens[path.state.next];
    const Scope &scope = path.state.scopes.back();
    const bool mustBreak =
        token.mustBreak ||
        (scope.mustBreak && tokens[path.state.next - 1].text == ",");
    for (bool newLine : {false, true}) {
      if (newLine ? !token.canBreak || scope.noBreak : mustBreak)
        continue;
      Path next = path;
      next.cost += place(next.state, newLine);
      next.breaks.push_back(newLine);
      next.count = count++;
      queue.push(std::move(next));
    }
  }
  return {};
}

std::string gin::cuda::wrap(StringRef statement, unsigned indent) {
  bool isOneLine =
      indent + statement.size() <= limit && !statement.contains("\" \"");
  if (isOneLine || statement.starts_with("#") || statement.starts_with("//"))
    return statement.str();
  return Layout(statement, indent).run();
}
