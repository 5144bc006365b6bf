//===- Bench.cpp - contenders, run in turn and verified -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tools/gin-matmul/Bench.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace ginmatmul;

std::vector<Entrance> &ginmatmul::entrances() {
  static std::vector<Entrance> list = {enterMultiply, enterGather,
                                       enterScatter};
  return list;
}

static size_t area(int64_t rows, int64_t columns) {
  return static_cast<size_t>(rows) * static_cast<size_t>(columns);
}

Data::Data(Rig &rig, const Case &one)
    : one(one), ranks(one.mode == Mode::Multiply ? 1 : rig.ranks()),
      rowsC(one.mode == Mode::Gather
                ? one.m * ranks
                : (one.mode == Mode::Scatter ? one.m / ranks : one.m)) {
  constexpr size_t half = sizeof(__nv_bfloat16);
  for (int rank = 0; rank < ranks; ++rank) {
    const int device = Rig::at(rig.devices, rank);
    a.emplace_back(device, area(one.m, one.k) * half);
    b.emplace_back(device, area(one.n, one.k) * half);
    c.emplace_back(device, area(rowsC, one.n) * half);
    const size_t gathered = area(one.m * ranks, one.k);
    const size_t product =
        area(one.m, std::max(one.n, one.k)) + area(one.n, one.k);
    scratch.emplace_back(
        device, (one.mode == Mode::Gather ? gathered : product) * half);
    reference.emplace_back(device, area(rowsC, one.n) * sizeof(float));
    sums.emplace_back(device, 2 * sizeof(double));
  }
}

void Data::refill(Rig &rig) {
  seed += 2 * static_cast<uint64_t>(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    rig.use(rank);
    const uint64_t own = seed + 2 * static_cast<uint64_t>(rank);
    cudaStream_t stream = Rig::at(rig.streams, rank);
    fill(Rig::at(a, rank).as<__nv_bfloat16>(), area(one.m, one.k), own, stream);
    fill(Rig::at(b, rank).as<__nv_bfloat16>(), area(one.n, one.k), own + 1,
         stream);
  }
  rig.synchronize();
  for (int rank = 0; rank < ranks; ++rank) {
    rig.use(rank);
    cudaStream_t stream = Rig::at(rig.streams, rank);
    auto *work = Rig::at(scratch, rank).as<__nv_bfloat16>();
    auto *want = Rig::at(reference, rank).as<float>();
    auto copy = [&](__nv_bfloat16 *to, const __nv_bfloat16 *from, size_t size) {
      need(cudaMemcpyAsync(to, from, size * sizeof *to, cudaMemcpyDefault,
                           stream),
           "copy");
    };
    if (one.mode != Mode::Scatter) {
      for (int other = 0; other < ranks; ++other)
        copy(work + area(one.m * other, one.k),
             Rig::at(a, other).as<__nv_bfloat16>(), area(one.m, one.k));
      rig.cublas(rank, work, Rig::at(b, rank).as<void>(), want, CUDA_R_32F,
                 rowsC, one.n, one.k);
      continue;
    }
    __nv_bfloat16 *workB = work + area(rowsC, one.k);
    for (int other = 0; other < ranks; ++other) {
      copy(work,
           Rig::at(a, other).as<__nv_bfloat16>() + area(rowsC * rank, one.k),
           area(rowsC, one.k));
      copy(workB, Rig::at(b, other).as<__nv_bfloat16>(), area(one.n, one.k));
      rig.cublas(rank, work, workB, want, CUDA_R_32F, rowsC, one.n, one.k,
                 other > 0);
    }
  }
  rig.synchronize();
}

void Data::poison(Rig &rig) {
  for (int rank = 0; rank < ranks; ++rank) {
    rig.use(rank);
    need(cudaMemsetAsync(Rig::at(c, rank).as<void>(), 0xff,
                         area(rowsC, one.n) * sizeof(__nv_bfloat16),
                         Rig::at(rig.streams, rank)),
         "poison");
  }
  rig.synchronize();
}

double Data::error(Rig &rig) const {
  double worst = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    rig.use(rank);
    cudaStream_t stream = Rig::at(rig.streams, rank);
    double *device = Rig::at(sums, rank).as<double>(), host[2];
    need(cudaMemsetAsync(device, 0, sizeof host, stream), "memory");
    compare(Rig::at(c, rank).as<__nv_bfloat16>(),
            Rig::at(reference, rank).as<float>(), area(rowsC, one.n), device,
            stream);
    need(cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDefault, stream),
         "copy");
    need(cudaStreamSynchronize(stream), "comparison");
    const double error =
        host[1] > 0 ? std::sqrt(host[0] / host[1]) : std::sqrt(host[0]);
    // Not a number is no result either.
    if (!(error <= worst))
      worst = error;
  }
  return worst;
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

bool ginmatmul::run(Rig &rig, const Options &options, const Case &one) {
  std::printf("\n%s m=%lld k=%lld n=%lld\n", name(one.mode),
              static_cast<long long>(one.m), static_cast<long long>(one.k),
              static_cast<long long>(one.n));
  if (one.mode != Mode::Multiply && rig.ranks() < 2) {
    std::printf("  skipped: needs several GPUs\n");
    return true;
  }
  if (one.mode == Mode::Scatter && one.m % rig.ranks() != 0) {
    std::printf("  skipped: the ranks' parts of the rows are unequal\n");
    return true;
  }
  Data data(rig, one);
  Contenders contenders;
  for (Entrance enter : entrances())
    enter(rig, data, options, contenders);

  std::vector<double> errors(contenders.size(), 0);
  std::vector<std::vector<double>> times(contenders.size());
  auto once = [&](Contender &contender) {
    for (int rank = 0; rank < data.ranks; ++rank) {
      rig.use(rank);
      contender.prepare(rank);
    }
    rig.synchronize();
    return rig.time(data.ranks, [&](int rank) { contender.launch(rank); });
  };
  auto verify = [&] {
    data.refill(rig);
    for (size_t i = 0; i < contenders.size(); ++i) {
      data.poison(rig);
      // Without the gate: a first launch may have to load code.
      for (int rank = 0; rank < data.ranks; ++rank) {
        rig.use(rank);
        contenders[i]->prepare(rank);
      }
      rig.synchronize();
      for (int rank = 0; rank < data.ranks; ++rank) {
        rig.use(rank);
        contenders[i]->launch(rank);
      }
      rig.synchronize();
      const double error = contenders[i]->complete() ? data.error(rig) : 0;
      if (!(error <= errors[i]))
        errors[i] = error;
    }
  };
  verify();
  for (unsigned i = 0; i < options.repetitions; ++i)
    for (size_t j = 0; j < contenders.size(); ++j)
      times[j].push_back(once(*contenders[j]));
  verify();

  bool right = true;
  const double flops = 2.0 * static_cast<double>(one.m) *
                       static_cast<double>(one.n) * static_cast<double>(one.k) *
                       (one.mode == Mode::Gather ? data.ranks : 1);
  for (size_t i = 0; i < contenders.size(); ++i) {
    // Two roundings to bf16 of a sum come to 2.5e-3.
    const bool good = errors[i] < 5e-3;
    right = right && good;
    const double time = median(times[i]);
    std::printf("  %-44s %9.1f us  %6.0f TFLOP/s  x %.3f  error %.1e%s\n",
                contenders[i]->name().c_str(), time, flops / time / 1e6,
                time / median(times[0]), errors[i], good ? "" : "  WRONG");
  }
  std::fflush(stdout);
  return right;
}
