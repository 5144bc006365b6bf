//===- Vector.h - a few elements at a time ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Vectors of one dimension, in the registers of one thread. Loads and stores
// are as wide as the element's alignment allows the compiler to make them.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_VECTOR_H
#define GIN_DEVICE_VECTOR_H

#include "runtime/device/Arithmetic.h"

namespace gin {

template <class T, unsigned N>
struct Vector {
  T elements[N];

  GIN_DEVICE static Vector all(T value) {
    Vector result;
    for (unsigned i = 0; i < N; ++i)
      result.elements[i] = value;
    return result;
  }
  GIN_DEVICE static Vector load(const T *from) {
    Vector result;
    for (unsigned i = 0; i < N; ++i)
      result.elements[i] = from[i];
    return result;
  }
  GIN_DEVICE void store(T *to) const {
    for (unsigned i = 0; i < N; ++i)
      to[i] = elements[i];
  }

  GIN_DEVICE T operator[](int64_t i) const { return elements[i]; }
  /// The vector with another element `i`.
  GIN_DEVICE Vector with(int64_t i, T value) const {
    Vector result = *this;
    result.elements[i] = value;
    return result;
  }

  template <class Combine>
  GIN_DEVICE T reduce(Combine combine) const {
    T result = elements[0];
    for (unsigned i = 1; i < N; ++i)
      result = combine(result, elements[i]);
    return result;
  }
  GIN_DEVICE T sum() const {
    return reduce([](T a, T b) { return a + b; });
  }
  GIN_DEVICE T product() const {
    return reduce([](T a, T b) { return a * b; });
  }
  GIN_DEVICE T minimum() const {
    if constexpr (std::is_integral_v<T>)
      return reduce([](T a, T b) { return gin::min(a, b); });
    else
      return reduce([](T a, T b) { return gin::minimum(a, b); });
  }
  GIN_DEVICE T maximum() const {
    if constexpr (std::is_integral_v<T>)
      return reduce([](T a, T b) { return gin::max(a, b); });
    else
      return reduce([](T a, T b) { return gin::maximum(a, b); });
  }
};

namespace detail {
template <class T, unsigned N, class Combine>
GIN_DEVICE Vector<T, N> combine(const Vector<T, N> &a, const Vector<T, N> &b,
                                Combine each) {
  Vector<T, N> result;
  for (unsigned i = 0; i < N; ++i)
    result.elements[i] = each(a.elements[i], b.elements[i]);
  return result;
}
} // namespace detail

namespace detail {
/// In which integers wrap around; others are as they are.
template <class T, bool isInteger = std::is_integral_v<T>>
struct WrappingOf {
  using type = T;
};
template <class T>
struct WrappingOf<T, true> {
  using type = std::make_unsigned_t<T>;
};
template <class T>
using Wrapping = typename WrappingOf<T>::type;
} // namespace detail

template <class T, unsigned N>
GIN_DEVICE Vector<T, N> operator+(const Vector<T, N> &a,
                                  const Vector<T, N> &b) {
  return detail::combine(a, b,
                         [](detail::Wrapping<T> x, detail::Wrapping<T> y) {
                           return static_cast<T>(x + y);
                         });
}
template <class T, unsigned N>
GIN_DEVICE Vector<T, N> operator-(const Vector<T, N> &a,
                                  const Vector<T, N> &b) {
  return detail::combine(a, b,
                         [](detail::Wrapping<T> x, detail::Wrapping<T> y) {
                           return static_cast<T>(x - y);
                         });
}
template <class T, unsigned N>
GIN_DEVICE Vector<T, N> operator*(const Vector<T, N> &a,
                                  const Vector<T, N> &b) {
  return detail::combine(a, b,
                         [](detail::Wrapping<T> x, detail::Wrapping<T> y) {
                           return static_cast<T>(x * y);
                         });
}
template <class T, unsigned N>
GIN_DEVICE Vector<T, N> operator/(const Vector<T, N> &a,
                                  const Vector<T, N> &b) {
  return detail::combine(a, b, [](T x, T y) { return x / y; });
}
/// a * b + c, rounded once.
template <class T, unsigned N>
GIN_DEVICE Vector<T, N> fma(const Vector<T, N> &a, const Vector<T, N> &b,
                            const Vector<T, N> &c) {
  Vector<T, N> result;
  for (unsigned i = 0; i < N; ++i)
    result.elements[i] = std::fma(a.elements[i], b.elements[i], c.elements[i]);
  return result;
}

} // namespace gin

#endif // GIN_DEVICE_VECTOR_H
