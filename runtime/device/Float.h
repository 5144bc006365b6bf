//===- Float.h - 8- and 16-bit floating point -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Element types under names that CUDA and the host share. Arithmetic is done in
// float: `gin::fromFloat<gin::half>(gin::toFloat(a) * gin::toFloat(b))`. Any
// type can be converted so, float itself included.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_FLOAT_H
#define GIN_DEVICE_FLOAT_H

#include "runtime/device/Platform.h"

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#else
#include "runtime/device/SmallFloat.h"
#endif

#include <type_traits>

namespace gin {

#ifdef __CUDACC__

using half = __half;
using bfloat16 = __nv_bfloat16;
using float8e4m3 = __nv_fp8_e4m3;
using float8e5m2 = __nv_fp8_e5m2;

namespace detail {
template <__nv_fp8_interpretation_t kind, class T>
GIN_ANYWHERE inline T fromFloat8(float value) {
  T result;
  result.__x = __nv_cvt_float_to_fp8(value, __NV_NOSAT, kind);
  return result;
}
template <class T>
GIN_ANYWHERE inline T fromFloat(float value) {
  if constexpr (std::is_same_v<T, half>)
    return __float2half_rn(value);
  else if constexpr (std::is_same_v<T, bfloat16>)
    return __float2bfloat16_rn(value);
  else if constexpr (std::is_same_v<T, float8e4m3>)
    return fromFloat8<__NV_E4M3, T>(value);
  else if constexpr (std::is_same_v<T, float8e5m2>)
    return fromFloat8<__NV_E5M2, T>(value);
  else
    return static_cast<T>(value);
}
} // namespace detail

#else

namespace detail {
template <class Format, class Bits>
struct SmallFloat {
  Bits bits;
  SmallFloat() = default;
  explicit SmallFloat(float value)
      : bits(static_cast<Bits>(Format::encode(static_cast<double>(value)))) {}
  explicit operator float() const {
    return static_cast<float>(Format::decode(bits));
  }
};
template <class T>
GIN_ANYWHERE inline T fromFloat(float value) {
  return static_cast<T>(value);
}
} // namespace detail

using half = detail::SmallFloat<formats::Float16, uint16_t>;
using bfloat16 = detail::SmallFloat<formats::BFloat16, uint16_t>;
using float8e4m3 = detail::SmallFloat<formats::Float8E4M3FN, uint8_t>;
using float8e5m2 = detail::SmallFloat<formats::Float8E5M2, uint8_t>;

#endif

/// Rounds to nearest, ties to even. What is too large becomes infinity, or NaN
/// in float8e4m3, which has no infinity. (CUDA's own conversions to 8 bits
/// saturate.)
template <class T>
GIN_ANYWHERE inline T fromFloat(float value) {
  return detail::fromFloat<T>(value);
}
template <class T>
GIN_ANYWHERE inline float toFloat(T value) {
  return static_cast<float>(value);
}

} // namespace gin

#endif // GIN_DEVICE_FLOAT_H
