//===- Data.cu - random matrices, comparison, the gate --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tools/gin-matmul/Bench.h"

using namespace ginmatmul;

static __device__ uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// Normal values: ones and zeros would hide mistakes, and run faster.
static __global__ void fillNormal(__nv_bfloat16 *to, size_t count,
                                  uint64_t seed) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x) {
    const uint64_t bits = mix((i + 1) * 0x9e3779b97f4a7c15ull + mix(seed));
    const float radius =
        (static_cast<float>(bits >> 40) + 1) * 0x1p-24f; // (0, 1]
    const float angle = static_cast<float>(bits & 0xffffff) * 0x1p-24f;
    to[i] = __float2bfloat16(sqrtf(-2 * logf(radius)) * cospif(2 * angle));
  }
}

void ginmatmul::fill(__nv_bfloat16 *to, size_t count, uint64_t seed,
                     cudaStream_t stream) {
  fillNormal<<<1024, 256, 0, stream>>>(to, count, seed);
}

static __global__ void addDifferences(const __nv_bfloat16 *c,
                                      const float *reference, size_t count,
                                      double *sums) {
  double difference = 0, size = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x) {
    const double want = reference[i], have = __bfloat162float(c[i]);
    difference += (have - want) * (have - want);
    size += want * want;
  }
  atomicAdd(sums, difference);
  atomicAdd(sums + 1, size);
}

void ginmatmul::compare(const __nv_bfloat16 *c, const float *reference,
                        size_t count, double *sums, cudaStream_t stream) {
  addDifferences<<<512, 256, 0, stream>>>(c, reference, count, sums);
}

namespace {
struct Meeting {
  uint64_t *places[16]; // of each GPU, a word for each GPU
  int rank, count, round;
};
} // namespace

static __global__ void waitAtGate(volatile int *gate, Meeting meeting) {
  while (*gate < meeting.round) {
  }
  for (int i = 0; i < meeting.count; ++i)
    *const_cast<volatile uint64_t *>(meeting.places[i] + meeting.rank) =
        static_cast<uint64_t>(meeting.round);
  for (int i = 0; i < meeting.count; ++i)
    while (*const_cast<volatile uint64_t *>(meeting.places[meeting.rank] + i) <
           static_cast<uint64_t>(meeting.round)) {
    }
}

void ginmatmul::launchGate(cudaStream_t stream, volatile int *gate, int round,
                           const std::vector<uint64_t *> &meetings, int rank,
                           int count) {
  Meeting meeting{};
  for (int i = 0; i < count && i < 16; ++i)
    meeting.places[i] = meetings[static_cast<size_t>(i)];
  meeting.rank = rank;
  meeting.count = count;
  meeting.round = round;
  waitAtGate<<<1, 1, 0, stream>>>(gate, meeting);
}
