//===- exchange.cpp - an application that calls a ginc program ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   exchange [RANKS]
//
// Ranks exchange the rows of a matrix, and exchange them back. The application
// has its own buffers and streams; the exchange is all-to-all.mlir, which ginc
// compiles. One source for GPUs, rank i on device i, and for threads of the CPU
// that stand in for them. Exit status: 0, 1 after an error, 77 without GPUs.
//
//===----------------------------------------------------------------------===//

#include "Stream.h"
#include "all_to_all.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

/// Ends the application with what the runtime says about an error.
static void need(ginResult_t result, const char *what) {
  if (result == GIN_SUCCESS)
    return;
  std::fprintf(stderr, "exchange: cannot %s: %s: %s\n  %s\n  %s\n", what,
               ginResultName(result), ginResultText(result), ginGetLastError(),
               ginResultAdvice(result));
  std::exit(1);
}

namespace {

constexpr int64_t columns = 500;

class Rank {
public:
  Rank(ginComm_t comm, int rank, int ranks)
      : comm(comm), ranks(ranks), stream(rank) {
    // Any memory of the rank's GPU would do: of cudaMalloc, of a framework.
    for (Buffer *buffer : {&data, &received, &returned}) {
      need(ginMemoryAlloc(comm, bytes(), &buffer->memory), "allocate");
      need(ginWindowRegister(comm, buffer->memory, bytes(), GIN_RIGHT_ALL,
                             &buffer->window),
           "register a window");
    }
    const all_to_all_arguments arguments = from(data, received);
    need(all_to_all_create(comm, &arguments, &program), "create the program");
  }
  ~Rank() {
    // The last rank's call finds signals that nobody waited for.
    need(all_to_all_destroy(program), "destroy the program");
    for (Buffer *buffer : {&data, &received, &returned}) {
      ginWindowDestroy(buffer->window);
      ginMemoryFree(comm, buffer->memory);
    }
    ginCommDestroy(comm);
  }
  Rank(const Rank &) = delete;

  void setData(const std::vector<float> &values) {
    need(ginMemoryCopy(comm, data.memory, values.data(), bytes()), "copy");
  }
  std::vector<float> get(const void *memory) const {
    std::vector<float> values(static_cast<size_t>(ranks * columns));
    need(ginMemoryCopy(comm, values.data(), memory, bytes()), "copy");
    return values;
  }
  std::vector<float> getReceived() const { return get(received.memory); }
  std::vector<float> getReturned() const { return get(returned.memory); }

  /// There and back. Neither waits: both follow in the stream's order, as would
  /// the application's kernels between them.
  void exchange() {
    for (const all_to_all_arguments &arguments :
         {from(data, received), from(received, returned)})
      need(all_to_all_launch(program, &arguments, 0, stream.get()), "launch");
  }
  void record() {
    stream.record([this] { exchange(); });
  }
  void replay() { stream.replay(); }

  /// Errors of kernels come to light here: a wait that lasts too long, an
  /// access past a window.
  void wait() {
    if (ginCommSynchronize(comm) == GIN_SUCCESS)
      return;
    ginError_t error;
    need(ginCommGetAsyncError(comm, &error), error.message);
  }

private:
  struct Buffer {
    void *memory = nullptr;
    ginWindow_t window = nullptr;
  };
  size_t bytes() const {
    return static_cast<size_t>(ranks * columns) * sizeof(float);
  }
  all_to_all_arguments from(const Buffer &x, const Buffer &y) const {
    return {x.window, ranks, columns, y.window, ranks, columns};
  }

  ginComm_t comm;
  int64_t ranks;
  Stream stream;
  Buffer data, received, returned;
  all_to_all_t program = nullptr;
};

} // namespace

/// What a rank sends in a step: whole numbers that no other element has.
static float element(int step, int64_t rank, int64_t row, int64_t column) {
  constexpr int64_t most = GIN_HOST_MAX_RANKS;
  return static_cast<float>(((step * most + rank) * most + row) * columns +
                            column);
}

static std::vector<float> dataOf(int step, int rank, int ranks) {
  std::vector<float> values;
  for (int row = 0; row < ranks; ++row)
    for (int64_t column = 0; column < columns; ++column)
      values.push_back(element(step, rank, row, column));
  return values;
}

/// Whether row q came from rank q, and all came back.
static bool check(int step, int rank, int ranks, const Rank &one) {
  const std::vector<float> received = one.getReceived();
  for (int row = 0; row < ranks; ++row)
    for (int64_t column = 0; column < columns; ++column)
      if (received[static_cast<size_t>(row * columns + column)] !=
          element(step, row, rank, column)) {
        std::fprintf(stderr, "exchange: step %d: rank %d has a wrong row %d\n",
                     step, rank, row);
        return false;
      }
  if (one.getReturned() == dataOf(step, rank, ranks))
    return true;
  std::fprintf(stderr, "exchange: step %d: rank %d: not all came back\n", step,
               rank);
  return false;
}

int main(int argc, char **argv) {
  const int most = Stream::maxRanks();
  if (most == 0) {
    std::fprintf(stderr, "exchange: there are fewer than two GPUs; the program "
                         "for CPUs needs none\n");
    return 77;
  }
  const int ranks = argc > 1 ? std::atoi(argv[1]) : most < 4 ? most : 4;
  std::vector<ginComm_t> comms(ranks > 0 ? static_cast<size_t>(ranks) : 0);
#ifdef EXCHANGE_CUDA
  need(ginCommCreateAll(nullptr, ranks, comms.data()), "use the GPUs");
#else
  need(ginCommCreateAllHost(ranks, comms.data()), "start the ranks");
#endif

  // Collective calls: every rank in the same order. One thread may make all.
  std::vector<std::unique_ptr<Rank>> all;
  for (int rank = 0; rank < ranks; ++rank)
    all.push_back(
        std::make_unique<Rank>(comms[static_cast<size_t>(rank)], rank, ranks));

  constexpr int steps = 5;
  for (int step = 0; step < steps; ++step) {
    for (int rank = 0; rank < ranks; ++rank)
      all[static_cast<size_t>(rank)]->setData(dataOf(step, rank, ranks));
    // Graphs come after the first launch, which loads code on all GPUs.
    if (step == 1)
      for (auto &rank : all)
        rank->record();
    for (auto &rank : all)
      step == 0 ? rank->exchange() : rank->replay();
    for (auto &rank : all)
      rank->wait();
    for (int rank = 0; rank < ranks; ++rank)
      if (!check(step, rank, ranks, *all[static_cast<size_t>(rank)]))
        return 1;
  }
  std::printf("exchange: %d steps on %d ranks: right\n", steps, ranks);
}
