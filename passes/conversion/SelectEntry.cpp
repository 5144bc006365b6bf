//===- SelectEntry.cpp - keep what is launched ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/analysis/EntryFunctions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace gin {
#define GEN_PASS_DEF_SELECTENTRY
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;

/// The names of `functions` for a diagnostic.
static std::string listNames(ArrayRef<func::FuncOp> functions) {
  std::string names;
  for (func::FuncOp function : functions) {
    if (!names.empty())
      names += ", ";
    names += '@' + function.getSymName().str();
  }
  return names;
}

/// The function to launch, or null after a diagnostic.
static func::FuncOp findEntry(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> entries = gin::findEntryFunctions(module);
  if (name.empty()) {
    if (entries.size() == 1)
      return entries.front();
    if (entries.empty())
      module.emitError("there is no entry function: no public function with a "
                       "body that nothing else refers to");
    else
      module.emitError() << "there are several entry functions ("
                         << listNames(entries) << "); choose one with 'entry'";
    return nullptr;
  }
  auto entry = module.lookupSymbol<func::FuncOp>(name);
  if (!entry) {
    InFlightDiagnostic error = module.emitError()
                               << "there is no function @" << name;
    if (!entries.empty())
      error << "; entry functions are " << listNames(entries);
    return nullptr;
  }
  if (entry.isExternal()) {
    entry.emitOpError("is the entry, but has no body");
    return nullptr;
  }
  return entry;
}

/// All symbols of `module` that `entry` needs, itself included.
static llvm::SetVector<Operation *> findReachable(ModuleOp module,
                                                  func::FuncOp entry) {
  SymbolTable symbols(module);
  llvm::SetVector<Operation *> reachable;
  reachable.insert(entry);
  for (size_t next = 0; next < reachable.size(); ++next)
    if (auto uses = SymbolTable::getSymbolUses(reachable[next]))
      for (SymbolTable::SymbolUse use : *uses)
        if (Operation *target =
                symbols.lookup(use.getSymbolRef().getRootReference()))
          reachable.insert(target);
  return reachable;
}

namespace {
struct SelectEntry : gin::impl::SelectEntryBase<SelectEntry> {
  using SelectEntryBase::SelectEntryBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    func::FuncOp selected = findEntry(module, entry);
    if (!selected)
      return signalPassFailure();

    llvm::SetVector<Operation *> reachable = findReachable(module, selected);
    auto internal =
        LLVM::LinkageAttr::get(&getContext(), LLVM::linkage::Linkage::Internal);
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!reachable.contains(function)) {
        function.erase();
        continue;
      }
      if (function.isExternal())
        continue;
      // The C wrapper of the entry is external by itself.
      function->setAttr("llvm.linkage", internal);
      function.setPrivate();
    }
    selected.setPublic();
    selected->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                      UnitAttr::get(&getContext()));
  }
};
} // namespace
