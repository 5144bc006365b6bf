//===- GinToLLVM.cpp - gin ops become calls of the contract -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/conversion/GinToLLVM.h"

#include "ContractCalls.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"

using namespace mlir;
using namespace gin;

void gin::populateGinToLLVMTypeConversions(LLVMTypeConverter &converter) {
  converter.addConversion([](SignalsType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  converter.addConversion([](TokenType type) -> Type {
    return IntegerType::get(type.getContext(), 64);
  });
  auto addressSpaceZero = [](MLIRContext *context) {
    return IntegerAttr::get(IntegerType::get(context, 64), 0);
  };
  converter.addTypeAttributeConversion(
      [=](BaseMemRefType, WindowAttr space) -> Attribute {
        return addressSpaceZero(space.getContext());
      });
  converter.addTypeAttributeConversion(
      [=](BaseMemRefType, PeerAttr space) -> Attribute {
        return addressSpaceZero(space.getContext());
      });
}

void gin::populateGinToLLVMPatterns(const LLVMTypeConverter &converter,
                                    RewritePatternSet &patterns) {
  populateTransferPatterns(converter, patterns);
  populateSignalPatterns(converter, patterns);
  populateRankPatterns(converter, patterns);
  populateAgentPatterns(converter, patterns);
  populateMemoryPatterns(converter, patterns);
}

namespace {
struct GinToLLVMInterface : ConvertToLLVMPatternInterface {
  using ConvertToLLVMPatternInterface::ConvertToLLVMPatternInterface;

  void populateConvertToLLVMConversionPatterns(
      ConversionTarget &target, LLVMTypeConverter &typeConverter,
      RewritePatternSet &patterns) const final {
    target.addIllegalDialect<GinDialect>();
    populateGinToLLVMTypeConversions(typeConverter);
    populateGinToLLVMPatterns(typeConverter, patterns);
  }
};
} // namespace

void gin::registerConvertGinToLLVMInterface(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, GinDialect *dialect) {
    dialect->addInterfaces<GinToLLVMInterface>();
  });
}
