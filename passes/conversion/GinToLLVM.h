//===- GinToLLVM.h - gin ops become calls of the contract -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_CONVERSION_GINTOLLVM_H
#define GINC_PASSES_CONVERSION_GINTOLLVM_H

namespace mlir {
class DialectRegistry;
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace gin {

/// Lets upstream's `convert-to-llvm` lower the gin dialect: ops become calls of
/// the functions in runtime/device/contract.h, #gin.window and #gin.peer the
/// address space 0, `!gin.signals` a pointer and `!gin.token` an i64. It also
/// lowers `memref.load` and `memref.store` marked `gin.weak`, atomic additions
/// to windows, and `cf.assert` (to `gin_fail`). Run it on whole modules: it
/// adds declarations and constants to the module that an op stands in.
void registerConvertGinToLLVMInterface(mlir::DialectRegistry &registry);

/// The two halves of it, for embedders with a conversion of their own.
void populateGinToLLVMTypeConversions(mlir::LLVMTypeConverter &converter);
void populateGinToLLVMPatterns(const mlir::LLVMTypeConverter &converter,
                               mlir::RewritePatternSet &patterns);

} // namespace gin

#endif // GINC_PASSES_CONVERSION_GINTOLLVM_H
