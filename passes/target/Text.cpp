//===- Text.cpp - lines of C++ ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Text.h"

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
