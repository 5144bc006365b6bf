//===- RegisterAll.h - everything that gin-opt knows ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_REGISTERALL_REGISTERALL_H
#define GINC_TOOLS_REGISTERALL_REGISTERALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace gin {

/// Registers the gin dialect and all dialects, extensions and external models
/// of upstream. Nothing is loaded: a context loads what a module uses.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers gin's passes and all of upstream's, once per process.
void registerAllPasses();

} // namespace gin

#endif // GINC_TOOLS_REGISTERALL_REGISTERALL_H
