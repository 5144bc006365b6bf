//===- TileSizes.h - the sizes of a tile loop -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_CONVERSION_TILESIZES_H
#define GINC_PASSES_CONVERSION_TILESIZES_H

#include "dialect/Gin.h"

namespace gin {

/// Extents of a gin.matmul, as values.
struct TileSizes {
  /// Takes them from the op's operands. What types leave open is asserted in
  /// the run.
  TileSizes(mlir::OpBuilder &builder, MatmulOp op);

  mlir::Value parts, m, n, k;
  mlir::Value groups; ///< of the right factor, if it has any
};

} // namespace gin

#endif // GINC_PASSES_CONVERSION_TILESIZES_H
