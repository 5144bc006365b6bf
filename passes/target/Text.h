//===- Text.h - lines of C++ ------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_TARGET_TEXT_H
#define GINC_PASSES_TARGET_TEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

#include <string>
#include <vector>

namespace gin::cuda {

/// Breaks a statement that does not fit into 80 columns where clang-format
/// would (LLVM's style). `statement` has its spaces and no line break; lines
/// after the first begin with their indentation.
std::string wrap(llvm::StringRef statement, unsigned indent);

/// The identifiers that C++ text uses, but for members and those in comments
/// and strings.
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
  /// The same of a branch or loop, which has no braces around a single simple
  /// statement. With `isSilent`, which no comment stands before, those of that
  /// statement come first.
  void openControl(const llvm::Twine &head, bool isSilent = false);
  /// A statement that has to stand in braces, like a declaration.
  void lineInBraces(const llvm::Twine &statement);
  void close(llvm::StringRef tail = "}");
  /// `} head {`, as of an else.
  void reopen(const llvm::Twine &head);
  /// For labels, which stand one level less deep than what they label.
  void outdent() { indent -= 2; }
  void indentAgain() { indent += 2; }
  /// Lines that are formatted already.
  void raw(llvm::StringRef lines);

  const std::string &str() const { return text; }
  bool empty() const { return text.empty(); }
  unsigned indentation() const { return indent; }

private:
  /// A head and the block after it.
  struct Part {
    std::string head;
    size_t block;            // where it begins in the text
    unsigned statements = 0; // that are seen
    unsigned levels = 0;     // of control without braces
    bool needsBraces = false, hasComment = false;
  };
  /// What is open: an if with its elses, or another statement.
  struct Open {
    size_t begin; // in the text
    bool isControl, isSilent;
    llvm::SmallVector<Part, 2> parts;
  };
  bool canGoWithoutBraces(const Open &control) const;
  void dropBraces(const Open &control);
  void count();

  std::string text;
  unsigned indent;
  std::vector<Open> opened;
};

} // namespace gin::cuda

#endif // GINC_PASSES_TARGET_TEXT_H
