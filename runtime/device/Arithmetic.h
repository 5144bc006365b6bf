//===- Arithmetic.h - what C++ has no operator for --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Arithmetic of programs as the simulator does it. The second operand does not
// take part in deduction, so that it may be a literal: `gin::max(count, 0)`.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_ARITHMETIC_H
#define GIN_DEVICE_ARITHMETIC_H

#include "runtime/device/Float.h"
#include "runtime/device/Platform.h"

#include <cmath>
#include <type_traits>

namespace gin {

namespace detail {
template <class T>
struct SameType {
  using type = T;
};
template <class T>
using Same = typename SameType<T>::type;
} // namespace detail

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

template <class T>
GIN_ANYWHERE inline T min(T a, detail::Same<T> b) {
  return b < a ? b : a;
}
template <class T>
GIN_ANYWHERE inline T max(T a, detail::Same<T> b) {
  return a < b ? b : a;
}
/// Rounded down, where C++ rounds towards 0.
template <class T>
GIN_ANYWHERE inline T floorDiv(T a, detail::Same<T> b) {
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>(a / b - (a % b != 0 && (a < 0) != (b < 0)));
  else
    return a / b;
}
/// Rounded up.
template <class T>
GIN_ANYWHERE inline T ceilDiv(T a, detail::Same<T> b) {
  const bool isCut = a % b != 0;
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>(a / b + (isCut && (a < 0) == (b < 0)));
  else
    return static_cast<T>(a / b + isCut);
}
/// What floorDiv() leaves: at least 0 for a positive divisor.
template <class T>
GIN_ANYWHERE inline T modulo(T a, detail::Same<T> b) {
  return static_cast<T>(a - floorDiv(a, b) * b);
}
/// The smallest number stays as it is.
template <class T>
GIN_ANYWHERE inline T absolute(T a) {
  using Unsigned = std::make_unsigned_t<T>;
  return a < 0 ? static_cast<T>(Unsigned(0) - static_cast<Unsigned>(a)) : a;
}

/// Wraps around, where C++'s signed numbers must not overflow.
template <class T>
GIN_ANYWHERE inline T product(T a, detail::Same<T> b) {
  using Unsigned = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
}

template <class T>
GIN_DEVICE T countOnes(T a) {
  T count = 0;
  for (auto bits = static_cast<std::make_unsigned_t<T>>(a); bits != 0;
       bits = static_cast<decltype(bits)>(bits & (bits - 1)))
    ++count;
  return count;
}
/// All bits of 0 are leading ones, and trailing ones.
template <class T>
GIN_DEVICE T countLeadingZeros(T a) {
  T count = 8 * sizeof(T);
  for (auto bits = static_cast<std::make_unsigned_t<T>>(a); bits != 0;
       bits = static_cast<decltype(bits)>(bits >> 1))
    --count;
  return count;
}
template <class T>
GIN_DEVICE T countTrailingZeros(T a) {
  T count = 8 * sizeof(T);
  for (auto bits = static_cast<std::make_unsigned_t<T>>(a); bits != 0;
       bits = static_cast<decltype(bits)>(bits << 1))
    --count;
  return count;
}

/// The upper half of the product, of twice the width.
template <class T>
GIN_DEVICE T mulHighUnsigned(T a, detail::Same<T> b) {
  using Unsigned = std::make_unsigned_t<T>;
  constexpr unsigned bits = 8 * sizeof(T);
  const uint64_t x = static_cast<Unsigned>(a), y = static_cast<Unsigned>(b);
  if constexpr (bits < 64)
    return static_cast<T>(x * y >> bits);
  // By halves of 32 bits. No sum overflows.
  const uint64_t low = 0xffffffffu;
  const uint64_t middle = (x >> 32) * (y & low) + ((x & low) * (y & low) >> 32);
  const uint64_t other = (x & low) * (y >> 32) + (middle & low);
  return static_cast<T>((x >> 32) * (y >> 32) + (middle >> 32) + (other >> 32));
}
template <class T>
GIN_DEVICE T mulHigh(T a, detail::Same<T> b) {
  using Unsigned = std::make_unsigned_t<T>;
  const auto high = static_cast<Unsigned>(mulHighUnsigned<T>(a, b));
  return static_cast<T>(high -
                        (a < 0 ? static_cast<Unsigned>(b) : Unsigned(0)) -
                        (b < 0 ? static_cast<Unsigned>(a) : Unsigned(0)));
}
/// Whether the sum of two unsigned numbers does not fit.
template <class T>
GIN_DEVICE bool carries(T a, detail::Same<T> b) {
  using Unsigned = std::make_unsigned_t<T>;
  const auto sum = static_cast<Unsigned>(static_cast<Unsigned>(a) +
                                         static_cast<Unsigned>(b));
  return sum < static_cast<Unsigned>(a);
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

/// The same bits as another type.
template <class To, class From>
GIN_ANYWHERE inline To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "types of one size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

/// Whether one of them is not a number.
template <class T>
GIN_DEVICE bool unordered(T a, detail::Same<T> b) {
  return a != a || b != b;
}
template <class T>
GIN_DEVICE bool lessOrGreater(T a, detail::Same<T> b) {
  return a < b || a > b;
}
/// The smaller one; not a number if either is not; -0 is less than 0. (fmin
/// prefers numbers.)
template <class T>
GIN_DEVICE T minimum(T a, detail::Same<T> b) {
  if (unordered(a, b))
    return a + b;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class T>
GIN_DEVICE T maximum(T a, detail::Same<T> b) {
  if (unordered(a, b))
    return a + b;
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}
template <class T>
GIN_DEVICE T rsqrt(T a) {
  return T(1) / std::sqrt(a);
}

/// A whole power, by squaring. Of integers with a negative exponent only 1 and
/// -1 have one; of others it is 0. For floats it is the reciprocal.
template <class T, class N>
GIN_DEVICE T power(T base, N exponent) {
  if constexpr (std::is_integral_v<T>)
    if (exponent < 0)
      return base == 1 || base == -1 ? power(base, static_cast<T>(exponent & 1))
                                     : T(0);
  auto times = [](T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return product(a, b);
    else
      return a * b;
  };
  T result = 1;
  auto rest = static_cast<std::make_unsigned_t<N>>(absolute(exponent));
  while (rest != 0) {
    if ((rest & 1) != 0)
      result = times(result, base);
    rest = static_cast<decltype(rest)>(rest >> 1);
    if (rest != 0)
      base = times(base, base);
  }
  if constexpr (!std::is_integral_v<T>)
    if (exponent < 0)
      return T(1) / result;
  return result;
}

/// An integer as a double that rounds on to fewer bits as the integer does: cut
/// off to 53 bits at most, of which the last says that something was.
GIN_DEVICE double roundToOdd(uint64_t value) {
  constexpr uint64_t cut = 0x7ff;
  if (value >> 53 != 0)
    value = (value & ~cut) | ((value & cut) != 0 ? cut + 1 : 0);
  return static_cast<double>(value);
}
GIN_DEVICE double roundToOdd(int64_t value) {
  const uint64_t bits = static_cast<uint64_t>(value);
  return value < 0 ? -roundToOdd(~bits + 1) : roundToOdd(bits);
}

/// A double in a type of 8 or 16 bits, rounded once: to a float of which the
/// last bit says that something was cut off, then to nearest.
template <class T>
GIN_DEVICE T narrow(double value) {
  float rounded = static_cast<float>(value);
  const double back = static_cast<double>(rounded);
  uint32_t bits = bitCast<uint32_t>(rounded);
  if (back != value && value == value && (bits & 1) == 0)
    bits += std::fabs(back) < std::fabs(value) ? 1u : ~0u;
  return fromFloat<T>(bitCast<float>(bits));
}

} // namespace gin

#endif // GIN_DEVICE_ARITHMETIC_H
