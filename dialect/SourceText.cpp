//===- SourceText.cpp - what the source calls values and ops ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialect/SourceText.h"

#include "dialect/Gin.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gin;

/// The name in the source of what `location` made, or empty.
static StringRef nameIn(Location location) {
  if (auto named = dyn_cast<NameLoc>(location))
    return named.getName();
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (StringRef name = nameIn(part); !name.empty())
        return name;
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return nameIn(call.getCallee());
  return {};
}

StringRef gin::sourceNameOf(Value value) {
  StringRef name = nameIn(value.getLoc());
  if (auto result = dyn_cast<OpResult>(value)) {
    for (unsigned i = result.getResultNumber(); i > 0; --i)
      name = name.split(',').second;
    name = name.split(',').first;
  }
  name.consume_front("%");
  return name;
}

/// `%x` or a literal, or empty if the source has no name for it.
static std::string nameOf(OpFoldResult operand) {
  if (!operand)
    return {};
  if (std::optional<int64_t> constant = getConstantIntValue(operand))
    if (isa<Attribute>(operand))
      return std::to_string(*constant);
  auto value = dyn_cast<Value>(operand);
  StringRef name = value ? sourceNameOf(value) : StringRef();
  return name.empty() ? std::string() : ("%" + name).str();
}

/// ` ins(%a, %b)`, or empty if none of the operands has a name.
static std::string listOf(StringRef word, ArrayRef<Value> operands) {
  std::string names;
  for (Value operand : operands)
    if (std::string name = nameOf(operand); !name.empty())
      names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? names : (" " + word + "(" + names + ")").str();
}

namespace {
/// Operands in the order of the assembly, each with the word before it.
struct Part {
  StringRef word;
  OpFoldResult operand;
};
} // namespace

/// ` %i` or ` (%i, %j)`, or empty unless the source names all of them.
static std::string variablesOf(LoopLikeOpInterface loop) {
  std::optional<SmallVector<Value>> variables = loop.getLoopInductionVars();
  std::string names;
  for (Value variable : variables.value_or(SmallVector<Value>())) {
    StringRef name = sourceNameOf(variable);
    if (name.empty() || llvm::isDigit(name.front()))
      return {};
    names += (names.empty() ? "%" : ", %") + name.str();
  }
  if (names.empty())
    return {};
  return variables->size() == 1 ? " " + names : " (" + names + ")";
}

std::string gin::sourceTextOf(Operation *op) {
  using Parts = SmallVector<Part>;
  Parts parts =
      TypeSwitch<Operation *, Parts>(op)
          .Case([](PutOp put) -> Parts {
            return {{"", put.getSource()},
                    {"into", put.getWindow()},
                    {"on", put.getMixedPeer()}};
          })
          .Case([](PutValueOp put) -> Parts {
            return {{"", put.getValue()},
                    {"into", put.getWindow()},
                    {"on", put.getMixedPeer()}};
          })
          .Case([](AtomicAddOp add) -> Parts {
            return {{"", add.getValue()},
                    {"into", add.getWindow()},
                    {"on", add.getMixedPeer()}};
          })
          .Case([](GetOp get) -> Parts {
            return {{"", get.getWindow()},
                    {"on", get.getMixedPeer()},
                    {"into", get.getTarget()}};
          })
          .Case([](PeerViewOp view) -> Parts {
            return {{"", view.getWindow()}, {"on", view.getMixedPeer()}};
          })
          .Case([](WindowDimOp dim) -> Parts {
            return {{"", dim.getWindow()}, {"on", dim.getMixedPeer()}};
          })
          .Case([](SignalOp signal) -> Parts {
            return {{"", signal.getBank()}, {"on", signal.getMixedPeer()}};
          })
          .Case<WaitOp, TestOp, ReadOp>(
              [](auto probe) -> Parts { return {{"", probe.getBank()}}; })
          .Case([](AwaitOp await) -> Parts {
            Parts parts;
            for (Value token : await.getTokens())
              parts.push_back({parts.empty() ? "" : ",", token});
            return parts;
          })
          .Case([](memref::LoadOp load) -> Parts {
            return {{"", load.getMemRef()}};
          })
          .Case([](memref::StoreOp store) -> Parts {
            return {{"", store.getValueToStore()}, {"into", store.getMemRef()}};
          })
          .Case([](memref::AtomicRMWOp atomic) -> Parts {
            return {{"", atomic.getMemref()}};
          })
          .Case([](memref::CopyOp copy) -> Parts {
            return {{"", copy.getSource()}, {"into", copy.getTarget()}};
          })
          .Default([](Operation *) { return Parts(); });

  std::string text = op->getName().getStringRef().str();
  for (Part part : parts) {
    std::string name = nameOf(part.operand);
    if (name.empty())
      continue;
    if (part.word != ",")
      text += ' ';
    text += part.word;
    if (!part.word.empty())
      text += ' ';
    text += name;
  }
  if (auto kernel = dyn_cast<KernelOp>(op))
    if (std::optional<StringRef> name = kernel.getName())
      text += (" \"" + *name + "\"").str();
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    text += variablesOf(loop);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    text += listOf("ins", structured.getDpsInputs());
    text += listOf("outs", SmallVector<Value>(structured.getDpsInits()));
  }
  return text;
}

StringRef gin::originOf(Location location) {
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    if (auto text = dyn_cast_or_null<StringAttr>(fused.getMetadata()))
      return text.getValue();
    for (Location part : fused.getLocations())
      if (StringRef origin = originOf(part); !origin.empty())
        return origin;
  }
  if (auto named = dyn_cast<NameLoc>(location))
    return originOf(named.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return originOf(call.getCallee());
  return {};
}

Location gin::locationWithOrigin(Operation *op) {
  Location location = op->getLoc();
  if (!originOf(location).empty())
    return location;
  auto text = StringAttr::get(op->getContext(), sourceTextOf(op));
  return FusedLoc::get(op->getContext(), {location}, text);
}
