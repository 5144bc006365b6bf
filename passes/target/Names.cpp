//===- Names.cpp - names and places of the source ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace gin;
using namespace gin::cuda;

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

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

Place cuda::placeOf(Location location) {
  if (auto at = dyn_cast<FileLineColLoc>(location))
    return {at.getFilename().str(), at.getLine()};
  if (auto named = dyn_cast<NameLoc>(location))
    return placeOf(named.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return placeOf(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (Place place = placeOf(part); place.line)
        return place;
  return {};
}

StringRef cuda::originOf(Location location) {
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

/// The name in the source of a value, without the percent sign, or empty. That
/// of an op with several results has one for each, separated by commas.
static StringRef nameIn(Value value) {
  StringRef name = nameIn(value.getLoc());
  if (auto result = dyn_cast<OpResult>(value)) {
    for (unsigned i = result.getResultNumber(); i > 0; --i)
      name = name.split(',').second;
    name = name.split(',').first;
  }
  name.consume_front("%");
  return name;
}

std::string cuda::sourceName(Value value) {
  StringRef name = nameIn(value);
  // Numbers, and what MLIR's printer invents.
  if (name.empty() || (!llvm::isAlpha(name[0]) && name[0] != '_'))
    return {};
  if (name.starts_with("arg") &&
      llvm::all_of(name.drop_front(3), llvm::isDigit))
    return {};
  std::string identifier;
  for (char c : name)
    identifier += llvm::isAlnum(c) ? c : '_';
  return identifier;
}

//===----------------------------------------------------------------------===//
// What the source calls an op
//===----------------------------------------------------------------------===//

/// `%x` or a literal, or empty if the source has no name for it.
static std::string nameOf(OpFoldResult operand) {
  if (auto constant = getConstantIntValue(operand))
    return std::to_string(*constant);
  auto value = dyn_cast_or_null<Value>(operand);
  if (!value)
    return {};
  StringRef name = nameIn(value);
  return name.empty() ? std::string() : ("%" + name).str();
}

std::string cuda::constructText(Operation *op) {
  if (StringRef origin = originOf(op->getLoc()); !origin.empty())
    return origin.str();
  std::string text = op->getName().getStringRef().str();
  auto add = [&](StringRef word, OpFoldResult operand) {
    std::string name = nameOf(operand);
    if (!name.empty())
      text += (word.empty() ? " " : (" " + word + " ").str()) + name;
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](PutOp put) {
        add("", put.getSource());
        add("into", put.getWindow());
      })
      .Case<PutValueOp, AtomicAddOp>([&](auto put) {
        add("", put.getValue());
        add("into", put.getWindow());
      })
      .Case<GetOp, PeerViewOp, WindowDimOp>(
          [&](auto access) { add("", access.getWindow()); })
      .Case([&](memref::AtomicRMWOp atomic) { add("", atomic.getMemref()); })
      .Case<SignalOp, WaitOp, TestOp, ReadOp>(
          [&](auto access) { add("", access.getBank()); })
      .Case([&](AwaitOp await) {
        for (Value token : await.getTokens())
          add("", token);
      })
      .Default([](Operation *) {});
  if (auto remote = dyn_cast<RemoteOpInterface>(op))
    add("on", remote.getMixedPeer());
  if (auto get = dyn_cast<GetOp>(op))
    add("into", get.getTarget());
  return text;
}

//===----------------------------------------------------------------------===//
// Names in C++
//===----------------------------------------------------------------------===//

/// Words of C++ and CUDA, and what emitted text says itself.
static constexpr StringLiteral reserved[] = {
    "AT",          "INFINITY",   "NAN",          "NULL",
    "alignas",     "alignof",    "and",          "and_eq",
    "arguments",   "asm",        "auto",         "bitand",
    "bitor",       "blockDim",   "blockIdx",     "bool",
    "break",       "case",       "catch",        "char",
    "char16_t",    "char32_t",   "class",        "compl",
    "const",       "const_cast", "constexpr",    "context",
    "continue",    "decltype",   "default",      "delete",
    "do",          "double",     "dynamic_cast", "else",
    "enum",        "explicit",   "export",       "extern",
    "false",       "float",      "for",          "friend",
    "gin",         "goto",       "gridDim",      "if",
    "inline",      "int",        "int16_t",      "int32_t",
    "int64_t",     "int8_t",     "long",         "main",
    "mutable",     "namespace",  "new",          "noexcept",
    "not",         "not_eq",     "nullptr",      "operator",
    "or",          "or_eq",      "private",      "program",
    "protected",   "public",     "register",     "reinterpret_cast",
    "return",      "self",       "short",        "signed",
    "size_t",      "sizeof",     "static",       "static_assert",
    "static_cast", "std",        "struct",       "switch",
    "template",    "this",       "threadIdx",    "throw",
    "true",        "try",        "typedef",      "typeid",
    "typename",    "uint16_t",   "uint32_t",     "uint64_t",
    "uint8_t",     "union",      "unsigned",     "using",
    "virtual",     "void",       "volatile",     "warpSize",
    "wchar_t",     "while",      "xor",          "xor_eq"};

Names::Names() {
  enter();
  for (StringRef word : reserved)
    scopes.back().insert(word);
}

std::string Names::fresh(StringRef wanted) {
  // Two underscores, or one and a capital, belong to the implementation.
  std::string base;
  for (char c : wanted)
    if (c != '_' || base.empty() || base.back() != '_')
      base += c;
  if (base.size() > 1 && base[0] == '_' && llvm::isUpper(base[1]))
    base.erase(0, 1);
  auto taken = [&](StringRef candidate) {
    return llvm::any_of(
        scopes, [&](const auto &scope) { return scope.contains(candidate); });
  };
  std::string candidate = base;
  for (unsigned i = 2; taken(candidate); ++i)
    candidate = base + "_" + std::to_string(i);
  scopes.back().insert(candidate);
  return candidate;
}
