//===- MapToKernelPrepare.cpp - before a program is mapped ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What no kernel can do is refused, and what kernels do in another way is
// changed, while the program is still a function.
//
//===----------------------------------------------------------------------===//

#include "MapToKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gin;

/// Over NVLink an await is a flush, and costs no more; so tokens, which do not
/// cross the conditions of blocks and threads, are not kept.
static void dropTokens(func::FuncOp function) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  Value ready;
  function.walk([&](Operation *op) {
    if (auto await = dyn_cast<AwaitOp>(op)) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(op);
      FlushOp::create(builder, op->getLoc());
      op->erase();
      return;
    }
    for (Value result : op->getResults())
      if (isa<TokenType>(result.getType()) && !isa<ReadyTokenOp>(op)) {
        if (!ready)
          ready = ReadyTokenOp::create(builder, function.getLoc());
        if (isa<PutOp, PutValueOp, GetOp>(op))
          result.replaceAllUsesWith(ready);
      }
  });
}

/// A size as an expression of what gin.sizes may use, or null.
static AffineExpr
sizeOf(OpFoldResult size,
       const DenseMap<std::pair<Value, int64_t>, unsigned> &symbols) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return getAffineConstantExpr(*constant, size.getContext());
  Operation *op = cast<Value>(size).getDefiningOp();
  if (!op)
    return {};
  MLIRContext *context = op->getContext();
  if (auto ranks = dyn_cast<NumRanksOp>(op))
    return ranks.getTeamAttr() ? AffineExpr() : getAffineSymbolExpr(0, context);
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    auto found = symbols.find({dim.getSource(), index.value_or(-1)});
    return found == symbols.end() ? AffineExpr()
                                  : getAffineSymbolExpr(found->second, context);
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return {};
  AffineExpr left = sizeOf(op->getOperand(0), symbols);
  AffineExpr right = sizeOf(op->getOperand(1), symbols);
  if (!left || !right)
    return {};
  return isa<arith::AddIOp>(op)   ? left + right
         : isa<arith::SubIOp>(op) ? left - right
                                  : left * right;
}

/// Memory that the rank's body allocates is shared by all threads: the launcher
/// allocates it, and it becomes an argument. What one iteration of a parallel
/// loop allocates is its thread's own.
static LogicalResult hoistAllocations(func::FuncOp function) {
  SmallVector<Operation *> allocations, inAgents;
  function.walk([&](Operation *op) {
    if (!isa<memref::AllocOp, memref::AllocaOp>(op))
      return;
    Operation *parent = op->getParentOp();
    while (parent != function &&
           !isa<scf::ForallOp, scf::ParallelOp, SpecializeOp, MatmulOp>(parent))
      parent = parent->getParentOp();
    if (parent == function)
      allocations.push_back(op);
    else if (isa<memref::AllocOp>(op))
      inAgents.push_back(op);
  });
  for (Operation *op : inAgents)
    return op->emitOpError("allocates in an agent of a kernel; allocate before "
                           "the agents fork, with a part for each");
  // As gin.sizes counts them: the dynamic sizes of what is not scratch.
  DenseMap<std::pair<Value, int64_t>, unsigned> symbols;
  unsigned count = 1;
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || function.getArgAttr(argument.getArgNumber(), kScratchAttr))
      continue;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        symbols[{argument, dim}] = count++;
  }
  Builder builder(function.getContext());
  for (Operation *op : allocations) {
    auto type = cast<MemRefType>(op->getResult(0).getType());
    SmallVector<AffineExpr> sizes;
    for (Value size : op->getOperands()) {
      sizes.push_back(sizeOf(size, symbols));
      if (!sizes.back())
        return op->emitOpError(
            "has a size that is not known before the launch; make it one of "
            "the number of ranks and the arguments' sizes");
    }
    SmallVector<NamedAttribute> attrs{
        {builder.getStringAttr(kScratchAttr), builder.getUnitAttr()}};
    if (!sizes.empty())
      attrs.emplace_back(builder.getStringAttr(kSizesAttr),
                         AffineMapAttr::get(AffineMap::get(
                             0, count, sizes, function.getContext())));
    if (failed(function.insertArgument(function.getNumArguments(), type,
                                       builder.getDictionaryAttr(attrs),
                                       op->getLoc())))
      return failure();
    op->getResult(0).replaceAllUsesWith(function.getArguments().back());
    op->erase();
  }
  return success();
}

/// What stands outside the closed set of ops that kernels are made of.
static LogicalResult verifyMappable(func::FuncOp function) {
  WalkResult result = function.walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      op->emitOpError("of '")
          << call.getCallee()
          << "' cannot run on a GPU: the function is external, or calls "
             "itself";
      return WalkResult::interrupt();
    }
    if (auto table = dyn_cast<memref::GetGlobalOp>(op)) {
      auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
          table, table.getNameAttr());
      Type element = global.getType().getElementType();
      const bool isConstant =
          global.getConstant() &&
          isa_and_nonnull<DenseElementsAttr>(global.getConstantInitValue());
      const bool isWide =
          !isa<FloatType>(element) || element.getIntOrFloatBitWidth() >= 32;
      if (!isConstant || !isWide) {
        op->emitOpError("of '")
            << table.getName() << "' cannot be a table of a kernel: "
            << (isConstant ? "its elements have less than 32 bits"
                           : "it is not constant, or has no elements here")
            << "; make it an argument";
        return WalkResult::interrupt();
      }
    }
    if (op != function && op->getNumRegions() &&
        llvm::any_of(op->getRegions(), [](Region &region) {
          return !region.empty() && !region.hasOneBlock();
        })) {
      op->emitOpError("has unstructured control flow; kernels are made from "
                      "scf");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("has unstructured control flow; kernels are "
                                "made from scf");
  return success();
}

LogicalResult gin::prepareForKernel(func::FuncOp function) {
  if (failed(verifyMappable(function)) || failed(hoistAllocations(function)))
    return failure();
  dropTokens(function);
  return success();
}
