//===- EntryFunctions.cpp - which functions are launched --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/analysis/EntryFunctions.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

SmallVector<func::FuncOp> gin::findEntryFunctions(ModuleOp module) {
  llvm::DenseSet<StringAttr> referred;
  if (auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion()))
    for (SymbolTable::SymbolUse use : *uses)
      referred.insert(use.getSymbolRef().getRootReference());

  SmallVector<func::FuncOp> entries;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal() &&
        !referred.contains(function.getSymNameAttr()))
      entries.push_back(function);
  return entries;
}
