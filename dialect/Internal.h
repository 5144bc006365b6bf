//===- Internal.h - shared by the sources of this folder --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_DIALECT_INTERNAL_H
#define GINC_DIALECT_INTERNAL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace gin {

/// The parts of registerExternalModels.
void registerAccessModels(mlir::DialectRegistry &registry);
void registerBufferizeModels(mlir::DialectRegistry &registry);
void registerValueBoundsModels(mlir::DialectRegistry &registry);

} // namespace gin

#endif // GINC_DIALECT_INTERNAL_H
