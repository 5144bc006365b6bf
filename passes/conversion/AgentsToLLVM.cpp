//===- AgentsToLLVM.cpp - forks and the bodies that they run ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ContractCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace gin;

namespace {
struct LowerFork : ConvertOpToLLVMPattern<ForkOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(ForkOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    Type pointer = call.pointerType();
    Location loc = op.getLoc();

    Type captureType = LLVM::LLVMStructType::getLiteral(
        op.getContext(), llvm::to_vector(adaptor.getCaptures().getTypes()));
    Value captures = call.null();
    if (!adaptor.getCaptures().empty()) {
      Value packed = LLVM::UndefOp::create(rewriter, loc, captureType);
      for (auto [position, value] : llvm::enumerate(adaptor.getCaptures()))
        packed = LLVM::InsertValueOp::create(rewriter, loc, packed, value,
                                             static_cast<int64_t>(position));
      // Agents read it while they run, but the forking agent runs nothing then.
      captures = call.onStack(packed, "captures");
    }
    StringRef thunk = getThunk(op, call, captureType, rewriter);
    Value body = LLVM::AddressOfOp::create(rewriter, loc, pointer, thunk);
    Value names =
        op.getNamesAttr() ? call.strings(op.getNamesAttr()) : call.null();
    call.call("gin_fork", Type(),
              {call.site(), adaptor.getCount(), body, captures, names});
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The function `void (void *captures, int64_t index)` that unpacks the
  /// captures and calls the fork's body.
  StringRef getThunk(ForkOp op, ContractCall &call, Type captureType,
                     ConversionPatternRewriter &rewriter) const {
    StringAttr name = rewriter.getStringAttr(op.getBody() + ".agent");
    if (SymbolTable::lookupSymbolIn(call.module, name))
      return name.getValue();

    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfter(call.function);
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type voidType = LLVM::LLVMVoidType::get(op.getContext());
    auto thunk = LLVM::LLVMFuncOp::create(
        b, name,
        LLVM::LLVMFunctionType::get(voidType,
                                    {call.pointerType(), call.intType(64)}),
        LLVM::Linkage::Internal);
    Block *entry = thunk.addEntryBlock(b);
    b.setInsertionPointToStart(entry);

    SmallVector<Value> arguments{entry->getArgument(1)};
    if (!op.getCaptures().empty()) {
      Value packed =
          LLVM::LoadOp::create(b, captureType, entry->getArgument(0));
      SmallVector<Value> values;
      for (size_t i = 0; i < op.getCaptures().size(); ++i)
        values.push_back(
            LLVM::ExtractValueOp::create(b, packed, static_cast<int64_t>(i)));
      llvm::append_range(
          arguments, getTypeConverter()->promoteOperands(
                         op.getLoc(), op.getCaptures(), ValueRange(values), b));
    }
    LLVM::CallOp::create(b, TypeRange(), op.getBody(), arguments);
    LLVM::ReturnOp::create(b, ValueRange());
    return name.getValue();
  }
};

/// Facts about arguments stand on windows and banks, which the arguments of an
/// LLVM function no longer are.
struct DropArgumentFacts : OpConversionPattern<func::FuncOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(func::FuncOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayAttr all = op.getArgAttrsAttr();
    auto isFact = [](NamedAttribute attr) {
      return attr.getName().strref().starts_with("gin.");
    };
    if (!all || llvm::none_of(all.getAsRange<DictionaryAttr>(),
                              [&](DictionaryAttr attrs) {
                                return llvm::any_of(attrs, isFact);
                              }))
      return rewriter.notifyMatchFailure(op, "there are none");
    rewriter.modifyOpInPlace(op, [&] {
      for (unsigned i = 0; i < op.getNumArguments(); ++i) {
        SmallVector<NamedAttribute> kept(
            mlir::function_interface_impl::getArgAttrs(op, i));
        llvm::erase_if(kept, isFact);
        op.setArgAttrs(i, kept);
      }
    });
    return success();
  }
};
} // namespace

void gin::populateAgentPatterns(const LLVMTypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<LowerFork>(converter);
  patterns.add<DropArgumentFacts>(converter, patterns.getContext(),
                                  /*benefit=*/10);
}
