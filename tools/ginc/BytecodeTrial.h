//===- BytecodeTrial.h - whether bytecode can be read -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_BYTECODETRIAL_H
#define GINC_TOOLS_GINC_BYTECODETRIAL_H

#include "llvm/Support/MemoryBufferRef.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace ginc {

/// Whether reading `bytes` comes to an end, well or with diagnostics.
/// Upstream's bytecode reader aborts on some malformed files, asks for all
/// memory or never ends (test/fuzz), so it is tried in a child process, with
/// limits on memory and time. `context` gives the dialects; it is not changed.
bool survivesReading(llvm::MemoryBufferRef bytes, mlir::MLIRContext &context);

} // namespace ginc

#endif // GINC_TOOLS_GINC_BYTECODETRIAL_H
