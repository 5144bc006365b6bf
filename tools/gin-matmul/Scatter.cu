//===- Scatter.cu - matmul and reduce-scatter in one kernel ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each rank multiplies its part of k, and adds its tiles to C of the rank that
// keeps their rows: tensor copies that add, issued by the CTA's writer. Tiles
// of other ranks and own ones take turns, so that the link is busy throughout.
//
// C is 0 before a launch. A rank says so, and others add from then on; at the
// end it waits for everyone's last addition.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/Gin.h"
#include "runtime/device/Matmul.h"
#include "runtime/include/gin.hpp"
#include "tools/gin-matmul/Bench.h"
#include "tools/gin-matmul/Launch.h"

using namespace ginmatmul;

namespace {

constexpr int mostRanks = 8;

template <int Columns>
using Config = gin::MatmulConfig<__nv_bfloat16, __nv_bfloat16, true, Columns>;

struct Arguments {
  ginMatrix_t a[mostRanks]; // the rows that each rank keeps
  ginMatrix_t b;
  ginMatrix_t c[mostRanks]; // each rank's own
  gin::MatmulTable order;
};

/// Slots of the bank: rank r's C is 0; rank r has added everything.
__device__ uint32_t readySlot(int rank) { return uint32_t(rank); }
__device__ uint32_t doneSlot(const gin::Context &context, int rank) {
  return uint32_t(context.ranks + rank);
}

/// Waits for a rank's C before the first addition to it.
struct ScatterHooks : gin::MatmulHooks {
  gin::Context &context;
  const gin::Bank &bank;
  uint32_t known; // ranks, as bits

  __device__ ScatterHooks(gin::Context &context, const gin::Bank &bank)
      : context(context), bank(bank), known(1u << context.rank) {}

  __device__ bool reserve(const ginMatmulTile_t &tile) {
    const uint32_t bit = 1u << tile.c;
    if (known & bit)
      return true;
    known |= bit;
    return gin::wait(context, gin::Thread(), bank, readySlot(tile.c), 1);
  }
};

template <class Config>
__global__ void GIN_CLUSTER(Config::cluster)
    __launch_bounds__(Config::threads, 1)
        matmulScatter(const __grid_constant__ gin::Program program,
                      const __grid_constant__ gin::Bank bank,
                      const __grid_constant__ Arguments arguments) {
  gin::Context context = gin::begin(program);
  const bool first = blockIdx.x == 0 && threadIdx.x < context.ranks &&
                     threadIdx.x != context.rank;
  if (first)
    gin::signal(context, gin::Thread(), int(threadIdx.x),
                {&bank, readySlot(context.rank)});
  __syncwarp();
  gin::matmul<Config>(
      {arguments.a, &arguments.b, arguments.c, context.ranks, 1, context.ranks},
      {0, gridDim.x}, arguments.order, ScatterHooks(context, bank),
      gin::sharedMemory());
  for (int i = 1; i < context.ranks; ++i)
    gin::signal(context, gin::Block(), (context.rank + i) % context.ranks,
                {&bank, doneSlot(context, context.rank)});
  // A rank whose CTAs had no tile to add has not looked at `ready` either.
  if (first) {
    gin::wait(context, gin::Thread(), bank, readySlot(int(threadIdx.x)), 1);
    gin::wait(context, gin::Thread(), bank, doneSlot(context, int(threadIdx.x)),
              gridDim.x);
  }
  gin::end(context);
}

/// Only the product, of all rows, by each rank.
class Product : public Contender {
public:
  Product(Rig &rig, const Data &data) : rig(rig), data(data) {}
  std::string name() const override { return "cuBLAS, without the scatter"; }
  bool complete() const override { return false; }
  void launch(int rank) override {
    rig.cublas(rank, Rig::at(data.a, rank).as<void>(),
               Rig::at(data.b, rank).as<void>(),
               Rig::at(data.scratch, rank).as<void>(), CUDA_R_16BF, data.one.m,
               data.one.n, data.one.k);
  }

private:
  Rig &rig;
  const Data &data;
};

template <int Columns>
class Scattering : public Contender {
  using Shape = Config<Columns>;

public:
  Scattering(Rig &rig, const Data &data, const Options &options, bool clears)
      : rig(rig), data(data), clears(clears) {
    const Case &one = data.one;
    const ginMatmulShape_t shape = Shape::shape();
    const std::vector<int64_t> parts(static_cast<size_t>(rig.ranks()),
                                     data.rowsC);
    const size_t bytes = size_t(data.rowsC) * size_t(one.n) * 2;
    const uint32_t slots[] = {static_cast<uint32_t>(2 * rig.ranks())};
    ginProgramConfig_t config = {};
    config.banks = 1;
    config.slots = slots;
    config.timeout = options.timeout;
    config.teams = 1;
    config.name = "scatter";
    config.architectures = GIN_ARCHITECTURES;
    ranks.resize(parts.size());
    for (int rank = 0; rank < rig.ranks(); ++rank) {
      Rank &own = ranks[static_cast<size_t>(rank)];
      ginComm_t comm = Rig::at(rig.comms, rank);
      need(ginWindowRegister(comm, Rig::at(data.c, rank).as<void>(), bytes,
                             GIN_RIGHT_ALL, &own.window),
           "window");
      need(ginProgramCreate(comm, &config, &own.program), "program");
    }
    for (int rank = 0; rank < rig.ranks(); ++rank) {
      rig.use(rank);
      Rank &own = ranks[static_cast<size_t>(rank)];
      need(gin::getDevice(own.program, own.deviceProgram), "program");
      need(gin::getBank(own.program, 0, own.bank), "bank");
      gin::Window window;
      need(gin::getDevice(own.window, window), "window");
      Arguments &out = own.arguments;
      __nv_bfloat16 *a = Rig::at(data.a, rank).as<__nv_bfloat16>();
      for (int part = 0; part < rig.ranks(); ++part) {
        out.a[part] = matrix(GIN_MATMUL_A, shape, a + part * data.rowsC * one.k,
                             data.rowsC, one.k);
        out.c[part] = matrix(GIN_MATMUL_C, shape, window.direct[part].base,
                             data.rowsC, one.n);
        out.c[part].add = 1;
      }
      out.b = matrix(GIN_MATMUL_B_TRANSPOSED, shape, Rig::at(data.b, rank),
                     one.n, one.k);
      size_t count = 0;
      auto order = [&](ginMatmulTile_t *tiles) {
        need(ginMatmulScatterOrder(&shape, rank, rig.ranks(), parts.data(),
                                   one.n, 4, rig.multiprocessors & ~1, tiles,
                                   &count),
             "order");
      };
      order(nullptr);
      std::vector<ginMatmulTile_t> tiles(count);
      order(tiles.data());
      own.tiles =
          Memory(Rig::at(rig.devices, rank), count * sizeof(ginMatmulTile_t));
      need(cudaMemcpy(own.tiles.template as<void>(), tiles.data(),
                      count * sizeof(ginMatmulTile_t), cudaMemcpyHostToDevice),
           "tiles");
      out.order = {own.tiles.template as<ginMatmulTile_t>(), unsigned(count)};
    }
  }
  ~Scattering() override {
    for (Rank &own : ranks) {
      ginProgramDestroy(own.program);
      ginWindowDestroy(own.window);
    }
  }

  std::string name() const override {
    return "gin, tiles of " + std::to_string(Columns) +
           (clears ? ", C cleared in time" : ", C cleared before");
  }
  void prepare(int rank) override {
    if (!clears)
      clear(rank);
  }
  void launch(int rank) override {
    if (clears)
      clear(rank);
    Rank &own = ranks[static_cast<size_t>(rank)];
    void *arguments[] = {&own.deviceProgram, &own.bank, &own.arguments};
    const ginLaunchConfig_t config =
        gin::launchConfig(unsigned(rig.multiprocessors) & ~1u, Shape::threads,
                          Shape::sharedBytes(9), Rig::at(rig.streams, rank));
    need(ginLaunch(own.program, GIN_KERNEL(matmulScatter<Shape>), &config,
                   arguments),
         "launch");
  }

private:
  struct Rank {
    Memory tiles;
    ginWindow_t window = nullptr;
    ginProgram_t program = nullptr;
    gin::Program deviceProgram;
    gin::Bank bank;
    Arguments arguments{};
  };

  void clear(int rank) {
    need(cudaMemsetAsync(Rig::at(data.c, rank).as<void>(), 0,
                         size_t(data.rowsC) * size_t(data.one.n) * 2,
                         Rig::at(rig.streams, rank)),
         "clear");
  }

  Rig &rig;
  const Data &data;
  const bool clears;
  std::vector<Rank> ranks;
};

} // namespace

void ginmatmul::enterScatter(Rig &rig, const Data &data, const Options &options,
                             Contenders &contenders) {
  const Case &one = data.one;
  if (one.mode != Mode::Scatter || rig.ranks() > mostRanks)
    return;
  contenders.push_back(std::make_unique<Product>(rig, data));
  for (int columns : options.columns) {
    // Rows of 128 bytes to the other GPUs: not 224.
    if (!columns)
      columns = ginMatmulColumns(one.m, one.n, rig.multiprocessors);
    if (columns == 224)
      columns = 192;
    withColumns(columns, [&](auto fixed) {
      for (bool clears : {false, true})
        contenders.push_back(std::make_unique<Scattering<fixed.value>>(
            rig, data, options, clears));
    });
  }
}
