//===- Check.cu - odd shapes against loops --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every type, layout and implementation on shapes and strides that divide by
// nothing, by some CTAs of a grid; what lies around C must stay as it was, and
// hooks must be called as often as they should.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/Matmul.h"
#include "tools/gin-matmul/Bench.h"

#include <cstdio>

using namespace ginmatmul;

namespace {

/// How often the hooks were called.
struct Calls {
  unsigned acquire, reserve, publish, spare;
};

struct CountingHooks : gin::MatmulHooks {
  Calls *calls;
  static constexpr bool publishes = true;
  __device__ explicit CountingHooks(Calls *calls) : calls(calls) {}
  __device__ bool acquire(const ginMatmulTile_t &, int) {
    return atomicAdd(&calls->acquire, 1) != ~0u;
  }
  __device__ bool reserve(const ginMatmulTile_t &) {
    return atomicAdd(&calls->reserve, 1) != ~0u;
  }
  __device__ void publish(const ginMatmulTile_t &) {
    atomicAdd(&calls->publish, 1);
  }
  __device__ void spare() { atomicAdd(&calls->spare, 1); }
};

/// A matrix in an allocation that has more before, between and after its rows.
struct Plan {
  int64_t rows, columns, stride, offset, elements;
};

} // namespace

static constexpr unsigned firstCta = 2, ctas = 6;

template <class Config>
static __global__ void GIN_CLUSTER(Config::cluster)
    __launch_bounds__(Config::threads, 1)
        multiply(const __grid_constant__ ginMatrix_t a,
                 const __grid_constant__ ginMatrix_t b,
                 const __grid_constant__ ginMatrix_t c,
                 const __grid_constant__ gin::MatmulGrid order, Calls *calls) {
  if (blockIdx.x >= firstCta)
    gin::matmul<Config>({&a, &b, &c}, {firstCta, ctas}, order,
                        CountingHooks(calls), gin::sharedMemory());
}

/// Element i of a buffer: small, and exact in every type.
static __device__ double valueAt(uint64_t i, uint64_t seed) {
  uint64_t x = (i + 1) * 0x9e3779b97f4a7c15ull + seed * 0xd1342543de82ef95ull;
  x = (x ^ (x >> 32)) * 0xbf58476d1ce4e5b9ull;
  return static_cast<double>(static_cast<int>(x >> 40 & 15) - 7);
}
template <class T>
static __device__ T make(double value) {
  if constexpr (sizeof(T) == 2)
    return static_cast<T>(static_cast<float>(value));
  else
    return static_cast<T>(value);
}
template <class T>
static __device__ double toDouble(T value) {
  if constexpr (sizeof(T) == 2)
    return static_cast<double>(static_cast<float>(value));
  else
    return static_cast<double>(value);
}

template <class T>
static __global__ void fillValues(T *to, int64_t count, uint64_t seed) {
  for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x)
    to[i] = make<T>(valueAt(static_cast<uint64_t>(i), seed));
}

/// Counts elements of C's allocation that are not what they shall be.
template <class Input, class Output>
static __global__ void count(const Output *c, Plan planC, Plan planA,
                             Plan planB, bool transposedB, bool add,
                             unsigned *bad) {
  for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < planC.elements;
       i += gridDim.x * blockDim.x) {
    const int64_t at = i - planC.offset;
    const int64_t row = at / planC.stride, column = at % planC.stride;
    double want = valueAt(static_cast<uint64_t>(i), 3);
    double tolerance = 0;
    if (at >= 0 && row < planC.rows && column < planC.columns) {
      double sum = 0;
      for (int64_t k = 0; k < planA.columns; ++k) {
        const int64_t placeA = planA.offset + row * planA.stride + k;
        const int64_t placeB =
            planB.offset + (transposedB ? column * planB.stride + k
                                        : k * planB.stride + column);
        sum += valueAt(static_cast<uint64_t>(placeA), 1) *
               valueAt(static_cast<uint64_t>(placeB), 2);
      }
      want = add ? want + sum : sum;
      // Sums of small integers are exact; they are rounded when written, and
      // once more when they are added.
      if (sizeof(Output) == 2)
        tolerance = (fabs(sum) + fabs(want)) / 256;
    }
    if (!(fabs(toDouble(c[i]) - want) <= tolerance))
      atomicAdd(bad, 1);
  }
}

namespace {
struct Shape {
  int64_t m, k, n;
};
enum class Places { Aligned, Tight, Odd };
} // namespace

static Plan planOf(int64_t rows, int64_t columns, Places places) {
  Plan plan{rows, columns, columns, 0, 0};
  if (places == Places::Aligned) {
    plan.stride = (columns + 15) / 16 * 16 + 16;
    plan.offset = 64;
  } else if (places == Places::Odd) {
    plan.stride = columns + 3;
    plan.offset = 1;
  }
  plan.stride = std::max<int64_t>(plan.stride, 1);
  plan.elements = plan.offset + rows * plan.stride + 256;
  return plan;
}

namespace {

/// Runs one kernel on one shape, and adds what was wrong.
template <class Config>
class Checker {
  using Input = typename Config::Input;
  using Output = typename Config::Output;

public:
  Checker(Rig &rig, unsigned threads) : rig(rig), threads(threads) {}

  void run(const Shape &shape, Places places, bool add) {
    const Plan planA = planOf(shape.m, shape.k, places);
    const Plan planB = Config::transposedB ? planOf(shape.n, shape.k, places)
                                           : planOf(shape.k, shape.n, places);
    const Plan planC = planOf(shape.m, shape.n, places);
    const int device = rig.devices[0];
    cudaStream_t stream = rig.streams[0];
    Memory a(device, bytes<Input>(planA)), b(device, bytes<Input>(planB)),
        c(device, bytes<Output>(planC)), results(device, 64);
    fillValues<<<64, 256, 0, stream>>>(a.as<Input>(), planA.elements, 1);
    fillValues<<<64, 256, 0, stream>>>(b.as<Input>(), planB.elements, 2);
    fillValues<<<64, 256, 0, stream>>>(c.as<Output>(), planC.elements, 3);
    need(cudaMemsetAsync(results.as<void>(), 0, 64, stream), "memory");

    const ginMatrix_t matrixA = matrix(GIN_MATMUL_A, a.as<Input>(), planA);
    const ginMatrix_t matrixB =
        matrix(Config::transposedB ? GIN_MATMUL_B_TRANSPOSED : GIN_MATMUL_B,
               b.as<Input>(), planB);
    ginMatrix_t matrixC = matrix(GIN_MATMUL_C, c.as<Output>(), planC);
    matrixC.add = add;
    const auto order = gin::MatmulGrid::of(Config(), shape.m, shape.n, 3);
    const uint32_t shared = Config::sharedBytes(9);
    need(cudaFuncSetAttribute(multiply<Config>,
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(shared)),
         "shared memory");
    multiply<Config><<<firstCta + ctas, threads, shared, stream>>>(
        matrixA, matrixB, matrixC, order, results.as<Calls>());
    need(cudaGetLastError(), "launch");
    unsigned *bad = results.as<unsigned>() + 8;
    count<Input><<<256, 256, 0, stream>>>(c.as<Output>(), planC, planA, planB,
                                          Config::transposedB, add, bad);
    unsigned host[16];
    need(cudaMemcpyAsync(host, results.as<void>(), sizeof host,
                         cudaMemcpyDefault, stream),
         "copy");
    need(cudaStreamSynchronize(stream), "kernel");
    Calls calls{host[0], host[1], host[2], host[3]};
    const unsigned tiles = order.down * order.across * Config::cluster;
    const unsigned steps = static_cast<unsigned>((shape.k + 63) / 64);
    const bool called = calls.acquire == tiles * steps &&
                        calls.reserve == tiles && calls.publish == tiles &&
                        calls.spare == ctas * std::min(threads, 32u);
    const bool mapped = matrixA.mapped && matrixB.mapped && matrixC.mapped;
    ++(mapped ? mappedRuns : otherRuns);
    if (host[8] == 0 && called)
      return;
    ++wrong;
    std::printf(
        "  WRONG %lldx%lldx%lld, places %d, add %d, mapped %d: %u "
        "elements; calls %u %u %u %u\n",
        static_cast<long long>(shape.m), static_cast<long long>(shape.k),
        static_cast<long long>(shape.n), static_cast<int>(places), add, mapped,
        host[8], calls.acquire, calls.reserve, calls.publish, calls.spare);
  }

  unsigned mappedRuns = 0, otherRuns = 0, wrong = 0;

private:
  template <class T>
  static size_t bytes(const Plan &plan) {
    return static_cast<size_t>(plan.elements) * sizeof(T);
  }
  template <class T>
  static ginMatrix_t matrix(ginMatmulRole_t role, T *data, const Plan &plan) {
    const ginMatmulShape_t shape = Config::shape();
    constexpr ginElement_t element =
        std::is_same_v<T, __half> ? GIN_ELEMENT_F16
        : std::is_same_v<T, __nv_bfloat16>
            ? GIN_ELEMENT_BF16
            : (std::is_same_v<T, float> && Config::tensorCores
                   ? GIN_ELEMENT_F32
                   : GIN_ELEMENT_OTHER);
    ginMatrix_t result;
    need(ginMatrixMake(role, &shape, element, data + plan.offset, plan.rows,
                       plan.columns, plan.stride, &result),
         "matrix");
    return result;
  }

  Rig &rig;
  const unsigned threads;
};

} // namespace

template <class Config>
static bool checkAll(Rig &rig, const char *name,
                     unsigned threads = Config::threads) {
  static constexpr Shape shapes[] = {
      {1, 1, 1},      {17, 33, 65},    {127, 129, 1000},  {129, 1000, 127},
      {256, 64, 256}, {300, 136, 520}, {1100, 200, 1016}, {130, 0, 70},
      {0, 40, 50},    {50, 40, 0},     {257, 8, 264}};
  Checker<Config> checker(rig, threads);
  for (const Shape &shape : shapes)
    for (Places places : {Places::Aligned, Places::Tight, Places::Odd})
      for (bool add : {false, true})
        checker.run(shape, places, add);
  std::printf("  %-52s %3u tensor copies, %3u without, %u wrong\n", name,
              checker.mappedRuns, checker.otherRuns, checker.wrong);
  std::fflush(stdout);
  return checker.wrong == 0;
}

bool ginmatmul::check(Rig &rig) {
  using gin::MatmulConfig;
  using BF16 = __nv_bfloat16;
  rig.use(0);
  std::printf("\ncheck: 11 shapes, three placements, store and add\n");
  bool right = true;
  auto all = [&](bool one) { right = one && right; };
  all(checkAll<MatmulConfig<BF16, BF16, true, 256>>(
      rig, "bf16, B n x k, tiles of 256"));
  all(checkAll<MatmulConfig<BF16, BF16, false, 256>>(
      rig, "bf16, B k x n, tiles of 256"));
  all(checkAll<MatmulConfig<BF16, float, true, 224>>(
      rig, "bf16 to f32, B n x k, tiles of 224"));
  all(checkAll<MatmulConfig<BF16, float, false, 224>>(
      rig, "bf16 to f32, B k x n, tiles of 224"));
  all(checkAll<MatmulConfig<__half, __half, true, 128>>(
      rig, "f16, B n x k, tiles of 128"));
  all(checkAll<MatmulConfig<__half, __half, false, 192>>(
      rig, "f16, B k x n, tiles of 192"));
  all(checkAll<MatmulConfig<__half, BF16, true, 192, 1, 32>>(
      rig, "f16 to bf16, B n x k, tiles of 192, one CTA"));
  all(checkAll<MatmulConfig<__half, float, false, 64, 1>>(
      rig, "f16 to f32, B k x n, tiles of 64, one CTA"));
  all(checkAll<MatmulConfig<float, float, false, 64, 1>>(
      rig, "f32, 100 threads", 100));
  all(checkAll<MatmulConfig<double, double, true, 128, 2>>(
      rig, "f64, 7 threads", 7));
  all(checkAll<MatmulConfig<int32_t, int32_t, false, 64, 2>>(
      rig, "i32, 384 threads"));
  all(checkAll<MatmulConfig<int8_t, int32_t, true, 64, 1>>(
      rig, "i8 to i32, 64 threads", 64));
  return right;
}
