//===- Bench.h - contenders, run in turn and verified -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_MATMUL_BENCH_H
#define GIN_MATMUL_BENCH_H

#include "tools/gin-matmul/Rig.h"

#include <memory>

namespace ginmatmul {

/// The matrices of a case, on each GPU.
struct Data {
  Data(Rig &rig, const Case &one);
  /// Fills inputs with new random values, and computes what C shall be.
  void refill(Rig &rig);
  void poison(Rig &rig);
  /// The largest of the ranks' ||C - reference|| / ||reference||.
  double error(Rig &rig) const;

  const Case &one;
  int ranks;     // that take part
  int64_t rowsC; // of each rank
  // scratch: gather: all ranks' A; scatter: m x n for a product of one rank.
  std::vector<Memory> a, b, c, scratch, reference;

private:
  std::vector<Memory> sums;
  uint64_t seed = 0;
};

/// Computes a case in its own way.
class Contender {
public:
  virtual ~Contender() = default;
  virtual std::string name() const = 0;
  /// Queues the work of a rank in its stream.
  virtual void launch(int rank) = 0;
  /// Before each launch, outside of the measured time.
  virtual void prepare(int) {}
  /// Whether it computes C, or a part of the work for comparison.
  virtual bool complete() const { return true; }
};
using Contenders = std::vector<std::unique_ptr<Contender>>;

/// Adds its contenders for a case. The first of a case is what the others'
/// times are divided by.
using Entrance = void (*)(Rig &rig, const Data &data, const Options &options,
                          Contenders &contenders);
std::vector<Entrance> &entrances();
/// Registers an entrance during static initialisation; of files that are linked
/// in by GIN_MATMUL_CONTENDERS.
struct Enter {
  explicit Enter(Entrance entrance) { entrances().push_back(entrance); }
};

void enterMultiply(Rig &, const Data &, const Options &, Contenders &);
void enterGather(Rig &, const Data &, const Options &, Contenders &);
void enterScatter(Rig &, const Data &, const Options &, Contenders &);

/// Runs the contenders of a case in turn; prints medians. Returns whether all
/// results were right.
bool run(Rig &rig, const Options &options, const Case &one);

/// Odd shapes, on one GPU; whether all were right. Check.cu.
bool check(Rig &rig);

// Kernels on vectors, Data.cu.
void fill(__nv_bfloat16 *to, size_t count, uint64_t seed, cudaStream_t stream);
/// sums[0] += ||c - reference||^2, sums[1] += ||reference||^2.
void compare(const __nv_bfloat16 *c, const float *reference, size_t count,
             double *sums, cudaStream_t stream);

} // namespace ginmatmul

#endif // GIN_MATMUL_BENCH_H
