//===- SmallFloat.h - 8- and 16-bit floating point --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_SMALL_FLOAT_H
#define GIN_DEVICE_SMALL_FLOAT_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace gin::formats {

/// A binary format of a sign, `exponentBits` and `mantissaBits`, converted to
/// and from double. A double holds any value of these formats, and any sum or
/// product of two, so that computing in double and encoding the result rounds
/// once: to nearest, ties to even.
///
/// `finite`: there is no infinity, and the pattern of all ones alone is NaN
/// (E4M3FN); what is too large becomes NaN.
template <unsigned exponentBits, unsigned mantissaBits, bool finite>
struct SmallFloat {
  static constexpr unsigned bits = 1 + exponentBits + mantissaBits;
  static constexpr uint32_t sign = uint32_t(1) << (bits - 1);
  static constexpr uint32_t exponents = (uint32_t(1) << exponentBits) - 1;
  static constexpr uint32_t mantissas = (uint32_t(1) << mantissaBits) - 1;
  static constexpr int bias = (1 << (exponentBits - 1)) - 1;
  static constexpr uint32_t infinity = exponents << mantissaBits;
  static constexpr uint32_t quietNaN =
      finite ? sign - 1 : infinity | (mantissas + 1) / 2;

  static double decode(uint32_t value) {
    uint32_t exponent = value >> mantissaBits & exponents;
    uint32_t mantissa = value & mantissas;
    double magnitude;
    if (finite ? (value & (sign - 1)) == sign - 1
               : exponent == exponents && mantissa != 0) {
      magnitude = std::numeric_limits<double>::quiet_NaN();
    } else if (!finite && exponent == exponents) {
      magnitude = std::numeric_limits<double>::infinity();
    } else if (exponent == 0) {
      magnitude = std::ldexp(mantissa, 1 - bias - int(mantissaBits));
    } else {
      uint64_t raw = uint64_t(int(exponent) - bias + 1023) << 52 |
                     uint64_t(mantissa) << (52 - mantissaBits);
      std::memcpy(&magnitude, &raw, sizeof(magnitude));
    }
    return std::copysign(magnitude, value & sign ? -1.0 : 1.0);
  }

  static uint32_t encode(double value) {
    uint64_t raw;
    std::memcpy(&raw, &value, sizeof(raw));
    uint32_t negative = raw >> 63 ? sign : 0;
    int exponent = int(raw >> 52 & 0x7ff);
    uint64_t mantissa = raw & ((uint64_t(1) << 52) - 1);
    if (exponent == 0x7ff)
      return negative | (mantissa || finite ? quietNaN : infinity);
    if (exponent == 0) // zero, or far below the smallest number
      return negative;
    mantissa |= uint64_t(1) << 52;
    exponent -= 1023;
    // Below the smallest normal exponent the unit in the last place stays.
    int below = exponent < 1 - bias ? 1 - bias - exponent : 0;
    unsigned shift = 52 - mantissaBits + unsigned(below);
    if (shift > 54)
      return negative;
    uint64_t kept = mantissa >> shift;
    uint64_t rest = mantissa & ((uint64_t(1) << shift) - 1);
    uint64_t half = uint64_t(1) << (shift - 1);
    kept += rest > half || (rest == half && (kept & 1));
    // A carry out of the mantissa goes into the exponent, as it should.
    int64_t base = below ? 0 : int64_t(exponent + bias - 1) << mantissaBits;
    uint64_t result = uint64_t(base) + kept;
    if (finite ? result >= sign - 1 : result >= infinity)
      return negative | (finite ? quietNaN : infinity);
    return negative | uint32_t(result);
  }
};

using Float16 = SmallFloat<5, 10, false>;
using BFloat16 = SmallFloat<8, 7, false>;
using Float8E5M2 = SmallFloat<5, 2, false>;
using Float8E4M3FN = SmallFloat<4, 3, true>;

} // namespace gin::formats

#endif // GIN_DEVICE_SMALL_FLOAT_H
