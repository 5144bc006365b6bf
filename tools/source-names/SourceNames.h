//===- SourceNames.h - the names of values in a source ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_SOURCENAMES_SOURCENAMES_H
#define GINC_TOOLS_SOURCENAMES_SOURCENAMES_H

namespace mlir {
class AsmParserState;
} // namespace mlir

namespace ginc {

/// Gives operations and block arguments NameLocs with the names that the parsed
/// text has for them: an operation that of its result, or those of all its
/// results, separated by commas.
void nameValues(const mlir::AsmParserState &state);

} // namespace ginc

#endif // GINC_TOOLS_SOURCENAMES_SOURCENAMES_H
