//===- SourceNames.cpp - the names of values in a source --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SourceNames.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

/// "x" for the text "%x" in the source; "" where there is none.
static StringRef valueName(llvm::SMRange range) {
  if (!range.isValid())
    return "";
  const char *begin = range.Start.getPointer();
  StringRef text(begin, range.End.getPointer() - begin);
  return text.consume_front("%") ? text : "";
}

void ginc::nameValues(const AsmParserState &state) {
  for (const AsmParserState::OperationDefinition &definition :
       state.getOpDefs()) {
    if (definition.resultGroups.empty())
      continue;
    Operation *op = definition.op;
    // One for each result: a group has one name for all of its results.
    SmallVector<StringRef> names(op->getNumResults());
    for (const AsmParserState::OperationDefinition::ResultGroupDefinition
             &group : definition.resultGroups)
      names[group.startIndex] = valueName(group.definition.loc);
    while (!names.empty() && names.back().empty())
      names.pop_back();
    if (!names.empty())
      op->setLoc(NameLoc::get(
          StringAttr::get(op->getContext(), llvm::join(names, ",")),
          op->getLoc()));
  }
  for (const AsmParserState::BlockDefinition &definition : state.getBlockDefs())
    for (auto [argument, names] :
         llvm::zip(definition.block->getArguments(), definition.arguments))
      if (StringRef name = valueName(names.loc); !name.empty())
        argument.setLoc(NameLoc::get(
            StringAttr::get(argument.getContext(), name), argument.getLoc()));
}
