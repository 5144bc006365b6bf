//===- Element.h - element types of memrefs ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_ELEMENT_H
#define GINC_TOOLS_GINC_ELEMENT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
struct fltSemantics;
} // namespace llvm
namespace mlir {
class Type;
} // namespace mlir

namespace ginc {

/// A type of scalars that ginc can put into memory: i1 to i64 (and signed and
/// unsigned ones), index, f16, bf16, f32, f64 and two kinds of fp8. Its values
/// are handled through pointers to memory, where they need not be aligned.
class Element {
public:
  static constexpr llvm::StringLiteral known =
      "i1, i8, i16, i32, i64, index, f16, bf16, f32, f64, f8E4M3FN or f8E5M2";

  /// The element for a type, or none when ginc does not know it.
  static std::optional<Element> get(mlir::Type type);

  unsigned bytes() const { return width / 8; }
  unsigned bits() const { return width; } ///< in memory
  bool isFloat() const { return semantics; }
  bool isUnsigned() const { return isUnsignedInteger; }
  /// How the program spells it, such as "bf16".
  llvm::StringRef name() const { return spelling; }

  /// The type of NumPy that carries it, such as "<f4" (and "float32" for
  /// people); bf16 and fp8 travel as unsigned integers.
  std::string npyType() const;
  std::string numpyName() const;
  /// Whether arrays of a type of NumPy can be taken for it.
  bool accepts(llvm::StringRef npyType) const;

  double toDouble(const void *value) const;
  int64_t toInteger(const void *value) const; ///< not for floats
  void fromDouble(double number, void *value) const;
  void fromInteger(int64_t number, void *value) const; ///< wraps
  bool fits(int64_t number) const; ///< whether an integer type holds it
  bool fits(double number) const;  ///< whether a float can come near it
  /// Up to which power of two all integers are exact; 64 for integers.
  unsigned exactBits() const;
  /// A value for people; floats with as many digits as tell them apart.
  std::string format(const void *value) const;

private:
  std::string spelling;
  unsigned width = 0;
  unsigned valueBits = 0; ///< 1 for i1, else the width
  bool isUnsignedInteger = false;
  const llvm::fltSemantics *semantics = nullptr;
};

/// The number that is all of `text`, such as "-2.5e3" or "inf". `overflows`
/// says whether it is finite, but beyond what any double can hold.
std::optional<double> parseFloat(llvm::StringRef text, bool &overflows);

/// "float32" for "<f4"; the text itself where NumPy's name is not known.
std::string numpyName(llvm::StringRef npyType);

} // namespace ginc

#endif // GINC_TOOLS_GINC_ELEMENT_H
