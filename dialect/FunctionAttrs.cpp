//===- FunctionAttrs.cpp - attributes on functions, arguments ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialect/Gin.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// Attributes on arguments
//===----------------------------------------------------------------------===//

/// Number of results that `gin.sizes` must have for an argument of `type`, or
/// none if the attribute has no place there.
static std::optional<int64_t> numDynamicSizes(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return memref.getNumDynamicDims();
  if (auto bank = dyn_cast<SignalsType>(type))
    return llvm::count_if(bank.getShape(), ShapedType::isDynamic);
  return std::nullopt;
}

/// What `gin.sizes` may compute with: the number of ranks, then the dynamic
/// sizes of the arguments that are not scratch.
static int64_t numKnownSizes(FunctionOpInterface function) {
  int64_t known = 1;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (auto shaped = dyn_cast<ShapedType>(type);
        shaped && shaped.hasRank() && !function.getArgAttr(index, kScratchAttr))
      known += shaped.getNumDynamicDims();
  return known;
}

static LogicalResult verifySizes(FunctionOpInterface function, unsigned index,
                                 Attribute attr) {
  auto error = [&] {
    return function.emitOpError()
           << "'" << kSizesAttr << "' of argument " << index << " ";
  };
  Type type = function.getArgumentTypes()[index];
  std::optional<int64_t> wanted = numDynamicSizes(type);
  if (!wanted ||
      (isa<MemRefType>(type) && !function.getArgAttr(index, kScratchAttr)))
    return error() << "stands on " << type
                   << ", but is for banks of signals and windows with '"
                   << kScratchAttr << "'";
  auto map = dyn_cast<AffineMapAttr>(attr);
  if (!map)
    return error() << "must be an affine map";
  if (map.getValue().getNumDims() != 0)
    return error() << "takes symbols only, affine_map<()[ranks, ...] -> (...)>";
  if (map.getValue().getNumSymbols() > numKnownSizes(function))
    return error()
           << "takes " << map.getValue().getNumSymbols()
           << " symbols, but there are only the number of ranks and the "
           << numKnownSizes(function) - 1
           << " dynamic sizes of the arguments that are not scratch";
  if (map.getValue().getNumResults() != *wanted)
    return error() << "has " << map.getValue().getNumResults()
                   << " results, but " << type << " has " << *wanted
                   << " dynamic sizes";
  return success();
}

static LogicalResult verifyName(FunctionOpInterface function, unsigned index,
                                Attribute attr) {
  auto name = dyn_cast<StringAttr>(attr);
  if (!name || name.empty())
    return function.emitOpError()
           << "'" << kNameAttr << "' of argument " << index
           << " must be a string that is not empty";
  for (unsigned other = 0; other < index; ++other)
    if (function.getArgAttr(other, kNameAttr) == name)
      return function.emitOpError()
             << "arguments " << other << " and " << index << " have one name, "
             << name << "; tools tell arguments apart by it";
  return success();
}

static bool isNamed(Operation *op, StringRef name) {
  return op->getName().getStringRef() == name;
}

static bool launchesKernels(FunctionOpInterface function) {
  return function
      ->walk([](Operation *op) {
        return isNamed(op, "gpu.launch_func") ? WalkResult::interrupt()
                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Verifies the attributes that stand on windows only.
static LogicalResult verifyWindowAttr(FunctionOpInterface function,
                                      unsigned index, NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == kRightsAttr ? !isa<RightsAttr>(attr.getValue())
                          : !isa<UnitAttr>(attr.getValue()))
    return function.emitOpError()
           << "'" << name << "' of argument " << index
           << (name == kRightsAttr ? " must be a #gin.rights<...>"
                                   : " takes no value");
  Type type = function.getArgumentTypes()[index];
  // What a kernel shares between its own threads needs no window.
  bool ofKernel = name == kScratchAttr && isa<MemRefType>(type) &&
                  (isNamed(function, "gpu.func") || launchesKernels(function));
  if (!isWindow(type) && !ofKernel)
    return function.emitOpError()
           << "'" << name << "' stands on windows only, but argument " << index
           << " is " << type;
  auto has = [&](StringRef other) {
    return static_cast<bool>(function.getArgAttr(index, other));
  };
  if (name == kSourceAttr && has(kRightsAttr))
    return function.emitOpError()
           << "argument " << index << " has both '" << kSourceAttr << "' and '"
           << kRightsAttr << "', but nobody else touches a source";
  if (name == kScratchAttr && !has(kSizesAttr) &&
      cast<MemRefType>(type).getNumDynamicDims() > 0)
    return function.emitOpError()
           << "scratch argument " << index << " has dynamic sizes; give '"
           << kSizesAttr << "', from which the launcher computes them";
  return success();
}

LogicalResult GinDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                   unsigned index,
                                                   NamedAttribute attr) {
  StringRef name = attr.getName();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitOpError()
           << "'" << name << "' stands on arguments of functions only";
  if (name == kNameAttr)
    return verifyName(function, index, attr.getValue());
  if (name == kSizesAttr)
    return verifySizes(function, index, attr.getValue());
  if (name == kSourceAttr || name == kScratchAttr || name == kRightsAttr)
    return verifyWindowAttr(function, index, attr);
  return op->emitOpError() << "'" << name
                           << "' is not an attribute of arguments; there are "
                           << kNameAttr << ", " << kSourceAttr << ", "
                           << kScratchAttr << ", " << kSizesAttr << " and "
                           << kRightsAttr;
}

LogicalResult GinDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                      unsigned index,
                                                      NamedAttribute attr) {
  return op->emitOpError() << "result " << index << " has '"
                           << attr.getName().getValue()
                           << "', but gin has no attributes for results";
}

//===----------------------------------------------------------------------===//
// Attributes on operations
//===----------------------------------------------------------------------===//

/// What the keys of `gin.litmus` hold.
static bool isLitmusEntry(StringRef key, Attribute value) {
  if (key == "ranks" || key == "launches") {
    auto number = dyn_cast<IntegerAttr>(value);
    return number && number.getValue().isStrictlyPositive();
  }
  if (key == "host")
    return isa<FlatSymbolRefAttr>(value);
  if (key == "exact")
    return isa<UnitAttr>(value);
  auto list = dyn_cast<ArrayAttr>(value);
  return list && llvm::all_of(list, llvm::IsaPred<StringAttr>);
}

static LogicalResult verifyLitmus(Operation *op, Attribute attr) {
  auto entries = dyn_cast<DictionaryAttr>(attr);
  if (!entries || !isa<FunctionOpInterface>(op))
    return op->emitOpError()
           << "'" << kLitmusAttr << "' must be a dictionary on a function";
  for (NamedAttribute entry : entries) {
    StringRef key = entry.getName();
    if (!llvm::is_contained({"ranks", "launches", "host", "exact", "allow",
                             "forbid", "verdict", "registers"},
                            key))
      return op->emitOpError()
             << "'" << kLitmusAttr << "' has no key '" << key
             << "'; there are ranks, launches, host, registers, allow, exact, "
                "forbid and verdict";
    if (!isLitmusEntry(key, entry.getValue()))
      return op->emitOpError()
             << "'" << key << "' in '" << kLitmusAttr << "' must be "
             << (key == "ranks" || key == "launches" ? "a positive integer"
                 : key == "host"  ? "a function, such as @host"
                 : key == "exact" ? "without a value"
                                  : "a list of strings");
  }
  return success();
}

LogicalResult GinDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == kRunAttr) {
    if (!isa<FunctionOpInterface>(op) || !isa<DictionaryAttr>(attr.getValue()))
      return op->emitOpError()
             << "'" << kRunAttr << "' must be a dictionary on a function";
    return success();
  }
  if (name == kLitmusAttr)
    return verifyLitmus(op, attr.getValue());
  if (name == kWeakAttr) {
    if (!isa<memref::LoadOp, memref::StoreOp>(op) ||
        !isa<UnitAttr>(attr.getValue()))
      return op->emitOpError()
             << "'" << kWeakAttr
             << "' takes no value and stands on memref.load and memref.store";
    return success();
  }
  if (name == kScopeAttr) {
    if (!isa<ScopeAttr>(attr.getValue()) || op->getDialect() != this)
      return op->emitOpError() << "'" << kScopeAttr
                               << "' is a #gin.scope on an op of the gin "
                                  "dialect";
    return success();
  }
  if (name == kLeastBlocksAttr) {
    auto blocks = dyn_cast<IntegerAttr>(attr.getValue());
    if (!blocks || blocks.getValue().getSExtValue() < 1 ||
        !isa<FunctionOpInterface>(op))
      return op->emitOpError()
             << "'" << kLeastBlocksAttr
             << "' is a number of blocks, at least 1, on a kernel";
    return success();
  }
  return op->emitOpError()
         << "'" << name
         << "' is not an attribute that the gin dialect has on operations; on "
            "functions there are "
         << kRunAttr << " and " << kLitmusAttr;
}
