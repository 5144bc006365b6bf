//===- Atomic.h - atomic updates of single elements -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Relaxed, at system scope, on windows and peers' views. Each returns what was
// there before. Elements of 32 bits; additions also of 64.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_ATOMIC_H
#define GIN_DEVICE_ATOMIC_H

#include "runtime/device/Arithmetic.h"

namespace gin {

/// Replaces the element by `change(element)`.
template <class T, class Change>
GIN_DEVICE T fetchChange(T *address, Change change) {
  static_assert(sizeof(T) == 4, "an atomic update of 32 bits");
  uint32_t *word = reinterpret_cast<uint32_t *>(address);
  uint32_t old = loadRelaxed(word);
  for (;;) {
    const T value = change(bitCast<T>(old));
    const uint32_t seen = exchangeIf(word, old, bitCast<uint32_t>(value));
    if (seen == old)
      return bitCast<T>(old);
    old = seen;
  }
}

template <class T>
GIN_DEVICE T fetchAdd(T *address, detail::Same<T> value) {
  // Signed addition is the same as unsigned.
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
    return static_cast<T>(
        ::atomicAdd_system(reinterpret_cast<unsigned long long *>(address),
                           static_cast<unsigned long long>(value)));
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(::atomicAdd_system(
        reinterpret_cast<unsigned *>(address), static_cast<unsigned>(value)));
  else
    return ::atomicAdd_system(address, value);
}
template <class T>
GIN_DEVICE T fetchMultiply(T *address, detail::Same<T> value) {
  return fetchChange(address, [=](T old) { return old * value; });
}
template <class T>
GIN_DEVICE T fetchMax(T *address, detail::Same<T> value) {
  return fetchChange(address, [=](T old) {
    if constexpr (std::is_integral_v<T>)
      return max(old, value);
    else
      return maximum(old, value);
  });
}
template <class T>
GIN_DEVICE T fetchMin(T *address, detail::Same<T> value) {
  return fetchChange(address, [=](T old) {
    if constexpr (std::is_integral_v<T>)
      return min(old, value);
    else
      return minimum(old, value);
  });
}
template <class T>
GIN_DEVICE T fetchMaxUnsigned(T *address, detail::Same<T> value) {
  return fetchChange(address, [=](T old) {
    return static_cast<T>(
        max(static_cast<uint32_t>(old), static_cast<uint32_t>(value)));
  });
}
template <class T>
GIN_DEVICE T fetchMinUnsigned(T *address, detail::Same<T> value) {
  return fetchChange(address, [=](T old) {
    return static_cast<T>(
        min(static_cast<uint32_t>(old), static_cast<uint32_t>(value)));
  });
}
template <class T>
GIN_DEVICE T fetchAnd(T *address, detail::Same<T> value) {
  return fetchChange(address, [=](T old) { return old & value; });
}
template <class T>
GIN_DEVICE T fetchOr(T *address, detail::Same<T> value) {
  return fetchChange(address, [=](T old) { return old | value; });
}
template <class T>
GIN_DEVICE T exchange(T *address, detail::Same<T> value) {
  return fetchChange(address, [=](T) { return value; });
}

} // namespace gin

#endif // GIN_DEVICE_ATOMIC_H
