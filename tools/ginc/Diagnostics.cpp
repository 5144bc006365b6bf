//===- Diagnostics.cpp - errors without a place in the source ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace ginc;
using namespace llvm;

void ginc::setColors(ColorMode mode) {
  // WithColor asks this function for every stream in automatic mode, the one of
  // SourceMgr's diagnostics.
  switch (mode) {
  case ColorMode::Auto:
    WithColor::setAutoDetectFunction(WithColor::defaultAutoDetectFunction());
    return;
  case ColorMode::Enable:
    WithColor::setAutoDetectFunction([](const raw_ostream &) { return true; });
    errs().enable_colors(true);
    return;
  case ColorMode::Disable:
    WithColor::setAutoDetectFunction([](const raw_ostream &) { return false; });
    return;
  }
}

LogicalResult ginc::error(const Twine &message) {
  WithColor::error(errs(), "ginc") << message << '\n';
  return failure();
}

LogicalResult ginc::errorInText(const Twine &message, StringRef text,
                                size_t column) {
  (void)error(message);
  errs() << "  " << text << "\n  ";
  errs().indent(column);
  WithColor(errs(), raw_ostream::GREEN, /*Bold=*/true) << "^";
  errs() << '\n';
  return failure();
}

void ginc::warning(const Twine &message) {
  WithColor::warning(errs(), "ginc") << message << '\n';
}

LogicalResult ginc::print(function_ref<void(raw_ostream &)> write) {
  write(outs());
  outs().flush();
  if (!outs().has_error())
    return success();
  std::string why = outs().error().message();
  // Else LLVM would end the process with a message of its own.
  outs().clear_error();
  return error("cannot write to standard output: " + why);
}

void ginc::keepStandardStreams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      // The lowest number that is free; for the wrong direction, if possible.
      (void)open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
}
