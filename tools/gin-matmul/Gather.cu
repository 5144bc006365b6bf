//===- Gather.cu - all-gather and matmul in one kernel --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each rank multiplies its own rows of A first, while these travel to the other
// ranks in chunks, each followed by signals; then the rows that have arrived,
// waiting within the loop over k. Rows are sent by CTAs of their own, or by a
// spare warp of each CTA that multiplies, at a limited pace.
//
// Arrived rows lie in one of two places in turn. No rank overwrites what
// another still reads: who launches for the second time after this has received
// rows from everyone's next launch, before which they ended this one.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/Matmul.h"
#include "runtime/device/matmul/Push.h"
#include "runtime/include/gin.hpp"
#include "tools/gin-matmul/Bench.h"
#include "tools/gin-matmul/Launch.h"

#include <algorithm>

using namespace ginmatmul;

namespace {

constexpr int mostRanks = 8;
constexpr int ctaStages = 12, spareStages = 2;

// 64 bytes in a row of C, which leave room for the pieces of spare warps.
template <int Columns>
using Config =
    gin::MatmulConfig<__nv_bfloat16, __nv_bfloat16, true, Columns, 2, 32>;

struct Arguments {
  ginMatrix_t a[2][mostRanks]; // own rows, others' as they arrive
  ginMatrix_t b;
  ginMatrix_t c[mostRanks];
  ginTensorMap_t source, targets[2][mostRanks]; // boxes of a piece
  int mapped;                                   // whether these are
  gin::ChunkGrid grid;
  gin::MatmulTable order;
  unsigned ctas; // that only send; 0: spare warps do
  int64_t pace;
};

/// Sends this rank's rows to all others, as one of `share.count` workers. A
/// warp, of which the tensor copies need one thread.
template <int Stages>
__device__ void pushAll(gin::Context &context, const gin::Window &rows,
                        const gin::Window &arrived, const gin::Bank &bank,
                        const Arguments &arguments, const gin::PushShare &share,
                        void *ring) {
  const gin::ChunkGrid &grid = arguments.grid;
  const unsigned parity = gin::launchNumber(context) & 1;
  const uint64_t stride = uint64_t(grid.columns) * sizeof(__nv_bfloat16);
  const uint64_t bytes = stride * static_cast<uint64_t>(grid.rows);
  auto routeTo = [&](int peer) {
    gin::PushRoute route{};
    route.source = &arguments.source;
    route.target = &arguments.targets[parity][peer];
    route.sourceWindow = &rows;
    route.targetWindow = &arrived;
    route.targetOffset =
        (parity * context.ranks + static_cast<unsigned>(context.rank)) * bytes;
    route.sourceStride = route.targetStride = stride;
    route.elementBytes = sizeof(__nv_bfloat16);
    route.peer = peer;
    route.bank = &bank;
    route.firstSlot =
        static_cast<uint32_t>(context.rank) * uint32_t(grid.chunks());
    return route;
  };
  // Who needs these rows first is the rank before: it begins with its own.
  auto peerAt = [&](int i) {
    return (context.rank + context.ranks - i) % context.ranks;
  };
#ifdef GIN_HAVE_BULK
  if (arguments.mapped) {
    if (gin::threadInBlock() % 32 == 0) {
      gin::PushRing<Stages> pieces(
          ring, uint32_t(grid.pieceRows * grid.pieceColumns) *
                    uint32_t(sizeof(__nv_bfloat16)));
      for (int i = 1; i < context.ranks; ++i)
        gin::pushTensor(context, grid, routeTo(peerAt(i)), share, pieces);
    }
    return;
  }
#endif
  for (int i = 1; i < context.ranks; ++i)
    gin::pushRows(context, grid, routeTo(peerAt(i)), share);
}

/// Waits for rows of other ranks where a chunk of k begins.
struct GatherHooks : gin::MatmulHooks {
  gin::Context &context;
  const gin::Window &rows, &arrived;
  const gin::Bank &bank;
  const Arguments &arguments;
  char *ring;

  __device__ GatherHooks(gin::Context &context, const gin::Window &rows,
                         const gin::Window &arrived, const gin::Bank &bank,
                         const Arguments &arguments, char *ring)
      : context(context), rows(rows), arrived(arrived), bank(bank),
        arguments(arguments), ring(ring) {}

  __device__ bool acquire(const ginMatmulTile_t &tile, int k) {
    const gin::ChunkGrid &grid = arguments.grid;
    if (tile.a == context.rank || k % grid.chunkColumns != 0)
      return true;
    const int end = min(tile.row + 128, grid.rows);
    for (int row = tile.row; row < end;
         row = (row / grid.chunkRows + 1) * grid.chunkRows) {
      const int chunk =
          row / grid.chunkRows * grid.across() + k / grid.chunkColumns;
      if (!gin::wait(context, gin::Thread(), bank,
                     static_cast<uint32_t>(tile.a * grid.chunks() + chunk),
                     static_cast<uint64_t>(grid.piecesOfChunk())))
        return false;
    }
    gin::fenceAsync();
    return true;
  }

  __device__ void spare() {
    if (arguments.ctas == 0)
      pushAll<spareStages>(context, rows, arrived, bank, arguments,
                           {int(blockIdx.x), int(gridDim.x), arguments.pace},
                           ring);
  }
};

template <class Config>
__global__ void GIN_CLUSTER(Config::cluster)
    __launch_bounds__(Config::threads, 1)
        gatherMatmul(const __grid_constant__ gin::Program program,
                     const __grid_constant__ gin::Window rows,
                     const __grid_constant__ gin::Window arrived,
                     const __grid_constant__ gin::Bank bank,
                     const __grid_constant__ Arguments arguments) {
  char *shared = gin::sharedMemory();
  gin::Context context = gin::begin(program);
  if (blockIdx.x < arguments.ctas) {
    if (threadIdx.x < 32)
      pushAll<ctaStages>(context, rows, arrived, bank, arguments,
                         {int(blockIdx.x), int(arguments.ctas), 0}, shared);
  } else {
    const unsigned parity = gin::launchNumber(context) & 1;
    gin::matmul<Config>({arguments.a[parity], &arguments.b, arguments.c,
                         context.ranks, 1, context.ranks},
                        {arguments.ctas, gridDim.x - arguments.ctas},
                        arguments.order,
                        GatherHooks(context, rows, arrived, bank, arguments,
                                    shared + Config::sharedBytes(9)),
                        shared);
  }
  gin::end(context);
}

/// Only the product, of rows that are all there.
class Product : public Contender {
public:
  Product(Rig &rig, const Data &data) : rig(rig), data(data) {}
  std::string name() const override { return "cuBLAS, without the gather"; }
  void launch(int rank) override {
    rig.cublas(rank, Rig::at(data.scratch, rank).as<void>(),
               Rig::at(data.b, rank).as<void>(),
               Rig::at(data.c, rank).as<void>(), CUDA_R_16BF, data.rowsC,
               data.one.n, data.one.k);
  }

private:
  Rig &rig;
  const Data &data;
};

template <int Columns>
class Gathering : public Contender {
  using Shape = Config<Columns>;

public:
  Gathering(Rig &rig, const Data &data, const Options &options, int ctas,
            int pace)
      : rig(rig), ctas(ctas & ~1), pace(pace) {
    const Case &one = data.one;
    gin::ChunkGrid grid{};
    grid.rows = static_cast<int>(one.m);
    grid.columns = static_cast<int>(one.k);
    grid.chunkRows = std::min(options.chunkRows, std::max(grid.rows, 1));
    grid.chunkColumns = options.chunkColumns;
    grid.pieceRows = ctas ? 32 : 16;
    grid.pieceColumns = std::min(256, grid.chunkColumns);
    const ginMatmulShape_t shape = Shape::shape();
    const std::vector<int64_t> parts(static_cast<size_t>(rig.ranks()), one.m);
    const size_t shard = size_t(one.m) * size_t(one.k) * 2;
    const size_t arrivedBytes = 2 * parts.size() * shard;
    const uint32_t slots[] = {
        static_cast<uint32_t>(rig.ranks() * std::max(grid.chunks(), 1))};
    ginProgramConfig_t config = {};
    config.banks = 1;
    config.slots = slots;
    config.timeout = options.timeout;
    config.teams = 1;
    config.name = "gather";
    config.architectures = GIN_ARCHITECTURES;
    ranks.resize(parts.size());
    for (int rank = 0; rank < rig.ranks(); ++rank) {
      Rank &own = ranks[static_cast<size_t>(rank)];
      ginComm_t comm = Rig::at(rig.comms, rank);
      own.arrived = Memory(Rig::at(rig.devices, rank), arrivedBytes);
      need(ginWindowRegister(comm, own.arrived.template as<void>(),
                             arrivedBytes, GIN_RIGHT_WRITE, &own.arrivedWindow),
           "window");
      need(ginWindowRegisterLocal(comm, Rig::at(data.a, rank).as<void>(), shard,
                                  &own.rowsWindow),
           "window");
      need(ginProgramCreate(comm, &config, &own.program), "program");
    }
    for (int rank = 0; rank < rig.ranks(); ++rank) {
      rig.use(rank);
      Rank &own = ranks[static_cast<size_t>(rank)];
      need(gin::getDevice(own.program, own.deviceProgram), "program");
      need(gin::getDevice(own.arrivedWindow, own.deviceArrived), "window");
      need(gin::getDevice(own.rowsWindow, own.deviceRows), "window");
      need(gin::getBank(own.program, 0, own.bank), "bank");
      Arguments &out = own.arguments;
      out.grid = grid;
      out.ctas = static_cast<unsigned>(this->ctas);
      out.pace = pace;
      __nv_bfloat16 *a = Rig::at(data.a, rank).as<__nv_bfloat16>();
      __nv_bfloat16 *c = Rig::at(data.c, rank).as<__nv_bfloat16>();
      int mapped = 1, made;
      auto map = [&](void *data, ginTensorMap_t *to) {
        need(ginTensorMapMake(GIN_ELEMENT_BF16, data, 0, one.m, one.k, one.k,
                              unsigned(grid.pieceRows),
                              unsigned(grid.pieceColumns), 0, to, &made),
             "tensor map");
        mapped &= made;
      };
      map(a, &out.source);
      for (int part = 0; part < rig.ranks(); ++part) {
        for (int parity = 0; parity < 2; ++parity) {
          auto place = [&](char *base, int of) {
            return base + size_t(parity * rig.ranks() + of) * shard;
          };
          out.a[parity][part] = matrix(
              GIN_MATMUL_A, shape,
              part == rank ? static_cast<void *>(a)
                           : place(own.arrived.template as<char>(), part),
              one.m, one.k);
          map(place(own.deviceArrived.direct[part].base, rank),
              &out.targets[parity][part]);
        }
        out.c[part] =
            matrix(GIN_MATMUL_C, shape, c + part * one.m * one.n, one.m, one.n);
      }
      out.mapped = mapped;
      out.b = matrix(GIN_MATMUL_B_TRANSPOSED, shape, Rig::at(data.b, rank),
                     one.n, one.k);
      size_t count = 0;
      need(ginMatmulGatherOrder(&shape, rank, rig.ranks(), parts.data(), one.n,
                                4, nullptr, &count),
           "order");
      std::vector<ginMatmulTile_t> tiles(count);
      need(ginMatmulGatherOrder(&shape, rank, rig.ranks(), parts.data(), one.n,
                                4, tiles.data(), &count),
           "order");
      own.tiles =
          Memory(Rig::at(rig.devices, rank), count * sizeof(ginMatmulTile_t));
      need(cudaMemcpy(own.tiles.template as<void>(), tiles.data(),
                      count * sizeof(ginMatmulTile_t), cudaMemcpyHostToDevice),
           "tiles");
      out.order = {own.tiles.template as<ginMatmulTile_t>(), unsigned(count)};
    }
  }
  ~Gathering() override {
    for (Rank &own : ranks) {
      ginProgramDestroy(own.program);
      ginWindowDestroy(own.arrivedWindow);
      ginWindowDestroy(own.rowsWindow);
    }
  }

  std::string name() const override {
    return "gin, tiles of " + std::to_string(Columns) +
           (ctas ? ", " + std::to_string(ctas) + " CTAs send"
                 : ", spare warps send, pace " + std::to_string(pace));
  }
  void launch(int rank) override {
    Rank &own = ranks[static_cast<size_t>(rank)];
    void *arguments[] = {&own.deviceProgram, &own.deviceRows,
                         &own.deviceArrived, &own.bank, &own.arguments};
    constexpr uint32_t shared = std::max(
        Shape::sharedBytes(9) + gin::PushRing<spareStages>::bytesFor(8192),
        gin::PushRing<ctaStages>::bytesFor(16384));
    const ginLaunchConfig_t config =
        gin::launchConfig(unsigned(rig.multiprocessors) & ~1u, Shape::threads,
                          shared, Rig::at(rig.streams, rank));
    need(ginLaunch(own.program, GIN_KERNEL(gatherMatmul<Shape>), &config,
                   arguments),
         "launch");
  }

private:
  struct Rank {
    Memory arrived, tiles;
    ginWindow_t arrivedWindow = nullptr, rowsWindow = nullptr;
    ginProgram_t program = nullptr;
    gin::Program deviceProgram;
    gin::Window deviceArrived, deviceRows;
    gin::Bank bank;
    Arguments arguments{};
  };

  Rig &rig;
  const int ctas, pace;
  std::vector<Rank> ranks;
};

} // namespace

void ginmatmul::enterGather(Rig &rig, const Data &data, const Options &options,
                            Contenders &contenders) {
  const Case &one = data.one;
  if (one.mode != Mode::Gather || rig.ranks() > mostRanks)
    return;
  contenders.push_back(std::make_unique<Product>(rig, data));
  auto add = [&](int columns, int ctas, int pace) {
    if (!columns)
      columns = ginMatmulColumns(one.m * rig.ranks(), one.n,
                                 rig.multiprocessors - ctas);
    withColumns(columns, [&](auto fixed) {
      contenders.push_back(std::make_unique<Gathering<fixed.value>>(
          rig, data, options, ctas, pace));
    });
  };
  for (int columns : options.columns)
    for (int ctas : options.ctas)
      if (ctas)
        add(columns, ctas, 0);
      else
        for (int pace : options.paces)
          add(columns, 0, pace);
}
