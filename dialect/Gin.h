//===- Gin.h - the gin dialect ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Types, attributes, interfaces and ops of the gin dialect. Their meaning is
// documented in the .td files beside this one and in docs/reference/dialect.md.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_DIALECT_GIN_H
#define GINC_DIALECT_GIN_H

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace gin {

enum class AccessKind { Read, Write, Atomic };

/// A part of a memref that an op touches, or more than that. Offsets and sizes
/// have one entry for each dimension of `memref`; both are empty when the whole
/// may be touched. What lies past the end of the memref is not touched.
struct Access {
  AccessKind kind;
  mlir::Value memref;
  llvm::SmallVector<mlir::OpFoldResult> offsets;
  /// A null size is not known: up to the end of its dimension.
  llvm::SmallVector<mlir::OpFoldResult> sizes;
  /// For an access to another rank's part: the peer, relative to `team`. Null
  /// for the own part and for peer views.
  mlir::OpFoldResult peer;
  mlir::Attribute team;
};

/// What a put, put_value or get may carry besides its operands.
struct RemoteOptions {
  mlir::Attribute team;
  std::optional<int64_t> context;
  bool accumulate = false;
  /// Bundled signal: absent without a bank; a null weight is 1.
  mlir::Value bank;
  llvm::SmallVector<mlir::OpFoldResult> slot;
  mlir::OpFoldResult weight;
  /// Whether the op returns a token.
  bool token = false;
};

/// Names of the dialect's attributes on functions and their arguments.
inline constexpr llvm::StringLiteral kNameAttr = "gin.name";
inline constexpr llvm::StringLiteral kSourceAttr = "gin.source";
inline constexpr llvm::StringLiteral kScratchAttr = "gin.scratch";
inline constexpr llvm::StringLiteral kSizesAttr = "gin.sizes";
inline constexpr llvm::StringLiteral kRightsAttr = "gin.rights";
inline constexpr llvm::StringLiteral kRunAttr = "gin.run";
inline constexpr llvm::StringLiteral kLitmusAttr = "gin.litmus";
/// On a memref.load or memref.store: left to the executor, which may delay it.
inline constexpr llvm::StringLiteral kWeakAttr = "gin.weak";
/// On an op of the kernel level: who performs it together.
inline constexpr llvm::StringLiteral kScopeAttr = "gin.scope";
/// On a kernel: the fewest blocks that its roles can do with.
inline constexpr llvm::StringLiteral kLeastBlocksAttr = "gin.least_blocks";

/// Whether `type` is a memref in the memory space #gin.window (or #gin.peer).
bool isWindow(mlir::Type type);
bool isPeerView(mlir::Type type);

/// Whether `op` is of the collective level.
bool isCollective(mlir::Operation *op);

/// The number of ranks of a team, grid or null (the world) where that is part
/// of the attribute; none where it is known at launch only.
std::optional<int64_t> getStaticNumRanks(mlir::Attribute team);

/// The version of the dialect in bytecode.
/// `BytecodeWriterConfig::setDialectVersion` takes one, for a reader that is
/// older or, in tests, newer.
struct BytecodeVersion : mlir::DialectVersion {
  /// What this build writes, and the newest that it reads. Raised whenever the
  /// build before would misread the bytecode.
  static constexpr uint64_t kCurrent = 1;

  explicit BytecodeVersion(uint64_t number = kCurrent) : number(number) {}
  uint64_t number;
};

/// Attaches gin's interfaces to ops of upstream dialects: footprints for
/// memref, linalg, vector and affine, bufferisation for gin's own collectives.
void registerExternalModels(mlir::DialectRegistry &registry);

} // namespace gin

#include "dialect/GinEnums.h.inc"

#include "dialect/GinDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/GinAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/GinTypes.h.inc"

#include "dialect/GinInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialect/GinOps.h.inc"

#endif // GINC_DIALECT_GIN_H
