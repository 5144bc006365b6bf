//===- Diagnostics.cpp - errors without a place in the source ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "llvm/Support/raw_ostream.h"

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
