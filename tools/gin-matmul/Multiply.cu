//===- Multiply.cu - a matmul on one GPU ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/device/Matmul.h"
#include "tools/gin-matmul/Bench.h"
#include "tools/gin-matmul/Launch.h"

using namespace ginmatmul;

template <int Columns, bool TransposedB>
using Config =
    gin::MatmulConfig<__nv_bfloat16, __nv_bfloat16, TransposedB, Columns>;

template <class Config>
static __global__ void GIN_CLUSTER(Config::cluster)
    __launch_bounds__(Config::threads, 1)
        multiply(const __grid_constant__ ginMatrix_t a,
                 const __grid_constant__ ginMatrix_t b,
                 const __grid_constant__ ginMatrix_t c,
                 const __grid_constant__ gin::MatmulGrid order) {
  gin::matmul<Config>({&a, &b, &c}, {0, gridDim.x}, order, gin::MatmulHooks(),
                      gin::sharedMemory());
}

static __global__ void transpose(__nv_bfloat16 *to, const __nv_bfloat16 *from,
                                 int64_t rows, int64_t columns) {
  for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * columns;
       i += gridDim.x * blockDim.x)
    to[i % columns * rows + i / columns] = from[i];
}

namespace {

class Cublas : public Contender {
public:
  Cublas(Rig &rig, const Data &data) : rig(rig), data(data) {}
  std::string name() const override { return "cuBLAS"; }
  void launch(int rank) override {
    const Case &one = data.one;
    rig.cublas(rank, data.a[0].as<void>(), data.b[0].as<void>(),
               data.c[0].as<void>(), CUDA_R_16BF, one.m, one.n, one.k);
  }

private:
  Rig &rig;
  const Data &data;
};

/// With B as it is, n x k, or a copy of it, k x n.
template <int Columns, bool TransposedB>
class Gin : public Contender {
  using Shape = Config<Columns, TransposedB>;

public:
  Gin(Rig &rig, const Data &data) : rig(rig), data(data) {
    const Case &one = data.one;
    const ginMatmulShape_t shape = Shape::shape();
    rig.use(0);
    a = matrix(GIN_MATMUL_A, shape, data.a[0], one.m, one.k);
    if (TransposedB) {
      b = matrix(GIN_MATMUL_B_TRANSPOSED, shape, data.b[0], one.n, one.k);
    } else {
      copy = Memory(rig.devices[0], size_t(one.n) * size_t(one.k) * 2);
      b = matrix(GIN_MATMUL_B, shape, copy, one.k, one.n);
    }
    c = matrix(GIN_MATMUL_C, shape, data.c[0], one.m, one.n);
    order = gin::MatmulGrid::of(Shape(), one.m, one.n);
  }
  std::string name() const override {
    return "gin, tiles of " + std::to_string(Columns) + " columns" +
           (TransposedB ? "" : ", B is k x n");
  }
  void prepare(int rank) override {
    if (!TransposedB)
      transpose<<<1024, 256, 0, Rig::at(rig.streams, rank)>>>(
          copy.as<__nv_bfloat16>(), data.b[0].as<__nv_bfloat16>(), data.one.n,
          data.one.k);
  }
  void launch(int rank) override {
    launchKernel(rig, rank, multiply<Shape>, Shape::sharedBytes(9), a, b, c,
                 order);
  }

private:
  Rig &rig;
  const Data &data;
  Memory copy;
  ginMatrix_t a, b, c;
  gin::MatmulGrid order;
};

} // namespace

void ginmatmul::enterMultiply(Rig &rig, const Data &data,
                              const Options &options, Contenders &contenders) {
  const Case &one = data.one;
  if (one.mode != Mode::Multiply)
    return;
  contenders.push_back(std::make_unique<Cublas>(rig, data));
  for (int columns : options.columns)
    withColumns(
        columns ? columns : ginMatmulColumns(one.m, one.n, rig.multiprocessors),
        [&](auto fixed) {
          constexpr int width = decltype(fixed)::value;
          contenders.push_back(std::make_unique<Gin<width, true>>(rig, data));
          contenders.push_back(std::make_unique<Gin<width, false>>(rig, data));
        });
}
