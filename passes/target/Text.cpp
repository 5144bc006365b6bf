//===- Text.cpp - lines of C++ ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Text.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace gin::cuda;
using llvm::StringRef;
using llvm::Twine;

static constexpr unsigned step = 2;
static constexpr size_t columns = 80;

void Text::line(const Twine &statement) {
  text.append(indent, ' ');
  text += wrap(statement.str(), indent);
  text += '\n';
}

void Text::comment(const Twine &comment) {
  std::string words = comment.str();
  StringRef rest = words;
  while (!rest.empty()) {
    size_t room = columns - indent - 3;
    size_t end = rest.size();
    if (end > room) {
      end = rest.rfind(' ', room);
      if (end == StringRef::npos || end == 0)
        end = std::min(rest.find(' '), rest.size());
    }
    text.append(indent, ' ');
    text += "// " + rest.take_front(end).rtrim().str() + "\n";
    rest = rest.drop_front(end).ltrim();
  }
}

void Text::blank() {
  if (!text.empty() && !StringRef(text).ends_with("\n\n"))
    text += '\n';
}

void Text::open(const Twine &head) {
  line(head.isTriviallyEmpty() ? Twine("{") : head + " {");
  indent += step;
}

void Text::close(StringRef tail) {
  indent -= step;
  line(tail);
}

void Text::reopen(const Twine &head) {
  indent -= step;
  line("} " + head + " {");
  indent += step;
}

//===----------------------------------------------------------------------===//
// Variables that nothing reads
//===----------------------------------------------------------------------===//

llvm::StringSet<> gin::cuda::identifiersOf(StringRef text) {
  llvm::StringSet<> result;
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t i = 0; i < text.size();) {
    if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        i += text[i] == '\\';
      ++i;
    } else if (isPart(text[i])) {
      size_t begin = i;
      while (i < text.size() && isPart(text[i]))
        ++i;
      result.insert(text.slice(begin, i));
    } else {
      ++i;
    }
  }
  return result;
}

// Around the lines of a variable, with its name at first.
static constexpr char opening = '\1', named = '\2', closing = '\3';

void Text::lineFor(StringRef variable, const Twine &statement) {
  text += opening + variable.str() + named;
  line(statement);
  text += closing;
}

namespace {
/// Lines that stay, or those of a variable.
struct Piece {
  StringRef variable, lines;
  llvm::StringSet<> identifiers;
};
} // namespace

void Text::dropUnread() {
  llvm::SmallVector<Piece> pieces;
  llvm::StringMap<size_t> declarations;
  for (StringRef rest = text; !rest.empty();) {
    Piece piece;
    if (rest.consume_front(StringRef(&opening, 1))) {
      std::tie(piece.variable, rest) = rest.split(named);
      std::tie(piece.lines, rest) = rest.split(closing);
      declarations.try_emplace(piece.variable, pieces.size());
    } else {
      piece.lines = rest.take_until([](char c) { return c == opening; });
      rest = rest.drop_front(piece.lines.size());
    }
    piece.identifiers = identifiersOf(piece.lines);
    pieces.push_back(std::move(piece));
  }
  // What is read by what stays, stays.
  llvm::StringSet<> read;
  for (size_t before = ~size_t(0); before != read.size();) {
    before = read.size();
    for (auto [i, piece] : llvm::enumerate(pieces)) {
      if (!piece.variable.empty() && !read.contains(piece.variable))
        continue;
      for (const auto &[variable, declaration] : declarations)
        if (i > declaration && variable != piece.variable &&
            piece.identifiers.contains(variable))
          read.insert(variable);
    }
  }
  std::string kept;
  for (const Piece &piece : pieces)
    if (piece.variable.empty() || read.contains(piece.variable))
      kept += piece.lines;
  text = std::move(kept);
}
