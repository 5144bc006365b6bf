//===- Runner.cpp - runs the programs of a bundle -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   gin-programs DATA [--host] [--blocks=N] [--times=N] [NAME...]
//
// Launches each case of DATA/cases.txt on as many ranks as it has, and compares
// what windows hold afterwards with what the program's reference and the
// simulator made of the same data. On GPUs, or with --host, on threads of the
// CPU. Exit status: 0 all match, 1 some do not, 2 bad usage, 77 no GPUs.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/programs/Table.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using namespace gintest;

namespace {

struct Argument {
  std::string kind, name, type, shape;
  bool expected = false;
  double atol = 0, rtol = 0;
  std::vector<std::string> scalars;         // by rank
  std::vector<std::vector<int64_t>> shapes; // by rank
};

struct Case {
  std::string function, label;
  int ranks = 0, repeat = 1;
  std::vector<Argument> arguments;
};

struct Options {
  std::string data;
  bool host = false;
  unsigned blocks = 0;
  int times = 1;
  std::vector<std::string> names;
};

[[noreturn]] void fail(const std::string &what) {
  std::cerr << "gin-programs: " << what << '\n';
  std::exit(2);
}

void need(ginResult_t result, const std::string &what) {
  if (result != GIN_SUCCESS)
    fail(what + ": " + ginResultName(result) + ": " + ginGetLastError());
}

size_t bytesOf(const std::string &type) {
  if (type == "index" || type == "i64" || type == "f64")
    return 8;
  if (type == "i32" || type == "f32")
    return 4;
  if (type == "i16" || type == "f16" || type == "bf16")
    return 2;
  return 1;
}

/// An element as a number.
double valueOf(const std::string &type, const char *element) {
  auto as = [&](auto value) {
    std::memcpy(&value, element, sizeof value);
    return value;
  };
  if (type == "f64")
    return as(double());
  if (type == "f32")
    return static_cast<double>(as(float()));
  if (type == "bf16") {
    const uint32_t bits = uint32_t(as(uint16_t())) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return static_cast<double>(value);
  }
  // Sign, exponent and mantissa of the other small floats.
  const bool wide = type == "f16", e5m2 = type == "f8E5M2";
  const unsigned bits = wide ? as(uint16_t()) : as(uint8_t());
  const int mantissa = wide   ? 10
                       : e5m2 ? 2
                              : 3,
            exponents = wide || e5m2 ? 5 : 4;
  const int bias = (1 << (exponents - 1)) - 1;
  const int exponent = int(bits >> mantissa) & ((1 << exponents) - 1);
  const int fraction = int(bits) & ((1 << mantissa) - 1);
  const bool negative = bits >> (wide ? 15 : 7) & 1;
  double value = std::ldexp(fraction + (exponent ? 1 << mantissa : 0),
                            (exponent ? exponent : 1) - bias - mantissa);
  if (wide || e5m2) {
    if (exponent == 31)
      value = fraction ? NAN : INFINITY;
  } else if (exponent == 15 && fraction == 7) {
    value = NAN;
  }
  return negative ? -value : value;
}

std::vector<char> readFile(const std::string &name) {
  std::ifstream file(name, std::ios::binary);
  if (!file)
    fail("cannot read " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Case> readCases(const std::string &data) {
  std::ifstream file(data + "/cases.txt");
  if (!file)
    fail("cannot read " + data + "/cases.txt");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "case") {
      cases.emplace_back();
      Case &one = cases.back();
      words >> one.function >> one.label >> one.ranks >> one.repeat;
    } else if (word == "shape") {
      cases.back().arguments.back().shapes.emplace_back(
          std::istream_iterator<int64_t>(words),
          std::istream_iterator<int64_t>());
    } else if (word != "end") {
      Argument argument;
      argument.kind = word;
      words >> argument.name >> argument.type;
      if (word == "scalar")
        argument.scalars.assign(std::istream_iterator<std::string>(words), {});
      else
        words >> argument.expected >> argument.atol >> argument.rtol >>
            argument.shape;
      cases.back().arguments.push_back(std::move(argument));
    }
  }
  return cases;
}

/// One run of one program.
class Run {
public:
  Run(const Options &options, const Case &one) : options(options), one(one) {}
  /// What is wrong, or nothing.
  std::string execute();

private:
  struct Rank {
    ginComm_t comm = nullptr;
    void *program = nullptr;
    std::vector<void *> memory;
    std::vector<ginWindow_t> windows;
    std::vector<char> fields;
  };
  std::string file(const Argument &argument, int rank, const char *kind) const {
    return options.data + "/" + one.label + "." + argument.name + "." +
           std::to_string(rank) + "." + kind;
  }
  void prepare(Rank &rank, int number);
  std::string launch(const Launcher &launcher);
  std::string compare(const Argument &argument, int rank,
                      const std::vector<char> &got, const char *with) const;

  const Options &options;
  const Case &one;
  std::vector<Rank> all;
};

template <class T>
void add(std::vector<char> &fields, T value) {
  fields.resize((fields.size() + sizeof value - 1) / sizeof value *
                sizeof value);
  const char *begin = reinterpret_cast<const char *>(&value);
  fields.insert(fields.end(), begin, begin + sizeof value);
}

void addScalar(std::vector<char> &fields, const std::string &type,
               const std::string &text) {
  if (type == "f32")
    add(fields, std::stof(text));
  else if (type == "f64")
    add(fields, std::stod(text));
  else if (bytesOf(type) == 8)
    add(fields, static_cast<int64_t>(std::stoll(text)));
  else if (bytesOf(type) == 4)
    add(fields, static_cast<int32_t>(std::stoll(text)));
  else if (bytesOf(type) == 2)
    add(fields, static_cast<int16_t>(std::stoll(text)));
  else
    add(fields, static_cast<int8_t>(std::stoll(text)));
}

void Run::prepare(Rank &rank, int number) {
  const size_t at = static_cast<size_t>(number);
  for (const Argument &argument : one.arguments) {
    rank.memory.push_back(nullptr);
    if (argument.kind == "scalar") {
      addScalar(rank.fields, argument.type, argument.scalars.at(at));
      continue;
    }
    const std::vector<char> data = readFile(file(argument, number, "in"));
    void *&memory = rank.memory.back();
    need(ginMemoryAlloc(rank.comm, data.size(), &memory), argument.name);
    need(ginMemoryCopy(rank.comm, memory, data.data(), data.size()),
         argument.name);
    if (argument.kind == "window") {
      ginWindow_t window;
      need(ginWindowRegister(rank.comm, memory, data.size(), GIN_RIGHT_ALL,
                             &window),
           argument.name);
      rank.windows.push_back(window);
      add(rank.fields, window);
    } else {
      add(rank.fields, memory);
    }
    std::istringstream extents(argument.shape);
    std::string extent;
    for (size_t i = 0; std::getline(extents, extent, 'x'); ++i)
      if (extent == "?")
        add(rank.fields, argument.shapes.at(at).at(i));
  }
  add(rank.fields, int64_t(0)); // so that it is not empty, and aligned
}

std::string Run::launch(const Launcher &launcher) {
  for (Rank &rank : all)
    need(launcher.create(rank.comm, rank.fields.data(), &rank.program),
         one.label + ": cannot set the program up");
  for (int k = 0; k < one.repeat; ++k)
    for (Rank &rank : all)
      if (ginResult_t result = launcher.launch(rank.program, rank.fields.data(),
                                               options.blocks, nullptr)) {
        ginError_t error;
        if (ginCommGetAsyncError(rank.comm, &error) != GIN_SUCCESS)
          return error.message;
        return std::string("cannot launch: ") + ginResultName(result) + ": " +
               ginGetLastError();
      }
  for (Rank &rank : all)
    if (ginCommSynchronize(rank.comm) != GIN_SUCCESS) {
      ginError_t error = {};
      ginCommGetAsyncError(rank.comm, &error);
      return error.result ? error.message : ginGetLastError();
    }
  return {};
}

std::string Run::compare(const Argument &argument, int rank,
                         const std::vector<char> &got, const char *with) const {
  const std::vector<char> want = readFile(file(argument, rank, with));
  const size_t bytes = bytesOf(argument.type);
  if (got.size() != want.size())
    return "%" + argument.name + " has another size than in " + with;
  const bool integer = argument.type[0] == 'i';
  for (size_t i = 0; i < got.size(); i += bytes) {
    if (std::memcmp(&got[i], &want[i], bytes) == 0)
      continue;
    std::string numbers;
    if (!integer) {
      const double a = valueOf(argument.type, &got[i]);
      const double b = valueOf(argument.type, &want[i]);
      if (a == b || (std::isnan(a) && std::isnan(b)) ||
          std::fabs(a - b) <= argument.atol + argument.rtol * std::fabs(b))
        continue;
      numbers = ": " + std::to_string(a) + ", not " + std::to_string(b);
    }
    return "%" + argument.name + " differs from '" + with + "' on rank " +
           std::to_string(rank) + " at element " + std::to_string(i / bytes) +
           numbers;
  }
  return {};
}

std::string Run::execute() {
  const Launcher *launcher = launchers;
  while (launcher->name && one.function != launcher->name)
    ++launcher;
  if (!launcher->name)
    return "there is no such program";
  std::vector<ginComm_t> comms(static_cast<size_t>(one.ranks));
  need(options.host ? ginCommCreateAllHost(one.ranks, comms.data())
                    : ginCommCreateAll(nullptr, one.ranks, comms.data()),
       "cannot have " + std::to_string(one.ranks) + " ranks");
  for (ginComm_t comm : comms) {
    all.emplace_back();
    all.back().comm = comm;
  }
  for (int rank = 0; rank < one.ranks; ++rank)
    prepare(all[static_cast<size_t>(rank)], rank);
  std::string wrong = launch(*launcher);
  for (size_t rank = 0; rank < all.size() && wrong.empty(); ++rank)
    for (size_t i = 0; i < one.arguments.size() && wrong.empty(); ++i) {
      const Argument &argument = one.arguments[i];
      if (!argument.expected)
        continue;
      size_t count = bytesOf(argument.type);
      for (int64_t extent : argument.shapes.at(rank))
        count *= static_cast<size_t>(extent);
      std::vector<char> got(count);
      need(
          ginMemoryCopy(all[rank].comm, got.data(), all[rank].memory[i], count),
          argument.name);
      for (const char *with : {"out", "sim"})
        if (wrong.empty())
          wrong = compare(argument, static_cast<int>(rank), got, with);
    }
  for (Rank &rank : all)
    launcher->destroy(rank.program);
  for (Rank &rank : all) {
    for (ginWindow_t window : rank.windows)
      ginWindowDestroy(window);
    for (void *memory : rank.memory)
      ginMemoryFree(rank.comm, memory);
  }
  for (Rank &rank : all)
    ginCommDestroy(rank.comm);
  return wrong;
}

Options readOptions(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    auto number = [&](const char *option, auto &value) {
      const size_t length = std::strlen(option);
      if (word.compare(0, length, option) != 0)
        return false;
      value = static_cast<std::decay_t<decltype(value)>>(
          std::strtoul(word.c_str() + length, nullptr, 10));
      return true;
    };
    if (word == "--host")
      options.host = true;
    else if (number("--blocks=", options.blocks) ||
             number("--times=", options.times))
      ;
    else if (word[0] == '-')
      fail("there is no option " + word);
    else if (options.data.empty())
      options.data = word;
    else
      options.names.push_back(word);
  }
  if (options.data.empty())
    fail(
        "usage: gin-programs DATA [--host] [--blocks=N] [--times=N] [NAME...]");
  return options;
}

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv);
  std::vector<Case> cases = readCases(options.data);
  if (!options.host) {
    ginComm_t comms[2];
    if (ginResult_t result = ginCommCreateAll(nullptr, 2, comms)) {
      std::cout << "skipped: " << ginResultName(result) << ": "
                << ginGetLastError() << '\n';
      return 77;
    }
    for (ginComm_t comm : comms)
      ginCommDestroy(comm);
  }
  int passed = 0, failed = 0;
  for (const Case &one : cases) {
    bool wanted = options.names.empty();
    for (const std::string &name : options.names)
      wanted |= one.label.compare(0, name.size(), name) == 0;
    for (int i = 0; wanted && i < options.times; ++i) {
      const std::string wrong = Run(options, one).execute();
      if (wrong.empty() && i + 1 < options.times)
        continue;
      std::cout << (wrong.empty() ? "pass " : "FAIL ") << one.label << " on "
                << one.ranks << " ranks, " << one.repeat << " launches"
                << (wrong.empty() ? "" : ": " + wrong) << std::endl;
      ++(wrong.empty() ? passed : failed);
      if (!wrong.empty())
        break;
    }
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}
