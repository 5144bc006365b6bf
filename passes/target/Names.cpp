//===- Names.cpp - names and places of the source ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "dialect/SourceText.h"

#include "llvm/ADT/StringExtras.h"

using namespace gin;
using namespace gin::cuda;

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

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

// Letters, digits and '_'. Words in capitals, joined by '_', may be a macro of
// some header.
std::string cuda::identifierOf(StringRef name) {
  std::string identifier;
  for (char c : name)
    identifier += llvm::isAlnum(c) ? c : '_';
  if (llvm::isDigit(name.front()))
    identifier = "_" + identifier;
  if (StringRef(identifier).drop_front().contains('_') &&
      llvm::none_of(identifier, llvm::isLower))
    identifier += '_';
  return identifier;
}

std::string cuda::sourceName(Value value) {
  StringRef name = sourceNameOf(value);
  // Numbers, and what MLIR's printer invents.
  if (name.empty() || (!llvm::isAlpha(name[0]) && name[0] != '_'))
    return {};
  if (name.starts_with("arg") &&
      llvm::all_of(name.drop_front(3), llvm::isDigit))
    return {};
  return identifierOf(name);
}

//===----------------------------------------------------------------------===//
// What the source calls an op
//===----------------------------------------------------------------------===//

std::string cuda::constructText(Operation *op) {
  StringRef origin = originOf(op->getLoc());
  return origin.empty() ? sourceTextOf(op) : origin.str();
}

//===----------------------------------------------------------------------===//
// Names in C++
//===----------------------------------------------------------------------===//

/// Words of C++ and CUDA, and what emitted text says itself.
static constexpr StringLiteral reserved =
    "AT BUFSIZ EOF INFINITY MAXFLOAT NAN NFDBITS NULL NZERO SNAN SNANF SNANL "
    "WCONTINUED WEXITED WNOHANG WNOWAIT WSTOPPED WUNTRACED alignas alignof and "
    "and_eq arguments asm auto "
    "bitand bitor blockDim blockIdx bool break case catch char char16_t "
    "char32_t class compl const const_cast constexpr context continue "
    "decltype default delete do double dynamic_cast else enum explicit "
    "export extern false float for friend gin goto gridDim if inline int "
    "int16_t int32_t int64_t int8_t linux long main mutable namespace new "
    "noexcept not not_eq nullptr operator or or_eq private program "
    "protected public register reinterpret_cast restrict return self short "
    "signed size_t sizeof static "
    "stderr stdin stdout static_assert static_cast std struct "
    "switch template this threadIdx throw true try typedef typeid typename "
    "uint16_t uint32_t uint64_t uint8_t union unix unsigned using virtual void "
    "volatile warpSize wchar_t while xor xor_eq";

Names::Names() {
  enter();
  for (StringRef word : llvm::split(reserved, ' '))
    scopes.back().insert(word);
}

std::string Names::fresh(StringRef wanted, bool everywhere) {
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
  (everywhere ? scopes.front() : scopes.back()).insert(candidate);
  return candidate;
}
