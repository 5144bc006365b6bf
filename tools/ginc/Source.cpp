//===- Source.cpp - the program's text --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Source.h"

#include "BytecodeTrial.h"
#include "Diagnostics.h"
#include "dialect/Gin.h"
#include "dialect/SourceText.h"
#include "tools/source-names/SourceNames.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace ginc;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Names of values
//===----------------------------------------------------------------------===//

/// What tools call an argument is its name in the text, unless it has another.
static void nameArguments(ModuleOp module) {
  module.walk([](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    // A gpu.func has more of these than arguments: its attributions.
    for (BlockArgument argument :
         function.getArguments().take_front(function.getNumArguments())) {
      StringRef name = gin::sourceNameOf(argument);
      unsigned index = argument.getArgNumber();
      if (!name.empty() && !function.getArgAttr(index, gin::kNameAttr))
        function.setArgAttr(index, gin::kNameAttr,
                            StringAttr::get(function.getContext(), name));
    }
  });
}

//===----------------------------------------------------------------------===//
// Nesting
//===----------------------------------------------------------------------===//

/// The parser and much of what comes after it recurse: deeper nesting than this
/// could need more stack than there is.
static constexpr unsigned maxNesting = 1000;

/// Where brackets, of any kind and outside strings and comments, nest deeper
/// than that; null if nowhere.
static const char *findDeepNesting(StringRef text) {
  unsigned depth = 0;
  for (const char *at = text.begin(), *end = text.end(); at != end; ++at) {
    if (*at == '/' && at + 1 != end && at[1] == '/') {
      at = std::find(at, end, '\n');
    } else if (*at == '"') {
      for (++at; at != end && *at != '"' && *at != '\n'; ++at)
        if (*at == '\\' && at + 1 != end)
          ++at;
    } else if (StringRef("{[(<").contains(*at)) {
      if (++depth > maxNesting)
        return at;
    } else if (StringRef("}])").contains(*at) ||
               (*at == '>' && at != text.begin() && at[-1] != '-')) {
      depth -= depth > 0;
    }
    if (at == end)
      break;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Source
//===----------------------------------------------------------------------===//

Source::Source(StringRef file, MLIRContext &context)
    : file(file), context(context),
      buffers(std::make_shared<llvm::SourceMgr>()),
      printer(*buffers, &context, llvm::errs()) {}

std::unique_ptr<Source> Source::load(StringRef file, MLIRContext &context) {
  if (llvm::sys::fs::is_directory(file)) {
    (void)error("'" + file + "' is a directory, not a program");
    return nullptr;
  }
  // One may have no end.
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(file, status) &&
      (status.type() == llvm::sys::fs::file_type::character_file ||
       status.type() == llvm::sys::fs::file_type::block_file)) {
    (void)error("'" + file + "' is a device, not a program");
    return nullptr;
  }
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (!buffer) {
    (void)error("cannot read '" + file + "': " + buffer.getError().message());
    return nullptr;
  }
  std::unique_ptr<Source> source(new Source(file, context));
  source->buffers->AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  if (failed(source->parse()))
    return nullptr;
  return source;
}

LogicalResult Source::parse() {
  const llvm::MemoryBuffer *buffer =
      buffers->getMemoryBuffer(buffers->getMainFileID());
  ParserConfig config(&context);
  Block block;
  // What goes wrong after the first mistake follows from it.
  unsigned errors = 0;
  ScopedDiagnosticHandler firstError(&context, [&](Diagnostic &diagnostic) {
    bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success(isError && errors++ > 0);
  });
  bytecode = mlir::isBytecode(*buffer);
  if (bytecode) {
    if (!survivesReading(buffer->getMemBufferRef(), context))
      return error("cannot read '" + file +
                   "': malformed bytecode; write the file again");
    if (failed(readBytecodeFile(buffers, &block, config)))
      return failure();
  } else {
    if (const char *deep = findDeepNesting(buffer->getBuffer())) {
      auto [line, column] =
          buffers->getLineAndColumn(llvm::SMLoc::getFromPointer(deep));
      return emitError(FileLineColLoc::get(
                 &context, buffer->getBufferIdentifier(), line, column))
             << "nests deeper than " << maxNesting
             << " levels; put inner parts into functions of their own";
    }
    AsmParserState state;
    if (failed(parseAsmSourceFile(*buffers, &block, config, &state)))
      return failure();
    nameValues(state);
  }
  Location start =
      FileLineColLoc::get(&context, buffer->getBufferIdentifier(), 1, 1);
  root = detail::constructContainerOpForParserIfNecessary<ModuleOp>(
      &block, &context, start);
  if (root && !bytecode)
    nameArguments(*root);
  return success(static_cast<bool>(root));
}

std::string Source::resolve(StringRef name) const {
  if (llvm::sys::path::is_absolute(name) || file == "-")
    return name.str();
  SmallString<128> path = llvm::sys::path::parent_path(file);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

/// Where a line begins, behind its blanks; 1 if the text has no such line.
static unsigned columnOfLine(StringRef text, int32_t line) {
  for (int32_t number = 1; number < line; ++number)
    text = text.split('\n').second;
  const size_t blanks = text.find_first_not_of(" \t");
  return blanks == StringRef::npos ? 1 : static_cast<unsigned>(blanks) + 1;
}

void Source::runTimeError(const gin_site_t *site, const Twine &message,
                          ArrayRef<std::string> details) {
  if (site && site->line > 0)
    printer.emitDiagnostic(
        FileLineColLoc::get(&context, site->file, site->line,
                            site->column > 0
                                ? static_cast<unsigned>(site->column)
                                : columnOfLine(text().getBuffer(), site->line)),
        message, DiagnosticSeverity::Error);
  else
    (void)error(message);
  for (const std::string &line : details)
    llvm::errs() << "  " << line << '\n';
}
