//===- SourceText.h - what the source calls values and ops ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Names of values are kept in NameLocs by whoever parsed them, the text of an
// op that a pass replaces in a FusedLoc's metadata. They are for diagnostics,
// traces and emitted text alone.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_DIALECT_SOURCETEXT_H
#define GINC_DIALECT_SOURCETEXT_H

#include "mlir/IR/Value.h"

#include <string>

namespace gin {

/// The name that a value has in the source, without the percent sign, or empty.
/// The location of an op with several results names all, separated by commas.
llvm::StringRef sourceNameOf(mlir::Value value);

/// An op as a reader would name it, with the operands that have names or are
/// literals: "gin.put %x into %y on %peer".
std::string sourceTextOf(mlir::Operation *op);

/// The text of the source's op that a pass has made this of, or empty.
llvm::StringRef originOf(mlir::Location location);

/// The location for what a pass makes of `op`: it keeps the op's text, or that
/// of what the op was made of.
mlir::Location locationWithOrigin(mlir::Operation *op);

} // namespace gin

#endif // GINC_DIALECT_SOURCETEXT_H
