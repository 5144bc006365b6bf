//===- TileLauncher.h - operands of tile loops ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For the host code that ginc writes beside a kernel with a gin.matmul: makes
// the kernel's argument that describes its operands.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_TILELAUNCHER_H
#define GIN_DEVICE_TILELAUNCHER_H

#include "runtime/device/Launcher.h"
#include "runtime/device/Tiles.h"

#include <algorithm>

namespace gin::launcher {

/// A matrix, or equal ones behind each other.
struct Matrix {
  void *data;
  int64_t rows, columns;
};
struct Matrices {
  void *data;
  int64_t count, rows, columns;
};
/// One of each rank.
struct MatrixOfRanks {
  const Window &window;
  int64_t rows, columns;
};

namespace detail {

/// Tensor maps are of GPUs, and of these types.
template <class T>
constexpr ginElement_t elementOf() {
#ifdef __CUDACC__
  if (std::is_same_v<T, half>)
    return GIN_ELEMENT_F16;
  if (std::is_same_v<T, bfloat16>)
    return GIN_ELEMENT_BF16;
  if (std::is_same_v<T, float>)
    return GIN_ELEMENT_F32;
#endif
  return GIN_ELEMENT_OTHER;
}

/// Tiles are counted in 32 bits.
inline ginResult_t verifySize(const Program &program, const char *what,
                              int64_t rows, int64_t columns) {
  if (rows <= INT32_MAX - 256 && columns <= INT32_MAX - 256)
    return GIN_SUCCESS;
  return fail(GIN_ERR_INVALID_ARGUMENT,
              "%s: a %s of %lld x %lld; sizes are below 2^31 - 256",
              program.title, what, static_cast<long long>(rows),
              static_cast<long long>(columns));
}

template <class Config>
constexpr ginMatmulRole_t rightFactor =
    Config::transposedB ? GIN_MATMUL_B_TRANSPOSED : GIN_MATMUL_B;

template <class Config, class T>
ginResult_t describe(const Program &program, const char *what,
                     ginMatmulRole_t role, void *data, int64_t rows,
                     int64_t columns, ginMatrix_t &matrix) {
  GIN_TRY(verifySize(program, what, rows, columns));
  const ginMatmulShape_t shape = Config::shape();
  return program.blame(what, ginMatrixMake(role, &shape, elementOf<T>(), data,
                                           rows, columns, columns, &matrix));
}

template <class Config, class T>
ginResult_t describeAll(const Program &program, const char *what,
                        ginMatmulRole_t role, const Matrices &all,
                        ginMatrix_t &matrices) {
  GIN_TRY(verifySize(program, what, all.rows, all.columns));
  const ginMatmulShape_t shape = Config::shape();
  return program.blame(what, ginMatricesMake(role, &shape, elementOf<T>(),
                                             all.data, all.count, all.rows,
                                             all.columns, &matrices));
}

inline ginResult_t verifyParts(const Program &program, int64_t parts,
                               int64_t most, const char *what = "parts") {
  if (parts <= most)
    return GIN_SUCCESS;
  return fail(GIN_ERR_INVALID_ARGUMENT,
              "%s: a matmul of %lld %s; it takes at most %lld", program.title,
              static_cast<long long>(parts), what,
              static_cast<long long>(most));
}

inline ginResult_t verifyCounts(const Program &program, const Matrices &a,
                                const Matrices &c) {
  if (c.count == a.count)
    return GIN_SUCCESS;
  return fail(GIN_ERR_INVALID_ARGUMENT,
              "%s: a matmul of %lld parts into %lld; the operands have as many",
              program.title, static_cast<long long>(a.count),
              static_cast<long long>(c.count));
}

template <class Config>
ginResult_t factors(const Program &program, const Matrices &a, const Matrix &b,
                    MatmulParts &operands) {
  using Input = typename Config::Input;
  GIN_TRY(verifyParts(program, a.count, mostParts));
  operands.count = static_cast<int32_t>(a.count);
  for (int64_t i = 0; i < a.count; ++i)
    GIN_TRY((describe<Config, Input>(program, "left factor", GIN_MATMUL_A,
                                     static_cast<Input *>(a.data) +
                                         i * a.rows * a.columns,
                                     a.rows, a.columns, operands.a[i])));
  return describe<Config, Input>(program, "right factor", rightFactor<Config>,
                                 b.data, b.rows, b.columns, operands.b);
}

} // namespace detail

/// `accumulate`: products are added to what is there.
template <class Config>
ginResult_t operands(const Program &program, const Matrices &a, const Matrix &b,
                     const Matrices &c, bool accumulate,
                     MatmulParts &operands) {
  using Output = typename Config::Output;
  GIN_TRY(detail::verifyCounts(program, a, c));
  GIN_TRY(detail::factors<Config>(program, a, b, operands));
  for (int64_t i = 0; i < c.count; ++i) {
    GIN_TRY((detail::describe<Config, Output>(
        program, "product", GIN_MATMUL_C,
        static_cast<Output *>(c.data) + i * c.rows * c.columns, c.rows,
        c.columns, operands.c[i])));
    operands.c[i].add = accumulate;
  }
  return GIN_SUCCESS;
}

/// Of parts whose rows or matrices depend on data; `b` has one for each group.
template <class Config>
ginResult_t groupedOperands(const Program &program, const Matrices &a,
                            const Matrices &b, const Matrices &c,
                            bool accumulate, MatmulGroups &operands) {
  using Input = typename Config::Input;
  using Output = typename Config::Output;
  GIN_TRY(detail::verifyCounts(program, a, c));
  GIN_TRY(detail::verifyParts(program, a.count, mostGroupedParts));
  GIN_TRY(detail::verifyParts(program, b.count, mostGroupedParts, "groups"));
  GIN_TRY((detail::describeAll<Config, Input>(program, "left factor",
                                              GIN_MATMUL_A, a, operands.a)));
  GIN_TRY((detail::describeAll<Config, Input>(
      program, "right factor", detail::rightFactor<Config>, b, operands.b)));
  GIN_TRY((detail::describeAll<Config, Output>(program, "product", GIN_MATMUL_C,
                                               c, operands.c)));
  operands.c.add = accumulate;
  return GIN_SUCCESS;
}

/// Part p of the product goes to rank p, whose memory this one can write.
template <class Config>
ginResult_t operandsOnRanks(const Program &program, const Matrices &a,
                            const Matrix &b, const MatrixOfRanks &c,
                            bool accumulate, MatmulParts &operands) {
  using Output = typename Config::Output;
  GIN_TRY(detail::verifyParts(program, a.count,
                              std::min(c.window.ranks, directRanks)));
  GIN_TRY(detail::factors<Config>(program, a, b, operands));
  for (int64_t i = 0; i < a.count; ++i) {
    const Part &part = c.window.direct[i];
    size_t bytes;
    GIN_TRY(
        program.bytesOf("product", sizeof(Output), {c.rows, c.columns}, bytes));
    if (part.bytes < bytes)
      return fail(GIN_ERR_WINDOW_FULL,
                  "%s: the window of rank %lld has %llu bytes, and its product "
                  "needs %zu",
                  program.title, static_cast<long long>(i),
                  static_cast<unsigned long long>(part.bytes), bytes);
    GIN_TRY((detail::describe<Config, Output>(program, "product", GIN_MATMUL_C,
                                              part.base, c.rows, c.columns,
                                              operands.c[i])));
    operands.c[i].add = accumulate;
  }
  return GIN_SUCCESS;
}

/// Dynamic shared memory of a kernel whose other uses take `own` bytes.
template <class... Configs>
size_t withTiles(size_t own) {
  int major = 0;
#ifdef __CUDACC__
  int device;
  if (cudaGetDevice(&device) == cudaSuccess)
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
#endif
  size_t most = 0;
  for (size_t bytes : {Configs::sharedBytes(major)...})
    most = bytes > most ? bytes : most;
  return (own > 16 ? (own + 127) / 128 * 128 : 0) + most;
}

} // namespace gin::launcher

#endif // GIN_DEVICE_TILELAUNCHER_H
