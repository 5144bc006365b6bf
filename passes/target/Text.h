//===- Text.h - lines of C++ ------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_TARGET_TEXT_H
#define GINC_PASSES_TARGET_TEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

#include <string>

namespace gin::cuda {

/// Breaks a statement that does not fit into 80 columns where clang-format
/// would (LLVM's style). `statement` has its spaces and no line break; lines
/// after the first begin with their indentation.
std::string wrap(llvm::StringRef statement, unsigned indent);

/// The identifiers that C++ text uses, but for those in comments and strings.
llvm::StringSet<> identifiersOf(llvm::StringRef text);

/// Collects lines, indented and broken as clang-format would leave them.
class Text {
public:
  explicit Text(unsigned indent = 0) : indent(indent) {}

  /// A statement, a declaration or a directive.
  void line(const llvm::Twine &statement);
  /// A declaration or assignment of a variable, which dropUnread() takes away
  /// if nothing reads that. What is declared later has other names.
  void lineFor(llvm::StringRef variable, const llvm::Twine &statement);
  void dropUnread();
  /// `// text`, over several lines if it is long.
  void comment(const llvm::Twine &text);
  void blank();
  /// `head {` and what follows one level deeper, up to close().
  void open(const llvm::Twine &head);
  void close(llvm::StringRef tail = "}");
  /// `} head {`, as of an else.
  void reopen(const llvm::Twine &head);
  /// For labels, which stand one level less deep than what they label.
  void outdent() { indent -= 2; }
  void indentAgain() { indent += 2; }
  /// Lines that are formatted already.
  void raw(llvm::StringRef lines) { text += lines; }

  const std::string &str() const { return text; }
  bool empty() const { return text.empty(); }
  unsigned indentation() const { return indent; }

private:
  std::string text;
  unsigned indent;
};

} // namespace gin::cuda

#endif // GINC_PASSES_TARGET_TEXT_H
