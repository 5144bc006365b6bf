//===- Portable.h - matmul by loops -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For any GPU and for host threads, any arithmetic types, and blocks of any
// size: right, not fast.
// All steps of k of a tile are acquired before the first is multiplied.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_MATMUL_PORTABLE_H
#define GIN_DEVICE_MATMUL_PORTABLE_H

#include "runtime/device/matmul/Epilogue.h"
#include "runtime/device/matmul/Select.h"

namespace gin::detail {

template <class Config, class Order, class Hooks>
class PortableMatmul {
  using Input = typename Config::Input;
  using Output = typename Config::Output;
  // Integers wrap as the output's do, whatever the width of the sum.
  using Sum =
      std::conditional_t<std::is_integral_v<Output>, uint64_t,
                         std::conditional_t<std::is_same_v<Input, double> ||
                                                std::is_same_v<Output, double>,
                                            double, float>>;

  const MatmulOperands &operands;
  const unsigned thread = threadInBlock(), threads = threadsOfBlock();
  const TileWalk<Config, Order, Hooks> tiles;

  GIN_DEVICE static Sum at(const MatrixView<const Input> &matrix, int64_t row,
                           int64_t column) {
    const Input *address = matrix.data + row * matrix.stride + column;
    Input value;
    if constexpr (sizeof(Input) == 1) {
      const uint8_t byte = static_cast<uint8_t>(load1(address));
      __builtin_memcpy(&value, &byte, sizeof value);
    } else {
      value = loadElement(address);
    }
    if constexpr (std::is_arithmetic_v<Input>)
      return static_cast<Sum>(value);
    else
      return static_cast<Sum>(toFloat(value));
  }

  GIN_DEVICE void compute(const ginMatmulTile_t &tile) const {
    const auto a = viewOf<const Input, Hooks>(operands.a, tile.a);
    const auto b = viewOf<const Input, Hooks>(operands.b, tile.b);
    const auto c = outputOf<Output, Hooks>(operands.c, tile);
    for (unsigned i = thread; i < Config::rows * Config::columns;
         i += threads) {
      const int64_t row = tile.row + int64_t(i / Config::columns);
      const int64_t column = tile.column + int64_t(i % Config::columns);
      if (row >= c.rows || column >= c.columns)
        continue;
      Sum sum{};
      for (int64_t k = 0; k < a.columns; ++k)
        sum += at(a, row, k) *
               (Config::transposedB ? at(b, column, k) : at(b, k, column));
      putElement(c.data + row * c.stride + column, sum, c.add);
    }
  }

public:
  GIN_DEVICE PortableMatmul(const MatmulOperands &operands, CtaRange ctas,
                            const Order &order, void *shared)
      : operands(operands), tiles(order, ctas, shared) {}

  GIN_DEVICE void run(const Hooks &hooks) const {
    Hooks own = hooks;
    // A whole warp, or all there is of it.
    if (thread < 32)
      own.spare();
    bool good = true;
    const int64_t depth = operands.a[0].columns;
    auto walk = tiles;
    ginMatmulTile_t tile;
    while (walk.next(tile, thread == 0, own, good, [] { syncBlock(); })) {
      if (thread == 0) {
        for (int k = Hooks::selects ? Config::depth : 0; k < depth && good;
             k += Config::depth)
          good = own.acquire(tile, k);
        good = good && own.reserve(tile);
      }
      if (syncBlockOr(!good))
        break;
      compute(tile);
      if constexpr (Hooks::publishes) {
        syncBlock();
        if (thread == 0 && good)
          own.publish(tile);
      }
    }
    syncBlock();
  }
};

} // namespace gin::detail

#endif // GIN_DEVICE_MATMUL_PORTABLE_H
