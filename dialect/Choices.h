//===- Choices.h - which values control flow chooses among ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_DIALECT_CHOICES_H
#define GINC_DIALECT_CHOICES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace gin {

/// The values of which `value` is one, where a loop of scf carries it, or a
/// branch of scf or an arith.select yields it. Empty if it is none of these.
llvm::SmallVector<mlir::Value> choicesOf(mlir::Value value);

/// Goes through choices, and choices among choices, to what is none; each
/// value once.
llvm::SmallVector<mlir::Value> finalChoicesOf(mlir::Value value);

/// The arguments and ops that a memref's memory may come from, views (of peers
/// too) looked through; each once.
llvm::SmallVector<mlir::Value> originsOf(mlir::Value memref);

} // namespace gin

#endif // GINC_DIALECT_CHOICES_H
