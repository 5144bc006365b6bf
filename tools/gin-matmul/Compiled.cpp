//===- Compiled.cpp - programs that ginc has compiled ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Examples with a schedule (emit.py), called as an application calls them.
//
//===----------------------------------------------------------------------===//

#include "tools/gin-matmul/Bench.h"

#include "Headers.inc"

using namespace ginmatmul;

namespace {

template <class Program>
class Compiled : public Contender {
public:
  Compiled(Rig &rig, const Data &data, const char *label)
      : rig(rig), data(data), label(label), ranks(rig.streams.size()) {}
  ~Compiled() override {
    for (Rank &own : ranks) {
      Program::destroy(own.program);
      ginWindowDestroy(own.window);
    }
  }
  std::string name() const override { return label; }
  void launch(int rank) override {
    Rank &own = ranks[static_cast<size_t>(rank)];
    need(Program::launch(own.program, &own.arguments, 0,
                         Rig::at(rig.streams, rank)),
         ginGetLastError());
  }

protected:
  struct Rank {
    Memory memory; // the window's, unless it is over that of Data
    ginWindow_t window = nullptr;
    typename Program::Arguments arguments = {};
    typename Program::Handle program = nullptr;
  };

  void open(int rank, void *memory, size_t bytes) {
    need(ginWindowRegister(Rig::at(rig.comms, rank), memory, bytes,
                           GIN_RIGHT_ALL,
                           &ranks[static_cast<size_t>(rank)].window),
         "window");
  }
  void create() {
    for (int rank = 0; rank < rig.ranks(); ++rank) {
      rig.use(rank);
      Rank &own = ranks[static_cast<size_t>(rank)];
      need(Program::create(Rig::at(rig.comms, rank), &own.arguments,
                           &own.program),
           ginGetLastError());
    }
  }
  static uint16_t *bits(const std::vector<Memory> &list, int rank) {
    return Rig::at(list, rank).template as<uint16_t>();
  }

  Rig &rig;
  const Data &data;
  const std::string label;
  std::vector<Rank> ranks;
};

/// Rows of all ranks lie in one window, of which each rank has its own.
template <class Program>
class CompiledGather : public Compiled<Program> {
  using Base = Compiled<Program>;
  using Base::data, Base::rig;

public:
  CompiledGather(Rig &rig, const Data &data, const char *label)
      : Base(rig, data, label) {
    const Case &one = data.one;
    for (int rank = 0; rank < rig.ranks(); ++rank) {
      typename Base::Rank &own = this->ranks[static_cast<size_t>(rank)];
      own.memory =
          Memory(Rig::at(rig.devices, rank), shard() * this->ranks.size());
      this->open(rank, own.memory.template as<void>(),
                 shard() * this->ranks.size());
      own.arguments = {own.window,
                       rig.ranks(),
                       one.m,
                       one.k,
                       Base::bits(data.b, rank),
                       one.n,
                       one.k,
                       Base::bits(data.c, rank),
                       rig.ranks(),
                       one.m,
                       one.n};
    }
    this->create();
  }
  void prepare(int rank) override {
    cudaStream_t stream = Rig::at(rig.streams, rank);
    char *rows =
        this->ranks[static_cast<size_t>(rank)].memory.template as<char>();
    need(cudaMemsetAsync(rows, 0xff, shard() * this->ranks.size(), stream),
         "poison");
    need(cudaMemcpyAsync(rows + shard() * static_cast<size_t>(rank),
                         Rig::at(data.a, rank).template as<void>(), shard(),
                         cudaMemcpyDefault, stream),
         "own rows");
  }

private:
  size_t shard() const {
    return static_cast<size_t>(data.one.m * data.one.k) * 2;
  }
};

/// Clears the window in the measured time.
template <class Program>
class CompiledScatter : public Compiled<Program> {
  using Base = Compiled<Program>;

public:
  CompiledScatter(Rig &rig, const Data &data, const char *label)
      : Base(rig, data, label) {
    const Case &one = data.one;
    for (int rank = 0; rank < rig.ranks(); ++rank) {
      this->open(rank, Base::bits(data.c, rank),
                 static_cast<size_t>(data.rowsC * one.n) * 2);
      typename Base::Rank &own = this->ranks[static_cast<size_t>(rank)];
      own.arguments = {Base::bits(data.a, rank),
                       rig.ranks(),
                       data.rowsC,
                       one.k,
                       Base::bits(data.b, rank),
                       one.n,
                       one.k,
                       own.window,
                       data.rowsC,
                       one.n};
    }
    this->create();
  }
};

void enterCompiled(Rig &rig, const Data &data, const Options &,
                   Contenders &contenders) {
  auto program = [&](Mode mode, auto make) {
    if (data.one.mode == mode)
      contenders.push_back(make());
  };
#define ENTER(MODE, KIND, NAME, LABEL)                                         \
  program(MODE, [&] {                                                          \
    struct Program {                                                           \
      using Arguments = NAME##_arguments;                                      \
      using Handle = NAME##_t;                                                 \
      static auto create(ginComm_t comm, const Arguments *arguments,           \
                         Handle *program) {                                    \
        return NAME##_create(comm, arguments, program);                        \
      }                                                                        \
      static auto launch(Handle program, const Arguments *arguments,           \
                         unsigned blocks, void *stream) {                      \
        return NAME##_launch(program, arguments, blocks, stream);              \
      }                                                                        \
      static auto destroy(Handle program) { return NAME##_destroy(program); }  \
    };                                                                         \
    return std::make_unique<KIND<Program>>(rig, data, LABEL);                  \
  });
#define GATHER(NAME, LABEL) ENTER(Mode::Gather, CompiledGather, NAME, LABEL)
#define SCATTER(NAME, LABEL) ENTER(Mode::Scatter, CompiledScatter, NAME, LABEL)
#include "Programs.inc"
}

const Enter enter(enterCompiled);

} // namespace
