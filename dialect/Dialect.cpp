//===- Dialect.cpp - the dialect and its bytecode version -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialect/Gin.h"

#include "Internal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace gin;

#include "dialect/GinDialect.cpp.inc"
#include "dialect/GinInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Bytecode version
//===----------------------------------------------------------------------===//

namespace {
struct GinBytecodeInterface : BytecodeDialectInterface {
  explicit GinBytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    uint64_t number = BytecodeVersion::kCurrent;
    auto asked = writer.getDialectVersion(getDialect()->getNamespace());
    if (succeeded(asked))
      number = static_cast<const BytecodeVersion *>(*asked)->number;
    writer.writeVarInt(number);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number > BytecodeVersion::kCurrent) {
      reader.emitError()
          << "this file holds version " << number
          << " of the gin dialect, but this build reads up to version "
          << BytecodeVersion::kCurrent
          << "; use a newer ginc, or write the file again with this one";
      return nullptr;
    }
    return std::make_unique<BytecodeVersion>(number);
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
