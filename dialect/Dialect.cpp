//===- Dialect.cpp - the dialect, its attributes on functions ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialect/Gin.h"

#include "Internal.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace gin;

#include "dialect/GinDialect.cpp.inc"
#include "dialect/GinInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Bytecode version
//===----------------------------------------------------------------------===//

namespace {
/// Raised whenever bytecode of this version would be misread by the one before.
constexpr uint64_t kBytecodeVersion = 1;

struct Version : DialectVersion {
  explicit Version(uint64_t number) : number(number) {}
  uint64_t number;
};

struct GinBytecodeInterface : BytecodeDialectInterface {
  explicit GinBytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    uint64_t number = kBytecodeVersion;
    // Lets a test write what a later ginc would.
    auto asked = writer.getDialectVersion(getDialect()->getNamespace());
    if (succeeded(asked))
      number = static_cast<const Version *>(*asked)->number;
    writer.writeVarInt(number);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number > kBytecodeVersion) {
      reader.emitError()
          << "this file holds version " << number
          << " of the gin dialect, but this build reads up to version "
          << kBytecodeVersion << "; use a newer ginc, or write the file again "
          << "with this one";
      return nullptr;
    }
    return std::make_unique<Version>(number);
  }
};

/// Calls may be inlined: an op of the dialect means the same in its caller.
struct GinInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void GinDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOperations();
  addInterfaces<GinBytecodeInterface, GinInlinerInterface>();
}

Operation *GinDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

void gin::registerExternalModels(DialectRegistry &registry) {
  registerAccessModels(registry);
  registerBufferizeModels(registry);
  registerValueBoundsModels(registry);
}

//===----------------------------------------------------------------------===//
// Attributes on arguments and functions
//===----------------------------------------------------------------------===//

/// Number of results that `gin.sizes` must have for an argument of `type`, or
/// none if the attribute has no place there.
static std::optional<int64_t> numDynamicSizes(Type type) {
  if (isWindow(type))
    return cast<MemRefType>(type).getNumDynamicDims();
  if (auto bank = dyn_cast<SignalsType>(type))
    return llvm::count_if(bank.getShape(), ShapedType::isDynamic);
  return std::nullopt;
}

static LogicalResult verifySizes(Operation *op, FunctionOpInterface function,
                                 unsigned index, Attribute attr) {
  Type type = function.getArgument(index).getType();
  std::optional<int64_t> wanted = numDynamicSizes(type);
  auto map = dyn_cast<AffineMapAttr>(attr);
  if (!map || !wanted)
    return op->emitOpError() << "'" << kSizesAttr << "' of argument " << index
                             << " must be an affine map on a scratch window or "
                                "a bank of signals";
  if (map.getValue().getNumDims() != 0 || map.getValue().getNumSymbols() == 0)
    return op->emitOpError()
           << "'" << kSizesAttr << "' of argument " << index
           << " takes symbols only: the number of ranks, then the dynamic sizes "
              "of the arguments that are not scratch";
  if (static_cast<int64_t>(map.getValue().getNumResults()) != *wanted)
    return op->emitOpError()
           << "'" << kSizesAttr << "' of argument " << index << " has "
           << map.getValue().getNumResults() << " results, but " << type
           << " has " << *wanted << " dynamic sizes";
  return success();
}

LogicalResult GinDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                   unsigned index,
                                                   NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitOpError() << "'" << attr.getName().getValue()
                             << "' stands on arguments of functions only";
  StringRef name = attr.getName();
  Type type = function.getArgumentTypes()[index];
  if (name == kNameAttr) {
    auto string = dyn_cast<StringAttr>(attr.getValue());
    if (!string || string.empty())
      return op->emitOpError() << "'" << name << "' of argument " << index
                               << " must be a string that is not empty";
    return success();
  }
  if (name == kSizesAttr)
    return verifySizes(op, function, index, attr.getValue());
  bool flag = name == kSourceAttr || name == kScratchAttr;
  if (!flag && name != kRightsAttr)
    return op->emitOpError()
           << "'" << name
           << "' is not an attribute of the gin dialect; there are " << kNameAttr
           << ", " << kSourceAttr << ", " << kScratchAttr << ", " << kSizesAttr
           << " and " << kRightsAttr;
  if (flag ? !isa<UnitAttr>(attr.getValue()) : !isa<RightsAttr>(attr.getValue()))
    return op->emitOpError() << "'" << name << "' of argument " << index
                             << (flag ? " takes no value"
                                      : " must be a #gin.rights<...>");
  if (!isWindow(type))
    return op->emitOpError() << "'" << name << "' stands on windows only, but "
                             << "argument " << index << " is " << type;
  auto has = [&](StringRef other) {
    return static_cast<bool>(function.getArgAttr(index, other));
  };
  if (name == kSourceAttr && has(kRightsAttr))
    return op->emitOpError() << "argument " << index << " has both '"
                             << kSourceAttr << "' and '" << kRightsAttr
                             << "', but nobody else touches a source";
  if (name == kScratchAttr && !has(kSizesAttr) &&
      cast<MemRefType>(type).getNumDynamicDims() > 0)
    return op->emitOpError() << "scratch argument " << index
                             << " has dynamic sizes; give '" << kSizesAttr
                             << "', from which the launcher computes them";
  return success();
}

LogicalResult GinDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == kRunAttr) {
    if (!isa<FunctionOpInterface>(op) || !isa<DictionaryAttr>(attr.getValue()))
      return op->emitOpError() << "'" << kRunAttr
                               << "' must be a dictionary on a function";
    return success();
  }
  if (name == "gin.weak" && isa<UnitAttr>(attr.getValue()))
    return success();
  return op->emitOpError() << "'" << name
                           << "' is not an attribute that the gin dialect has "
                              "on operations";
}
