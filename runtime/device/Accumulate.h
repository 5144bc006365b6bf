//===- Accumulate.h - atomic addition by type -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Relaxed atomic additions at system scope, for each element type that GPUs can
// add, and words by size.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_ACCUMULATE_H
#define GIN_DEVICE_ACCUMULATE_H

#include "runtime/device/Float.h"

#include <cstddef>
#include <type_traits>

namespace gin::detail {

template <size_t Size>
struct Word;
template <>
struct Word<1> {
  using type = uint8_t;
};
template <>
struct Word<2> {
  using type = uint16_t;
};
template <>
struct Word<4> {
  using type = uint32_t;
};
template <>
struct Word<8> {
  using type = uint64_t;
};
template <size_t Size>
using WordOf = typename Word<Size>::type;

template <class T>
GIN_DEVICE T loadElement(const T *address) {
  WordOf<sizeof(T)> word;
  if constexpr (sizeof(T) == 2)
    word = load2(address);
  else if constexpr (sizeof(T) == 4)
    word = load4(address);
  else
    word = load8(address);
  T value;
  __builtin_memcpy(&value, &word, sizeof value);
  return value;
}

/// Two bytes as part of the aligned word that holds them, where there is no
/// instruction for the type.
template <class T>
GIN_DEVICE void addByExchange(T *address, T value) {
  const uintptr_t place = reinterpret_cast<uintptr_t>(address);
  uint32_t *word = reinterpret_cast<uint32_t *>(place & ~uintptr_t(3));
  const unsigned shift = 8 * (place & 2);
  uint32_t old = loadRelaxed(word);
  for (;;) {
    uint16_t half = static_cast<uint16_t>(old >> shift);
    T sum;
    __builtin_memcpy(&sum, &half, sizeof sum);
    sum = fromFloat<T>(toFloat(sum) + toFloat(value));
    __builtin_memcpy(&half, &sum, sizeof half);
    const uint32_t changed =
        (old & ~(0xffffu << shift)) | (static_cast<uint32_t>(half) << shift);
    const uint32_t seen = exchangeIf(word, old, changed);
    if (seen == old)
      return;
    old = seen;
  }
}

/// Elements that GPUs can add to memory atomically.
template <class T>
constexpr bool canAddElement =
    std::is_same_v<T, float> || std::is_same_v<T, double> ||
    std::is_same_v<T, half> || std::is_same_v<T, bfloat16> ||
    (std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));

template <class T>
GIN_DEVICE void addElement(T *address, T value) {
  static_assert(canAddElement<T>,
                "elements that can be added atomically: 32- and 64-bit "
                "integers, gin::half, gin::bfloat16, float, double");
  constexpr bool isHalf = std::is_same_v<T, half>;
  constexpr bool isBfloat16 = std::is_same_v<T, bfloat16>;
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    addRelaxed(address, value);
  } else if constexpr ((isHalf && canAddHalf) ||
                       (isBfloat16 && canAddBfloat16)) {
    uint16_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    if constexpr (isHalf)
      addHalf(address, bits);
    else
      addBfloat16(address, bits);
  } else if constexpr (isHalf || isBfloat16) {
    addByExchange(address, value);
  } else {
    // Signed addition is the same.
    using Unsigned = WordOf<sizeof(T)>;
    addRelaxed(reinterpret_cast<Unsigned *>(address),
               static_cast<Unsigned>(value));
  }
}

} // namespace gin::detail

#endif // GIN_DEVICE_ACCUMULATE_H
