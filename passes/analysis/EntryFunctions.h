//===- EntryFunctions.h - which functions are launched ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_ANALYSIS_ENTRYFUNCTIONS_H
#define GINC_PASSES_ANALYSIS_ENTRYFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gin {

/// The functions of `module` that a launcher may start: public ones with a body
/// that nothing else in the module refers to, in their order.
llvm::SmallVector<mlir::func::FuncOp> findEntryFunctions(mlir::ModuleOp module);

} // namespace gin

#endif // GINC_PASSES_ANALYSIS_ENTRYFUNCTIONS_H
