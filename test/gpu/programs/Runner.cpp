//===- Runner.cpp - runs the programs of a bundle -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   gin-programs DATA [--blocks=N] [--times=N]
//                [--launches=N [--graph] [--checks=N] [--seconds=N]]
//                [--markdown=FILE] [NAME...]
//
// Launches each case of DATA/cases.txt on as many ranks as it has, and compares
// what windows hold afterwards with what the program's reference and the
// simulator made of the same data. With --launches so often, or so many replays
// of one launch that was captured into a graph; the comparison is made --checks
// times on the way, and arguments then begin anew, while the program's signals
// count on; fewer if all cases would take more than --seconds. Exit status: 0
// all match, 1 some do not, 2 bad usage, 77 no GPUs.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/Platform.h"
#include "test/gpu/programs/Cases.h"
#include "test/gpu/programs/Table.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using namespace gintest;

namespace {

struct Options {
  std::string data, markdown;
  bool graph = false;
  unsigned blocks = 0;
  int times = 1, launches = 0, checks = 10, seconds = 3600;
  std::vector<std::string> names;
};

double secondsSince(std::chrono::steady_clock::time_point begun) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun)
      .count();
}

/// One run of one program.
class Run {
public:
  /// Launches end after `limit` seconds.
  Run(const Options &options, const Case &one, double limit)
      : options(options), one(one), limit(limit) {}
  /// What is wrong, or nothing.
  std::string execute();
  /// Microseconds of a launch.
  double time() const { return microseconds; }
  int launches() const { return done; }

private:
  struct Rank {
    ginComm_t comm = nullptr;
    void *program = nullptr, *stream = nullptr, *graph = nullptr;
    std::vector<void *> memory;
    std::vector<ginWindow_t> windows;
    std::vector<char> fields;
  };
  std::string file(const Argument &argument, int rank, const char *kind) const {
    return options.data + "/" + one.label + "." + argument.name + "." +
           std::to_string(rank) + "." + kind;
  }
  void prepare(Rank &rank, int number);
  void fill(Rank &rank, int number);
  std::string launch(const Launcher &launcher, int times);
  std::string replay(int times);
  std::string synchronize();
  std::string endure(const Launcher &launcher);
  std::string compareAll();
  std::string compare(const Argument &argument, int rank,
                      const std::vector<char> &got, const char *with) const;

  const Options &options;
  const Case &one;
  const double limit;
  std::vector<Rank> all;
  double microseconds = 0;
  int done = 0;
};

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
  fill(rank, number);
}

/// Gives arrays what they have at first.
void Run::fill(Rank &rank, int number) {
  for (size_t i = 0; i < one.arguments.size(); ++i) {
    const Argument &argument = one.arguments[i];
    if (argument.kind == "scalar")
      continue;
    const std::vector<char> data = readFile(file(argument, number, "in"));
    need(ginMemoryCopy(rank.comm, rank.memory[i], data.data(), data.size()),
         argument.name);
  }
}

std::string Run::launch(const Launcher &launcher, int times) {
  for (int k = 0; k < times; ++k)
    for (Rank &rank : all)
      if (ginResult_t result = launcher.launch(rank.program, rank.fields.data(),
                                               options.blocks, rank.stream)) {
        ginError_t error;
        if (ginCommGetAsyncError(rank.comm, &error) != GIN_SUCCESS)
          return error.message;
        return std::string("cannot launch: ") + ginResultName(result) + ": " +
               ginGetLastError();
      }
  return {};
}

std::string Run::replay(int times) {
  for (int k = 0; k < times; ++k)
    for (Rank &rank : all)
      if (!replayGraph(rank.comm, rank.stream, rank.graph))
        return "cannot replay: " + leftover();
  return {};
}

std::string Run::synchronize() {
  for (Rank &rank : all)
    if (ginCommSynchronize(rank.comm) != GIN_SUCCESS) {
      ginError_t error = {};
      ginCommGetAsyncError(rank.comm, &error);
      return error.result ? error.message : ginGetLastError();
    }
  return {};
}

/// Many launches. The first, alone, registers what a captured one could not.
std::string Run::endure(const Launcher &launcher) {
  std::string wrong = launch(launcher, 1);
  if (wrong.empty())
    wrong = synchronize();
  for (Rank &rank : all)
    if (options.graph && wrong.empty()) {
      ginResult_t result = GIN_SUCCESS;
      rank.graph = recordGraph(rank.comm, rank.stream, [&] {
        result = launcher.launch(rank.program, rank.fields.data(),
                                 options.blocks, rank.stream);
      });
      if (!rank.graph || result != GIN_SUCCESS)
        wrong = std::string("cannot capture: ") + ginResultName(result) + ": " +
                ginGetLastError();
    }
  double seconds = 0;
  for (int part = 1;
       part <= options.checks && wrong.empty() && seconds <= limit; ++part) {
    for (int rank = 0; rank < one.ranks; ++rank)
      fill(all[static_cast<size_t>(rank)], rank);
    const int times =
        static_cast<int>(int64_t(options.launches) * part / options.checks) -
        done;
    const auto begun = std::chrono::steady_clock::now();
    wrong = options.graph ? replay(times) : launch(launcher, times);
    if (wrong.empty())
      wrong = synchronize();
    seconds += secondsSince(begun);
    done += times;
    if (wrong.empty() && times > 0)
      wrong = compareAll();
    if (!wrong.empty())
      wrong = "after " + std::to_string(done) + " launches: " + wrong;
  }
  microseconds = seconds * 1e6 / std::max(done, 1);
  return wrong;
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

std::string Run::compareAll() {
  for (size_t rank = 0; rank < all.size(); ++rank)
    for (size_t i = 0; i < one.arguments.size(); ++i) {
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
      for (const char *with : {"out", "sim"}) {
        const std::string wrong =
            compare(argument, static_cast<int>(rank), got, with);
        if (!wrong.empty())
          return wrong;
      }
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
  need(createComms(one.ranks, comms.data()),
       "cannot have " + std::to_string(one.ranks) + " ranks");
  for (ginComm_t comm : comms) {
    all.emplace_back();
    all.back().comm = comm;
    all.back().stream = createStream(comm);
  }
  for (int rank = 0; rank < one.ranks; ++rank)
    prepare(all[static_cast<size_t>(rank)], rank);
  for (Rank &rank : all)
    need(launcher->create(rank.comm, rank.fields.data(), &rank.program),
         one.label + ": cannot set the program up");
  std::string wrong;
  if (options.launches > 0) {
    wrong = endure(*launcher);
  } else {
    done = one.repeat;
    wrong = launch(*launcher, done);
    if (wrong.empty())
      wrong = synchronize();
    if (wrong.empty())
      wrong = compareAll();
  }
  for (Rank &rank : all) {
    if (rank.graph)
      destroyGraph(rank.graph);
    destroyStream(rank.comm, rank.stream);
  }
  for (Rank &rank : all) {
    const ginResult_t result = launcher->destroy(rank.program);
    if (result != GIN_SUCCESS && wrong.empty())
      wrong = std::string("cannot end the program: ") + ginResultName(result) +
              ": " + ginGetLastError();
  }
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
    if (word == "--graph")
      options.graph = true;
    else if (word.compare(0, 11, "--markdown=") == 0)
      options.markdown = word.substr(11);
    else if (number("--blocks=", options.blocks) ||
             number("--times=", options.times) ||
             number("--launches=", options.launches) ||
             number("--checks=", options.checks) ||
             number("--seconds=", options.seconds))
      ;
    else if (word[0] == '-')
      fail("there is no option " + word);
    else if (options.data.empty())
      options.data = word;
    else
      options.names.push_back(word);
  }
  if (options.data.empty())
    fail("usage: gin-programs DATA [--blocks=N] [--times=N] [--launches=N "
         "[--graph] [--checks=N] [--seconds=N]] [--markdown=FILE] [NAME...]");
  if (options.checks < 1)
    fail("--checks is at least 1");
  return options;
}

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv);
  if (options.graph && slowness() > 1) {
    std::cout << "skipped: threads of the host have no graphs\n";
    return 77;
  }
  std::vector<Case> cases;
  for (Case &one : readCases(options.data))
    if (options.names.empty() ||
        std::any_of(options.names.begin(), options.names.end(),
                    [&](const std::string &name) {
                      return one.label.compare(0, name.size(), name) == 0;
                    }))
      cases.push_back(std::move(one));
  if (cases.empty())
    fail("there is no such program");
  int ranks = 0;
  for (const Case &one : cases)
    ranks = std::max(ranks, one.ranks);
  if (lacksRanks(ranks))
    return 77;
  std::ostringstream table;
  table << "| program | ranks | launches | us each | wrong |\n"
           "|---|---|---|---|---|\n";
  int passed = 0, failed = 0, shortened = 0;
  const auto begun = std::chrono::steady_clock::now();
  for (size_t k = 0; k < cases.size(); ++k) {
    const Case &one = cases[k];
    // Who is done early leaves its time to the others.
    const double limit =
        (options.seconds - secondsSince(begun)) / double(cases.size() - k);
    for (int i = 0; i < options.times; ++i) {
      Run run(options, one, limit);
      const std::string wrong = run.execute();
      if (wrong.empty() && i + 1 < options.times)
        continue;
      std::cout << (wrong.empty() ? "pass " : "FAIL ") << one.label << " on "
                << one.ranks << " ranks, " << run.launches() << " launches"
                << (options.graph ? " of a graph" : "")
                << (wrong.empty() ? "" : ": " + wrong) << std::endl;
      table << "| " << one.label << " | " << one.ranks << " | "
            << run.launches() << (options.graph ? " replays" : "");
      if (options.times > 1)
        table << ", " << i + 1 << " times";
      table << " | ";
      if (options.launches)
        table << std::fixed << std::setprecision(1) << run.time();
      table << " | " << wrong << " |\n";
      ++(wrong.empty() ? passed : failed);
      shortened += wrong.empty() && run.launches() < options.launches;
      if (!wrong.empty())
        break;
    }
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  if (!options.markdown.empty()) {
    std::ofstream file(options.markdown);
    file << passed << " runs right, " << failed << " wrong.";
    if (shortened)
      file << ' ' << shortened << " had no time for all launches.";
    file << "\n\n" << table.str();
    if (!file.flush())
      fail("cannot write " + options.markdown);
  }
  return failed == 0 ? 0 : 1;
}
