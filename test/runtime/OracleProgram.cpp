//===- OracleProgram.cpp - runs the oracle's programs ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OracleProgram.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

using namespace ginc;
using namespace ginc::test;

nlohmann::json ginc::test::readPrograms(const std::string &file) {
  std::ifstream in(file);
  if (!in)
    throw std::runtime_error("cannot read " + file);
  return nlohmann::json::parse(in);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Splits at `separator` outside braces.
static std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (char c : text) {
    depth += (c == '{') - (c == '}');
    if (c == separator && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  std::vector<std::string> result;
  for (std::string &part : parts) {
    size_t first = part.find_first_not_of(' ');
    if (first == std::string::npos)
      continue;
    result.push_back(
        part.substr(first, part.find_last_not_of(' ') + 1 - first));
  }
  return result;
}

static std::vector<std::string> wordsOf(const std::string &text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;)
    words.push_back(word);
  return words;
}

static bool isNumber(const std::string &word) {
  return !word.empty() &&
         word.find_first_not_of("0123456789", word[0] == '-') ==
             std::string::npos;
}

OracleProgram::OracleProgram(const nlohmann::json &json)
    : ranks(json.at("ranks")), launches(json.at("launches")) {
  for (auto &[name, parts] : json.at("windows").items()) {
    windows.push_back(name);
    sizes[name] = parts.get<std::vector<int64_t>>();
  }
  scratch = json.at("scratch").get<std::set<std::string>>();
  source = json.at("source").get<std::set<std::string>>();
  constants.resize(static_cast<size_t>(ranks));
  texts.resize(static_cast<size_t>(ranks));
  for (size_t rank = 0; rank < texts.size(); ++rank)
    for (const auto &text : json.at("texts").at(rank))
      texts[rank].push_back(
          parse(text.get<std::string>(), static_cast<int>(rank)));
}

int OracleProgram::named(std::vector<std::string> &names,
                         const std::string &name) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name)
      return static_cast<int>(i);
  names.push_back(name);
  return static_cast<int>(names.size() - 1);
}

namespace {

/// `name`, `name[low]` or `name[low:high]`, then perhaps `@rank`.
struct Named {
  std::string name;
  bool indexed = false;
  int64_t low = 0, high = 1;
  int rank = -1;
};

} // namespace

static Named parseNamed(const std::string &text) {
  Named result;
  size_t at = text.find('@');
  if (at != std::string::npos)
    result.rank = std::stoi(text.substr(at + 1));
  std::string place = text.substr(0, at);
  size_t open = place.find('[');
  result.name = place.substr(0, open);
  if (result.name.empty())
    throw std::runtime_error("not a place: " + text);
  if (open == std::string::npos)
    return result;
  result.indexed = true;
  result.low = std::stol(place.substr(open + 1));
  size_t colon = place.find(':');
  result.high = colon == std::string::npos ? result.low + 1
                                           : std::stol(place.substr(colon + 1));
  return result;
}

OracleProgram::Place OracleProgram::parsePlace(const std::string &text,
                                               int rank) {
  Named named = parseNamed(text);
  return {this->named(windows, named.name), named.rank < 0 ? rank : named.rank,
          named.low, named.high};
}

/// `rank` becomes the rank that the text names, if it does.
OracleProgram::Slot OracleProgram::parseSlot(const std::string &text,
                                             int &rank) {
  Named named = parseNamed(text);
  if (named.rank >= 0)
    rank = named.rank;
  for (size_t i = 0; i < banks.size(); ++i)
    if (banks[i].name == named.name && banks[i].indexed == named.indexed) {
      banks[i].extent = std::max(banks[i].extent, named.high);
      return {static_cast<int>(i), named.low};
    }
  banks.push_back({named.name, named.indexed, named.high});
  return {static_cast<int>(banks.size() - 1), named.low};
}

std::vector<OracleProgram::Op> OracleProgram::parse(const std::string &text,
                                                    int rank) {
  std::vector<Op> ops;
  for (const std::string &line : split(text, ';')) {
    if (line.rfind("fork", 0) != 0) {
      ops.push_back(parseOp(line, rank));
      continue;
    }
    Op fork;
    fork.kind = "fork";
    fork.text = line;
    size_t first = line.find('{') + 1;
    std::string inner = line.substr(first, line.rfind('}') - first);
    for (const std::string &branch : split(inner, '|'))
      fork.branches.push_back(parse(branch, rank));
    ops.push_back(std::move(fork));
  }
  return ops;
}

OracleProgram::Op OracleProgram::parseOp(const std::string &line, int rank) {
  Op op;
  op.text = line;
  std::vector<std::string> words = wordsOf(line);
  if (words.at(0) == "if") {
    op.guard = named(registers, words.at(1).substr(0, words[1].size() - 1));
    words.erase(words.begin(), words.begin() + 2);
  }
  const std::string kind = op.kind = words.at(0);
  int peer = rank;
  if (kind == "load") {
    op.reg = named(registers, words.at(1));
    op.source = parsePlace(words.at(3), rank);
  } else if (kind == "store" || kind == "add") {
    op.target = parsePlace(words.at(1), rank);
    op.value = std::stol(words.at(3));
  } else if (kind == "put") {
    op.immediate = isNumber(words.at(1));
    if (op.immediate)
      op.value = std::stol(words[1]);
    else
      op.source = parsePlace(words[1], rank);
    op.target = parsePlace(words.at(3), rank);
    peer = op.target.rank;
  } else if (kind == "get") {
    op.source = parsePlace(words.at(1), rank);
    op.target = parsePlace(words.at(3), rank);
    peer = op.source.rank;
  } else if (kind == "signal") {
    op.slot = parseSlot(words.at(1), peer);
  } else if (kind == "wait") {
    op.slot = parseSlot(words.at(1), peer);
    op.count = std::stol(words.at(3));
  } else if (kind == "test") {
    op.reg = named(registers, words.at(1));
    op.slot = parseSlot(words.at(3), peer);
    op.count = std::stol(words.at(5));
  } else if (kind == "read") {
    op.reg = named(registers, words.at(1));
    op.slot = parseSlot(words.at(3), peer);
  } else if (kind == "await") {
    op.token = named(tokens, words.at(1));
  } else if (kind == "barrier") {
    op.global = words.size() > 1 && words[1] == "global";
  } else if (kind != "flush") {
    throw std::runtime_error("unknown operation: " + line);
  }
  op.peer = peer;
  if (kind != "put" && kind != "get" && kind != "signal")
    return op;
  for (size_t i = kind == "signal" ? 2 : 4; i < words.size(); ++i) {
    const std::string &option = words[i];
    if (option == "signal")
      op.slot = parseSlot(words.at(++i), peer);
    else if (option == "add")
      op.weight = std::stol(words.at(++i));
    else if (option == "ctx")
      op.context = std::stol(words.at(++i));
    else if (option == "as")
      op.token = named(tokens, words.at(++i));
    else if (option == "relaxed")
      op.relaxed = true;
    else if (option == "accumulate")
      op.accumulate = true;
    else
      throw std::runtime_error("unknown option in: " + line);
  }
  if (op.immediate && op.accumulate) {
    // The contract accumulates from memory only: a cell that never changes.
    std::vector<int64_t> &kept = constants[static_cast<size_t>(rank)];
    op.constant = static_cast<int64_t>(kept.size());
    kept.push_back(op.value);
  }
  return op;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

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
  std::vector<std::vector<Load>> loads;       ///< by rank
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
  gin_site_t site = {"oracle", op.text.c_str(), 1, 1};
  gin_token_t token = 0;
  if (op.kind == "load") {
    load(rank, op.source, op.reg);
  } else if (op.kind == "store") {
    gin_store(&site, windows[static_cast<size_t>(op.target.window)],
              address(rank, op.target), static_cast<uint64_t>(op.value), 32);
  } else if (op.kind == "add" || op.kind == "put") {
    Memref target = root(op.target.window, rank);
    gin_place_t to = {&target, 1, &op.target.low};
    if (op.kind == "add" || (op.constant >= 0 && op.slot.bank < 0)) {
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
