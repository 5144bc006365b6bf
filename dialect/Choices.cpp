//===- Choices.cpp - which values control flow chooses among --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialect/Choices.h"

#include "dialect/Gin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace mlir;
using namespace gin;

/// What the regions of a branch yield as result `number`.
static SmallVector<Value> yieldsOf(Operation *op, unsigned number) {
  SmallVector<Value> values;
  for (Region &region : op->getRegions())
    if (!region.empty())
      values.push_back(region.front().getTerminator()->getOperand(number));
  return values;
}

SmallVector<Value> gin::choicesOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  const unsigned number = argument ? argument.getArgNumber()
                                   : cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast_or_null<scf::ForOp>(op)) {
    if (value == loop.getInductionVar())
      return {};
    const unsigned carried = argument ? number - 1 : number;
    return {loop.getInitArgs()[carried], loop.getYieldedValues()[carried]};
  }
  if (auto loop = dyn_cast_or_null<scf::WhileOp>(op)) {
    if (argument && argument.getOwner() == loop.getBeforeBody())
      return {loop.getInits()[number], loop.getYieldOp()->getOperand(number)};
    return {loop.getConditionOp().getArgs()[number]};
  }
  if (auto select = dyn_cast_or_null<arith::SelectOp>(op))
    return {select.getTrueValue(), select.getFalseValue()};
  if (!argument && isa_and_nonnull<scf::IfOp, scf::IndexSwitchOp>(op))
    return yieldsOf(op, number);
  return {};
}

/// Follows `next` from `value` to all values that it leads no further from.
static SmallVector<Value> endsOf(Value value,
                                 function_ref<SmallVector<Value>(Value)> next) {
  SmallVector<Value> ends, pending = {value};
  llvm::DenseSet<Value> seen = {value};
  while (!pending.empty()) {
    Value each = pending.pop_back_val();
    SmallVector<Value> further = next(each);
    if (further.empty())
      ends.push_back(each);
    for (Value choice : llvm::reverse(further))
      if (seen.insert(choice).second)
        pending.push_back(choice);
  }
  return ends;
}

SmallVector<Value> gin::finalChoicesOf(Value value) {
  return endsOf(value, choicesOf);
}

SmallVector<Value> gin::originsOf(Value memref) {
  return endsOf(memref, [](Value value) -> SmallVector<Value> {
    Operation *op = value.getDefiningOp();
    if (auto view = dyn_cast_or_null<ViewLikeOpInterface>(op))
      return {view.getViewSource()};
    if (auto peer = dyn_cast_or_null<PeerViewOp>(op))
      return {peer.getWindow()};
    return choicesOf(value);
  });
}
