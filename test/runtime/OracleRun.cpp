//===- OracleRun.cpp - runs the oracle's programs -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OracleProgram.h"

#include <map>
#include <memory>

using namespace ginc;
using namespace ginc::test;

namespace {

/// A one-dimensional memref.
struct Memref {
  void *allocated, *aligned;
  int64_t offset, size, stride;
};

} // namespace

namespace ginc::test {

/// One run of a program.
class OracleRun {
public:
  OracleRun(const OracleProgram &program, sim::Config config);
  OracleProgram::Result run();

private:
  using Op = OracleProgram::Op;
  using Place = OracleProgram::Place;

  void host(int rank, int64_t launch);
  void body(int rank, const std::vector<Op> &ops);
  void execute(int rank, const Op &op, std::vector<gin_token_t> &done);
  Memref root(int window, int rank);
  void load(int rank, const Place &place, int reg);
  int32_t *address(int rank, const Place &place);

  const OracleProgram &program;
  sim::Simulator simulator;
  std::vector<gin_window_t *> windows; ///< the last one: constants
  std::vector<gin_bank_t *> banks;
  std::vector<int64_t> registers;
  Values hostRegisters;
  struct Load {
    int reg;
    std::string name;
    int64_t handle;
  };
  std::vector<std::vector<Load>> loads; ///< by rank
  std::map<const Op *, gin_site_t> sites;
  std::vector<std::shared_ptr<void>> garbage; ///< dropped after the run
};

} // namespace ginc::test

OracleRun::OracleRun(const OracleProgram &program, sim::Config config)
    : program(program), simulator(std::move(config)),
      registers(program.registers.size()),
      loads(static_cast<size_t>(program.ranks)) {
  auto add = [&](const std::string &name, const std::vector<int64_t> &parts,
                 bool source) {
    sim::WindowSpec spec;
    spec.name = name;
    spec.source = source;
    for (int64_t part : parts)
      spec.shapes.push_back({part});
    windows.push_back(simulator.addWindow(std::move(spec)));
  };
  for (const std::string &name : program.windows)
    add(name, program.sizes.at(name), program.source.count(name) != 0);
  std::vector<int64_t> kept;
  kept.reserve(program.constants.size());
  for (const std::vector<int64_t> &values : program.constants)
    kept.push_back(static_cast<int64_t>(values.size()));
  add("constants", kept, false);
  for (int64_t rank = 0; rank < program.ranks; ++rank) {
    int32_t *data =
        static_cast<int32_t *>(simulator.data(windows.back(), rank));
    for (int64_t value : program.constants[static_cast<size_t>(rank)])
      *data++ = static_cast<int32_t>(value);
  }
  for (const auto &bank : program.banks)
    banks.push_back(simulator.addBank(
        {bank.name, bank.indexed ? std::vector<int64_t>{bank.extent}
                                 : std::vector<int64_t>{}}));
}

Memref OracleRun::root(int window, int rank) {
  gin_window_t *record = windows[static_cast<size_t>(window)];
  bool constant = static_cast<size_t>(window) == program.windows.size();
  int64_t size =
      constant ? static_cast<int64_t>(
                     program.constants[static_cast<size_t>(rank)].size())
               : program.sizes.at(program.windows[static_cast<size_t>(window)])
                     .at(static_cast<size_t>(rank));
  return {record, simulator.data(record, rank), 0, size, 1};
}

int32_t *OracleRun::address(int rank, const Place &place) {
  Memref memref = root(place.window, rank);
  if (place.rank != rank)
    gin_peer_view(nullptr, nullptr, place.rank, &memref, 1, &memref);
  return static_cast<int32_t *>(memref.aligned) + place.low;
}

void OracleRun::load(int rank, const Place &place, int reg) {
  int64_t handle =
      gin_load_begin(nullptr, windows[static_cast<size_t>(place.window)],
                     address(rank, place), 32);
  loads[static_cast<size_t>(rank)].push_back({reg, "", handle});
}

/// What stands between launches: reads and writes all that is not scratch.
void OracleRun::host(int rank, int64_t launch) {
  for (size_t window = 0; window < program.windows.size(); ++window) {
    const std::string &name = program.windows[window];
    if (program.scratch.count(name))
      continue;
    for (int64_t i = 0; i < program.sizes.at(name)[static_cast<size_t>(rank)];
         ++i) {
      Place place{static_cast<int>(window), rank, i, i + 1};
      load(rank, place, -1);
      loads[static_cast<size_t>(rank)].back().name =
          "h" + std::to_string(launch) + "." + name + "[" + std::to_string(i) +
          "]@" + std::to_string(rank);
      gin_store(nullptr, windows[window], address(rank, place),
                static_cast<uint64_t>(10 * (launch + 1) + rank), 32);
    }
  }
}

void OracleRun::execute(int rank, const Op &op,
                        std::vector<gin_token_t> &done) {
  gin_slot_t slot = {nullptr, 0, nullptr};
  if (op.slot.bank >= 0) {
    slot.bank = banks[static_cast<size_t>(op.slot.bank)];
    slot.dims = program.banks[static_cast<size_t>(op.slot.bank)].indexed;
    slot.indices = &op.slot.index;
  }
  // Sites outlive the agents, which the engine may report on when they are
  // gone.
  const gin_site_t &site =
      sites.try_emplace(&op, gin_site_t{"oracle", op.text.c_str(), 1, 1})
          .first->second;
  gin_token_t token = 0;
  if (op.kind == "load") {
    load(rank, op.source, op.reg);
  } else if (op.kind == "store") {
    gin_store(&site, windows[static_cast<size_t>(op.target.window)],
              address(rank, op.target), static_cast<uint64_t>(op.value), 32);
  } else if (op.kind == "add") {
    gin_local_atomic_add(&site, windows[static_cast<size_t>(op.target.window)],
                         address(rank, op.target),
                         static_cast<uint64_t>(op.value), GIN_I32);
  } else if (op.kind == "put") {
    Memref target = root(op.target.window, rank);
    gin_place_t to = {&target, 1, &op.target.low};
    if (op.constant >= 0 && op.slot.bank < 0) {
      token = gin_atomic_add(&site, nullptr, op.target.rank, op.context,
                             static_cast<uint64_t>(op.value), &to, GIN_I32);
    } else if (op.immediate && op.constant < 0) {
      token = gin_put_value(&site, nullptr, op.peer, op.context,
                            static_cast<uint64_t>(op.value), &to, GIN_I32,
                            &slot, op.weight);
    } else {
      Memref source;
      if (op.immediate) {
        source = root(static_cast<int>(program.windows.size()), rank);
        source.offset = op.constant;
        source.size = 1;
      } else {
        source = root(op.source.window, rank);
        source.offset = op.source.low;
        source.size = op.source.high - op.source.low;
      }
      gin_place_t from = {&source, 1, nullptr};
      token = gin_put(&site, nullptr, op.peer, op.context, &from, &to, GIN_I32,
                      op.accumulate ? GIN_PUT_ACCUMULATE : 0, &slot, op.weight);
    }
  } else if (op.kind == "get") {
    Memref source = root(op.source.window, rank);
    Memref target = root(op.target.window, rank);
    target.offset = op.target.low;
    target.size = op.target.high - op.target.low;
    gin_place_t from = {&source, 1, &op.source.low};
    gin_place_t to = {&target, 1, nullptr};
    token = gin_get(&site, nullptr, op.peer, op.context, &from, &to, GIN_I32);
  } else if (op.kind == "signal") {
    gin_signal(&site, nullptr, op.peer, op.context, &slot, op.weight,
               op.relaxed ? GIN_SIGNAL_RELAXED : 0);
  } else if (op.kind == "wait") {
    gin_wait(&site, &slot, op.count, -1, 1);
  } else if (op.kind == "test") {
    registers[static_cast<size_t>(op.reg)] = gin_test(&site, &slot, op.count);
  } else if (op.kind == "read") {
    registers[static_cast<size_t>(op.reg)] = gin_read(&site, &slot);
  } else if (op.kind == "await") {
    gin_await(&site, done[static_cast<size_t>(op.token)]);
  } else if (op.kind == "flush") {
    gin_flush(&site);
  } else if (op.kind == "barrier") {
    gin_barrier(&site, nullptr, op.global ? GIN_BARRIER_GLOBAL : 0);
  } else if (op.kind == "fork") {
    struct Captures {
      OracleRun *run;
      int rank;
      const Op *op;
    };
    // Not on this stack: in some tests the fork does not wait for its children.
    auto captures = std::make_shared<Captures>(Captures{this, rank, &op});
    garbage.push_back(captures);
    gin_fork(
        &site, static_cast<int64_t>(op.branches.size()),
        [](void *opaque, int64_t index) {
          auto *captures = static_cast<Captures *>(opaque);
          captures->run->body(
              captures->rank,
              captures->op->branches[static_cast<size_t>(index)]);
        },
        captures.get(), nullptr);
  }
  if (op.token >= 0 && op.kind != "await")
    done[static_cast<size_t>(op.token)] = token;
}

void OracleRun::body(int rank, const std::vector<Op> &ops) {
  std::vector<gin_token_t> done(program.tokens.size());
  for (const Op &op : ops)
    if (op.guard < 0 || registers[static_cast<size_t>(op.guard)])
      execute(rank, op, done);
}

OracleProgram::Result OracleRun::run() {
  std::vector<sim::Step> steps;
  for (int64_t launch = 0; launch < program.launches; ++launch) {
    if (program.launches > 1) {
      sim::Step step;
      step.host = true;
      step.body = [this, launch](int64_t rank) {
        host(static_cast<int>(rank), launch);
      };
      steps.push_back(std::move(step));
    }
    sim::Step step;
    step.body = [this, launch](int64_t rank) {
      body(static_cast<int>(rank), program.texts[static_cast<size_t>(rank)]
                                                [static_cast<size_t>(launch)]);
    };
    steps.push_back(std::move(step));
  }
  // A load may be performed at any time until its launch ends, so its value is
  // taken after that.
  sim::Step last;
  last.body = [this](int64_t rank) {
    for (const Load &load : loads[static_cast<size_t>(rank)]) {
      int64_t value = static_cast<int32_t>(
          static_cast<uint32_t>(gin_load_end(load.handle)));
      if (load.reg >= 0)
        registers[static_cast<size_t>(load.reg)] = value;
      else
        hostRegisters[load.name] = value;
    }
  };
  steps.push_back(std::move(last));

  OracleProgram::Result result;
  result.outcome = simulator.run(steps);
  result.values = hostRegisters;
  for (size_t i = 0; i < registers.size(); ++i)
    result.values[program.registers[i]] = registers[i];
  for (size_t window = 0; window < program.windows.size(); ++window) {
    const std::string &name = program.windows[window];
    for (int64_t rank = 0; rank < program.ranks; ++rank) {
      const int32_t *data =
          static_cast<const int32_t *>(simulator.data(windows[window], rank));
      int64_t size = program.sizes.at(name)[static_cast<size_t>(rank)];
      for (int64_t i = 0; i < size; ++i)
        result.values[name + "[" + std::to_string(i) + "]@" +
                      std::to_string(rank)] = data[i];
    }
  }
  return result;
}

OracleProgram::Result OracleProgram::run(sim::Config config) const {
  config.ranks = ranks;
  return OracleRun(*this, std::move(config)).run();
}
