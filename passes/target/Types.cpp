//===- Types.cpp - types and literals of C++ --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/StringExtras.h"

using namespace gin;
using namespace gin::cuda;

std::string cuda::typeName(Type type) {
  if (type.isIndex())
    return "int64_t";
  if (type.isInteger(1))
    return "bool";
  if (auto integer = dyn_cast<IntegerType>(type))
    switch (integer.getWidth()) {
    case 8:
    case 16:
    case 32:
    case 64:
      return "int" + std::to_string(integer.getWidth()) + "_t";
    default:
      return {};
    }
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  if (type.isF16())
    return "gin::half";
  if (type.isBF16())
    return "gin::bfloat16";
  if (isa<Float8E4M3FNType>(type))
    return "gin::float8e4m3";
  if (isa<Float8E5M2Type>(type))
    return "gin::float8e5m2";
  if (isa<TokenType>(type))
    return "gin::Token";
  if (auto vector = dyn_cast<VectorType>(type)) {
    std::string element = typeName(vector.getElementType());
    if (element.empty() || vector.getRank() != 1 || vector.isScalable() ||
        isa<TokenType>(vector.getElementType()))
      return {};
    return "gin::Vector<" + element + ", " +
           std::to_string(vector.getDimSize(0)) + ">";
  }
  return {};
}

std::string cuda::unsignedName(Type type) {
  if (type.isInteger(1))
    return "bool";
  return "u" + typeName(type);
}

bool cuda::isSmallFloat(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
}

static Expr integerLiteral(const APInt &value, Type type) {
  if (type.isInteger(1))
    return {value.isZero() ? "false" : "true"};
  int64_t number = value.getSExtValue();
  // Their digits alone would be too large before the minus is applied.
  if (number == std::numeric_limits<int64_t>::min())
    return {"INT64_MIN"};
  if (number == std::numeric_limits<int32_t>::min())
    return {"INT32_MIN"};
  return {std::to_string(number), number < 0 ? Unary : Primary};
}

/// The shortest digits that read back as the same number.
static std::string digits(const APFloat &value) {
  SmallString<32> text;
  for (unsigned precision = 1; precision <= 17; ++precision) {
    text.clear();
    value.toString(text, precision, /*FormatMaxPadding=*/6);
    APFloat back(value.getSemantics());
    auto status = back.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!llvm::errorToBool(status.takeError()) && back.bitwiseIsEqual(value))
      break;
  }
  std::string result = StringRef(text).lower();
  if (StringRef(result).find_first_of(".e") == StringRef::npos)
    result += ".0";
  return result;
}

static Expr floatLiteral(const APFloat &value, Type type) {
  if (isSmallFloat(type)) {
    APFloat wide = value;
    bool loses;
    wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
    Type single = Float32Type::get(type.getContext());
    return {"gin::fromFloat<" + typeName(type) + ">(" +
            floatLiteral(wide, single).text + ")"};
  }
  bool isSingle = type.isF32();
  if (value.isNaN()) {
    if (value.bitwiseIsEqual(APFloat::getNaN(value.getSemantics())))
      return {"NAN"};
    return {"gin::bitCast<" + typeName(type) + ">(" + (isSingle ? "" : "u") +
            (isSingle ? "int32_t(0x" : "int64_t(0x") +
            llvm::utohexstr(value.bitcastToAPInt().getZExtValue(), true) +
            "))"};
  }
  if (value.isInfinity())
    return value.isNegative() ? Expr{"-INFINITY", Unary} : Expr{"INFINITY"};
  return {digits(value) + (isSingle ? "f" : ""),
          value.isNegative() ? Unary : Primary};
}

Expr cuda::literal(TypedAttr constant) {
  Type type = constant.getType();
  if (auto integer = dyn_cast<IntegerAttr>(constant))
    return integerLiteral(integer.getValue(), type);
  if (auto number = dyn_cast<FloatAttr>(constant))
    return floatLiteral(number.getValue(), type);
  // Vectors have one element again and again, or a list.
  auto elements = cast<DenseElementsAttr>(constant);
  std::string text = typeName(type);
  auto print = [&](Attribute element) {
    return literal(cast<TypedAttr>(element)).text;
  };
  if (elements.isSplat())
    return {text + "::all(" + print(elements.getSplatValue<Attribute>()) + ")"};
  text += "{";
  llvm::interleave(
      elements.getValues<Attribute>(),
      [&](Attribute element) { text += print(element); },
      [&] { text += ", "; });
  return {text + "}"};
}

std::string cuda::quote(StringRef text) {
  // Long ones in pieces, as clang-format would have it.
  constexpr size_t longest = 48, piece = 40;
  std::string result = "\"";
  size_t left = text.size() > longest ? piece : text.size();
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"' || c == '\\')
      result += '\\';
    result += llvm::isPrint(c) ? c : ' ';
    left -= left > 0;
    size_t word = std::min(text.find(' ', i + 1), text.size()) - i;
    if (c == ' ' && word > left && i + 1 < text.size() &&
        text.size() > longest) {
      result += "\" \"";
      left = piece;
    }
  }
  return result + "\"";
}
