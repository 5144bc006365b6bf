//===- Vectors.h - what kernels compute with vectors ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_TARGET_VECTORS_H
#define GINC_PASSES_TARGET_VECTORS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace gin {

/// Whether `op` computes with vectors what gin::Vector
/// (runtime/device/Vector.h) has no function for, or not one that is right for
/// the type. Such ops are computed with single elements: gin-lower-vectors
/// makes them so, and the emitter refuses them.
bool needsScalars(mlir::Operation *op);

} // namespace gin

#endif // GINC_PASSES_TARGET_VECTORS_H
