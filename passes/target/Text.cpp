//===- Text.cpp - lines of C++ ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace gin::cuda;
using llvm::StringRef;
using llvm::Twine;

static constexpr unsigned step = 2;
static constexpr size_t columns = 80;

void Text::line(const Twine &statement) {
  count();
  text.append(indent, ' ');
  text += wrap(statement.str(), indent);
  text += '\n';
}

void Text::comment(const Twine &comment) {
  if (!opened.empty())
    opened.back().parts.back().hasComment = true;
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

void Text::raw(StringRef lines) {
  text += lines;
  if (!opened.empty())
    opened.back().parts.back().needsBraces = true;
}

void Text::lineInBraces(const Twine &statement) {
  line(statement);
  if (!opened.empty())
    opened.back().parts.back().needsBraces = true;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// One more statement of the block.
void Text::count() {
  if (!opened.empty())
    ++opened.back().parts.back().statements;
}

void Text::open(const Twine &head) {
  size_t begin = text.size();
  line(head.isTriviallyEmpty() ? Twine("{") : head + " {");
  indent += step;
  opened.push_back({begin, false, false, {{head.str(), text.size()}}});
}

void Text::openControl(const Twine &head, bool isSilent) {
  open(head);
  opened.back().isControl = true;
  opened.back().isSilent = isSilent;
}

void Text::reopen(const Twine &head) {
  indent -= step;
  std::string words = head.str();
  text.append(indent, ' ');
  text += "} " + words + " {\n";
  indent += step;
  opened.back().parts.push_back({words, text.size()});
}

void Text::close(StringRef tail) {
  Open closed = std::move(opened.back());
  opened.pop_back();
  indent -= step;
  Part *outer = opened.empty() ? nullptr : &opened.back().parts.back();
  if (canGoWithoutBraces(closed)) {
    dropBraces(closed);
    if (!outer)
      return;
    outer->levels = closed.parts.front().levels + 1;
    outer->hasComment |= closed.parts.front().hasComment;
    // An else of the outer statement would look like one of this.
    outer->needsBraces |= closed.parts.size() > 1;
    return;
  }
  text.append(indent, ' ');
  text += wrap(tail.str(), indent) + "\n";
  if (outer)
    outer->needsBraces = true;
}

/// As LLVM has it: two levels at most, and all branches alike.
bool Text::canGoWithoutBraces(const Open &control) const {
  const bool isAlone = control.parts.size() == 1;
  return control.isControl &&
         llvm::all_of(control.parts, [&](const Part &part) {
           return part.statements == 1 && !part.needsBraces &&
                  part.levels <= (isAlone ? 1 : 0) &&
                  (!part.hasComment || (isAlone && control.isSilent));
         });
}

void Text::dropBraces(const Open &control) {
  std::string old = std::move(text);
  text = old.substr(0, control.begin);
  for (const auto &[i, part] : llvm::enumerate(control.parts)) {
    bool isLast = i + 1 == control.parts.size();
    size_t end = isLast ? old.size() : control.parts[i + 1].block;
    StringRef lines = StringRef(old).slice(part.block, end);
    if (!isLast) // without the line of the else
      lines = lines.drop_back(1).rsplit('\n').first;
    // Comments come before the head, where they are one level less deep.
    while (lines.ltrim().starts_with("//")) {
      auto [comment, rest] = lines.split('\n');
      text += comment.drop_front(step).str() + "\n";
      lines = rest;
    }
    text.append(indent, ' ');
    text += wrap(part.head, indent) + "\n" + lines.rtrim('\n').str() + "\n";
  }
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
      StringRef before = text.take_front(begin);
      if (!before.ends_with(".") && !before.ends_with("->"))
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
  lineInBraces(statement);
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
