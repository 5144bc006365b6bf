//===- Element.cpp - element types of memrefs -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Element.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

using namespace ginc;
using namespace llvm;

std::optional<Element> Element::get(mlir::Type type) {
  Element element;
  raw_string_ostream(element.spelling) << type;
  if (type.isIndex()) {
    element.width = element.valueBits = 64;
    return element;
  }
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type)) {
    element.valueBits = integer.getWidth();
    element.width = std::max(8u, element.valueBits);
    element.isUnsignedInteger = integer.isUnsigned() || element.valueBits == 1;
    if (!is_contained({1u, 8u, 16u, 32u, 64u}, element.valueBits))
      return std::nullopt;
    return element;
  }
  if (mlir::isa<mlir::Float16Type, mlir::BFloat16Type, mlir::Float32Type,
                mlir::Float64Type, mlir::Float8E4M3FNType,
                mlir::Float8E5M2Type>(type)) {
    auto floating = mlir::cast<mlir::FloatType>(type);
    element.width = element.valueBits = floating.getWidth();
    element.semantics = &floating.getFloatSemantics();
    return element;
  }
  return std::nullopt;
}

/// Whether NumPy has the type itself.
static bool isNative(const fltSemantics &semantics) {
  return &semantics == &APFloat::IEEEhalf() ||
         &semantics == &APFloat::IEEEsingle() ||
         &semantics == &APFloat::IEEEdouble();
}

std::string Element::npyType() const {
  if (valueBits == 1)
    return "|b1";
  char kind = isUnsignedInteger ? 'u' : 'i';
  if (semantics)
    kind = isNative(*semantics) ? 'f' : 'u';
  return std::string(1, bytes() == 1 ? '|' : '<') + kind +
         std::to_string(bytes());
}

std::string Element::numpyName() const { return ginc::numpyName(npyType()); }

std::string ginc::numpyName(StringRef npyType) {
  StringRef body = npyType.drop_front(1);
  unsigned bytes;
  if (body.empty() || body.drop_front().getAsInteger(10, bytes) || bytes > 16)
    return npyType.str();
  std::string bits = std::to_string(8 * bytes);
  std::string order = npyType.starts_with(">") ? "big-endian " : "";
  switch (body.front()) {
  case 'f':
    return order + "float" + bits;
  case 'i':
    return order + "int" + bits;
  case 'u':
    return order + "uint" + bits;
  case 'c':
    return order + "complex" + bits;
  case 'b':
    return "bool";
  default:
    return npyType.str();
  }
}

bool Element::accepts(StringRef type) const {
  if (type == npyType())
    return true;
  if (semantics || valueBits == 1)
    return false;
  // The sign of an integer is not in its bits.
  std::string other = npyType();
  other[1] = other[1] == 'i' ? 'u' : 'i';
  return type == other;
}

static uint64_t readBits(const void *value, unsigned bytes) {
  uint64_t bits = 0;
  memcpy(&bits, value, bytes); // little-endian, like the rest of ginc's data
  return bits;
}

static void writeBits(uint64_t bits, void *value, unsigned bytes) {
  memcpy(value, &bits, bytes);
}

double Element::toDouble(const void *value) const {
  if (!semantics)
    return isUnsignedInteger ? static_cast<double>(readBits(value, bytes()))
                             : static_cast<double>(toInteger(value));
  if (semantics == &APFloat::IEEEsingle())
    return bit_cast<float>(static_cast<uint32_t>(readBits(value, 4)));
  if (semantics == &APFloat::IEEEdouble())
    return bit_cast<double>(readBits(value, 8));
  APFloat number(*semantics, APInt(width, readBits(value, bytes())));
  bool inexact;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return number.convertToDouble();
}

int64_t Element::toInteger(const void *value) const {
  uint64_t bits = readBits(value, bytes());
  return isUnsignedInteger ? static_cast<int64_t>(bits)
                           : SignExtend64(bits, width);
}

void Element::fromDouble(double number, void *value) const {
  if (!semantics)
    return fromInteger(static_cast<int64_t>(number), value);
  if (semantics == &APFloat::IEEEsingle())
    return writeBits(bit_cast<uint32_t>(static_cast<float>(number)), value, 4);
  if (semantics == &APFloat::IEEEdouble())
    return writeBits(bit_cast<uint64_t>(number), value, 8);
  APFloat converted(number);
  bool inexact;
  converted.convert(*semantics, APFloat::rmNearestTiesToEven, &inexact);
  writeBits(converted.bitcastToAPInt().getZExtValue(), value, bytes());
}

void Element::fromInteger(int64_t number, void *value) const {
  if (semantics)
    return fromDouble(static_cast<double>(number), value);
  writeBits(valueBits == 1 ? number & 1 : number, value, bytes());
}

bool Element::fits(int64_t number) const {
  if (semantics || (isUnsignedInteger && valueBits == 64))
    return semantics || number >= 0;
  if (isUnsignedInteger)
    return isUIntN(valueBits, number);
  // Without a sign of its own, i8 may be meant to hold 200.
  return isIntN(valueBits, number) || isUIntN(valueBits, number);
}

bool Element::fits(double number) const {
  uint64_t bits = 0;
  if (std::isnan(number))
    return true;
  fromDouble(number, &bits);
  double stored = toDouble(&bits);
  // Finite numbers stay finite, and infinity stays what it is.
  return std::isfinite(number) ? std::isfinite(stored) : stored == number;
}

std::optional<double> ginc::parseFloat(StringRef text, bool &overflows) {
  double number;
  overflows = false;
  if (text.getAsDouble(number))
    return std::nullopt;
  // Digits that make infinity are too many.
  overflows =
      std::isinf(number) && text.find_first_of("0123456789") != StringRef::npos;
  return number;
}

unsigned Element::exactBits() const {
  return semantics ? APFloat::semanticsPrecision(*semantics) : 64;
}

std::string Element::format(const void *value) const {
  if (!semantics) {
    return isUnsignedInteger ? std::to_string(readBits(value, bytes()))
                             : std::to_string(toInteger(value));
  }
  SmallString<32> text;
  APFloat(*semantics, APInt(width, readBits(value, bytes())))
      .toString(text, /*FormatPrecision=*/0, /*FormatMaxPadding=*/4);
  return text.str().str();
}
