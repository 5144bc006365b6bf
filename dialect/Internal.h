//===- Internal.h - shared by the sources of this folder --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_DIALECT_INTERNAL_H
#define GINC_DIALECT_INTERNAL_H

#include "dialect/Gin.h"

namespace gin {

/// The parts of registerExternalModels.
void registerAccessModels(mlir::DialectRegistry &registry);
void registerBufferizeModels(mlir::DialectRegistry &registry);
void registerValueBoundsModels(mlir::DialectRegistry &registry);

/// A team as it stands in #gin.team<...> and in clauses of ops: `lsa`, `row of
/// ?x?`; a grid in clauses is `grid ?x?`. Null on an error, which is reported.
mlir::Attribute parseTeamBody(mlir::AsmParser &parser);
void printTeamBody(mlir::AsmPrinter &printer, mlir::Attribute team);

/// The regions of gin.matmul, those that are not empty.
mlir::ParseResult parseTileRegions(mlir::OpAsmParser &parser,
                                   mlir::Region &acquire, mlir::Region &reserve,
                                   mlir::Region &publish, mlir::Region &spare);
void printTileRegions(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      mlir::Region &acquire, mlir::Region &reserve,
                      mlir::Region &publish, mlir::Region &spare);

/// Verifies that `agent`, a region of `op` that runs as agents of its own, uses
/// no token from outside.
mlir::LogicalResult verifyAgent(mlir::Operation *op, mlir::Region &agent);

//===----------------------------------------------------------------------===//
// Operands that are values or literals
//===----------------------------------------------------------------------===//
//
// A single one is an optional operand beside an optional attribute; a list is a
// variadic operand beside an array in which ShapedType::kDynamic marks a value.

/// The operand or the literal; null if there is neither.
mlir::OpFoldResult getMixed(mlir::Value dynamic, mlir::IntegerAttr literal);

/// An operand and a literal, of which at most one is not null.
struct SplitMixed {
  SplitMixed(mlir::Builder &builder, mlir::OpFoldResult mixed);
  mlir::Value dynamic;
  mlir::IntegerAttr literal;
};

/// A list of operands, and of literals with marks for the operands.
struct SplitMixedList {
  SplitMixedList(mlir::Builder &builder,
                 llvm::ArrayRef<mlir::OpFoldResult> mixed);
  llvm::SmallVector<mlir::Value> dynamic;
  mlir::DenseI64ArrayAttr literals;
};

/// Verifies that there is either an operand or a literal.
mlir::LogicalResult verifyMixed(mlir::Operation *op, llvm::StringRef what,
                                mlir::Value dynamic, mlir::IntegerAttr literal);

/// Verifies that there is one operand for each mark.
mlir::LogicalResult verifyMixedList(mlir::Operation *op, llvm::StringRef what,
                                    mlir::ValueRange dynamic,
                                    llvm::ArrayRef<int64_t> literals);

//===----------------------------------------------------------------------===//
// What literals may be
//===----------------------------------------------------------------------===//
//
// Verifiers refuse other literals. Canonicalisation does not make them out of
// constants: code that is never executed may well have such.

bool isPeerLiteral(int64_t peer, mlir::Attribute team);
bool isSlotLiteral(int64_t index, int64_t extent);
/// Whether a block of extent `size` may begin at `index`, in a dimension of
/// extent `extent`.
bool isPlaceLiteral(int64_t index, int64_t size, int64_t extent);
inline bool isWeightLiteral(int64_t weight) { return weight >= 1; }
inline bool isTimeoutLiteral(int64_t timeout) { return timeout >= 0; }

/// The extent in dimension `dim` of a window of rank `rank` of a block of shape
/// `block`, which aligns with the last dimensions.
int64_t getBlockExtent(llvm::ArrayRef<int64_t> block, int64_t rank,
                       int64_t dim);

mlir::LogicalResult verifyPeer(mlir::Operation *op, mlir::Value dynamic,
                               mlir::IntegerAttr literal, mlir::Attribute team);
mlir::LogicalResult verifyContext(mlir::Operation *op,
                                  mlir::IntegerAttr context);
mlir::LogicalResult verifySlot(mlir::Operation *op, mlir::Value bank,
                               mlir::ValueRange dynamic,
                               llvm::ArrayRef<int64_t> literals);
mlir::LogicalResult verifyWeight(mlir::Operation *op, mlir::Value dynamic,
                                 mlir::IntegerAttr literal);

} // namespace gin

#endif // GINC_DIALECT_INTERNAL_H
