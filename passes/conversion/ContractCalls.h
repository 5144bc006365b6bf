//===- ContractCalls.h - emit calls of the device contract ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_CONVERSION_CONTRACTCALLS_H
#define GINC_PASSES_CONVERSION_CONTRACTCALLS_H

#include "dialect/Gin.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace gin {

/// Emits, in place of one op, a call of the contract and what its arguments
/// need: constants of the module, and structures in stack slots.
///
/// A stack slot is allocated at the head of the function and shared by all
/// calls that use one of its type in the same role: a call has read its
/// structures when it returns, so that loops and long functions need no more
/// stack than one call.
class ContractCall {
public:
  ContractCall(mlir::Operation *op, mlir::ConversionPatternRewriter &rewriter,
               const mlir::LLVMTypeConverter &converter);

  mlir::Type pointerType() { return pointer; }
  mlir::Type intType(unsigned width) { return b.getIntegerType(width); }

  mlir::Value constant(unsigned width, int64_t value);
  mlir::Value null();
  /// An index, peer, count or the like as i64; null becomes `otherwise`.
  mlir::Value index(mlir::OpFoldResult value, int64_t otherwise = 0);
  /// The place of the op in the source, a `const gin_site_t *`.
  mlir::Value site();
  /// A `const gin_team_t *`; null for the world.
  mlir::Value team(mlir::Attribute team);
  /// A NUL-terminated string, and a constant array of such.
  mlir::Value string(llvm::StringRef text);
  mlir::Value strings(mlir::ArrayAttr texts);

  /// The low bits of a scalar, as i64, and back.
  mlir::Value toBits(mlir::Value value);
  mlir::Value fromBits(mlir::Value bits, mlir::Type type);

  /// A stack slot of `type`.
  mlir::Value stackSlot(mlir::Type type, llvm::StringRef role);
  /// Puts `value` into a stack slot.
  mlir::Value onStack(mlir::Value value, llvm::StringRef role);
  /// A `gin_place_t *`: the descriptor of `memref` and, for a whole window,
  /// indices.
  mlir::Value place(mlir::Value memref, llvm::StringRef role);
  mlir::Value place(mlir::Value memref,
                    llvm::ArrayRef<mlir::OpFoldResult> indices,
                    llvm::StringRef role);
  /// A `gin_slot_t *`; without a bank one that says so.
  mlir::Value slot(SlotOpInterface op);

  /// Calls `name`; returns its result, or null if `result` is.
  mlir::Value call(llvm::StringRef name, mlir::Type result,
                   mlir::ValueRange args);
  /// The same for a question whose answer never changes within an agent: LLVM
  /// may ask once for many times, or not at all.
  mlir::Value ask(llvm::StringRef name, mlir::ValueRange args);

  /// The function of the op, and its module.
  mlir::Operation *function;
  mlir::Operation *module;

private:
  mlir::Value indexArray(llvm::ArrayRef<mlir::OpFoldResult> indices,
                         llvm::StringRef role);
  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef name, mlir::Type result,
                                 mlir::ValueRange args);
  mlir::Value structure(llvm::ArrayRef<mlir::Value> fields,
                        llvm::StringRef role);
  /// The address of a constant of the module whose contents its name tells.
  mlir::Value global(const llvm::Twine &name, mlir::Type type,
                     mlir::Attribute value,
                     llvm::function_ref<mlir::Value()> initializer);

  mlir::Operation *op;
  mlir::ConversionPatternRewriter &rewriter;
  mlir::ImplicitLocOpBuilder b;
  mlir::Type pointer;
};

/// `enum gin_type` of an element type.
int32_t contractType(mlir::Type element);

/// The width in memory of an element, in bits: 8, 16, 32 or 64.
unsigned memoryBits(mlir::Type element);

/// The parts of populateGinToLLVMPatterns.
void populateTransferPatterns(const mlir::LLVMTypeConverter &converter,
                              mlir::RewritePatternSet &patterns);
void populateSignalPatterns(const mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
void populateRankPatterns(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
void populateAgentPatterns(const mlir::LLVMTypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
void populateMemoryPatterns(const mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);

} // namespace gin

#endif // GINC_PASSES_CONVERSION_CONTRACTCALLS_H
