//===- Main.cpp - litmus programs on GPUs, or on threads ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   gin-litmus [--rounds=N] [--seconds=N] [--instances=N] [--gpus=N] [--seed=N]
//              [--control=WHAT [--must-show]] [--markdown=FILE] [NAME...]
//
// Plays each program --rounds times, in all for at most --seconds, and compares
// what came out with what it allows and forbids. With --control the device
// functions lack WHAT: forbidden outcomes are counted, and expected of at least
// one program with --must-show. Exit status: 0 as expected, 1 not, 2 bad usage,
// 77 no GPUs.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/Platform.h"
#include "test/gpu/litmus/Rounds.h"

#include "runtime/include/gin.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

using namespace gintest;
using namespace gintest::litmus;

namespace {

struct Options {
  uint64_t rounds = 10'000'000, seconds = 60, seed = 1;
  uint32_t instances = 0, gpus = 2; // 0: as many as fit
  std::string control, markdown;
  bool mustShow = false;
  std::vector<std::string> names;
};

struct Result {
  std::map<std::vector<int64_t>, uint64_t> outcomes;
  uint64_t rounds = 0, lost = 0, failures = 0;
  std::string error; // the first
  double seconds = 0;
};

constexpr unsigned threadsOfBlock = 64;

} // namespace

static std::vector<Entry> &entries() {
  static std::vector<Entry> all;
  return all;
}

Registered::Registered(Entry entry) { entries().push_back(std::move(entry)); }

[[noreturn]] static void fail(const std::string &what) {
  std::cerr << "gin-litmus: " << what << '\n';
  std::exit(2);
}

static void need(ginResult_t result, const char *what) {
  if (result != GIN_SUCCESS)
    fail(std::string(what) + ": " + ginResultName(result) + ": " +
         ginGetLastError());
}

static double secondsSince(std::chrono::steady_clock::time_point begun) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun)
      .count();
}

//===----------------------------------------------------------------------===//
// One program
//===----------------------------------------------------------------------===//

namespace {

/// The GPUs, with one gin program without banks, in which all rounds run.
class Machine {
public:
  explicit Machine(const Options &options)
      : options(options), comms(options.gpus), programs(comms.size()) {
    need(createComms(static_cast<int>(options.gpus), comms.data()),
         "communicator");
    ginProgramConfig_t config = {};
    config.name = "gin-litmus";
    config.architectures = GIN_ARCHITECTURES;
    for (size_t gpu = 0; gpu < comms.size(); ++gpu) {
      streams.push_back(createStream(comms[gpu]));
      need(ginProgramCreate(comms[gpu], &config, &programs[gpu]), "program");
    }
  }
  ~Machine() {
    for (size_t gpu = 0; gpu < comms.size(); ++gpu) {
      destroyStream(comms[gpu], streams[gpu]);
      ginProgramDestroy(programs[gpu]);
      ginCommDestroy(comms[gpu]);
    }
  }
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  Result play(const Entry &entry, double seconds);

private:
  /// Blocks that run at once, at most `most`.
  unsigned blocksOf(const Entry &entry, unsigned most) const;
  void launch(const Entry &entry, const Run &run, unsigned blocks,
              const std::vector<gin::Window> &arena);
  void collect(const Entry &entry, const Floor &floor,
               const std::vector<void *> &memory, Result &result);

  const Options &options;
  std::vector<ginComm_t> comms;
  std::vector<ginProgram_t> programs;
  std::vector<void *> streams;
};

} // namespace

unsigned Machine::blocksOf(const Entry &entry, unsigned most) const {
  ginBackend_t backend;
  need(ginCommBackend(comms[0], &backend), "communicator");
  if (backend == GIN_BACKEND_HOST)
    return most;
  unsigned blocks;
  need(ginProgramMaxBlocks(programs[0],
                           reinterpret_cast<const void *>(entry.kernel),
                           threadsOfBlock, sharedBytes, &blocks),
       "blocks");
  return std::min(blocks, most);
}

void Machine::launch(const Entry &entry, const Run &run, unsigned blocks,
                     const std::vector<gin::Window> &arena) {
  for (size_t gpu = 0; gpu < comms.size(); ++gpu) {
    gin::Program program;
    need(gin::getDevice(programs[gpu], program), "program");
    need(gin::launch(programs[gpu], entry.kernel, blocks, threadsOfBlock,
                     sharedBytes, streams[gpu], program, arena[gpu],
                     entry.shape, run),
         "launch");
  }
  for (ginComm_t comm : comms)
    need(ginCommSynchronize(comm), "kernel");
}

/// Adds what seats have, and clears them.
void Machine::collect(const Entry &entry, const Floor &floor,
                      const std::vector<void *> &memory, Result &result) {
  std::vector<char> front(floor.memoryAt);
  for (size_t gpu = 0; gpu < comms.size(); ++gpu) {
    need(ginMemoryCopy(comms[gpu], front.data(), memory[gpu], front.size()),
         "copy");
    for (uint32_t i = 0; i < floor.seats; ++i) {
      Seat seat;
      std::memcpy(&seat, front.data() + sizeof(Hall) + i * sizeof seat,
                  sizeof seat);
      result.rounds += seat.rounds;
      result.lost += seat.lost;
      for (uint32_t k = 0; k < seat.used; ++k) {
        const int64_t *values = seat.outcomes[k].values;
        result.outcomes[{values, values + entry.shape.observed}] +=
            seat.outcomes[k].count;
      }
      result.failures += seat.failures;
      if (seat.failures && result.error.empty())
        result.error = std::string(ginResultName(
                           static_cast<ginResult_t>(seat.record.code))) +
                       " at line " + std::to_string(seat.record.line) + ", " +
                       seat.record.text;
    }
    std::fill(front.begin(), front.end(), 0);
    need(ginMemoryCopy(comms[gpu], memory[gpu], front.data(), front.size()),
         "copy");
  }
}

Result Machine::play(const Entry &entry, double seconds) {
  const auto begun = std::chrono::steady_clock::now();
  const uint32_t gpus = static_cast<uint32_t>(comms.size());
  const Layout layout(entry.shape);
  const uint32_t perInstance =
      (static_cast<uint32_t>(entry.shape.ranks) + gpus - 1) / gpus;
  const bool host = slowness() > 1;
  const uint32_t stress = host ? 1 : 16;
  Run run{};
  run.instances = options.instances ? options.instances
                  : host ? 4
                         : (blocksOf(entry, 640) - stress) / perInstance;
  run.timeout = uint64_t(host ? 60 : 2) * 1'000'000'000;
  const Floor floor(entry.shape, layout, run.instances, gpus);

  std::vector<void *> memory(gpus);
  std::vector<ginWindow_t> windows(gpus);
  std::vector<gin::Window> arena(gpus);
  for (size_t gpu = 0; gpu < gpus; ++gpu) {
    need(ginMemoryAlloc(comms[gpu], floor.end, &memory[gpu]), "memory");
    need(ginWindowRegister(comms[gpu], memory[gpu], floor.end, GIN_RIGHT_ALL,
                           &windows[gpu]),
         "window");
  }
  for (size_t gpu = 0; gpu < gpus; ++gpu)
    need(gin::getDevice(windows[gpu], arena[gpu]), "window");

  Result result;
  uint64_t rounds = 64; // of each instance; then so many as take a moment
  for (uint64_t launches = 0;
       result.rounds < options.rounds && result.failures == 0; ++launches) {
    const double before = secondsSince(begun);
    if (launches != 0 && before > seconds)
      break;
    run.rounds = static_cast<uint32_t>(
        std::min(rounds, (options.rounds - result.rounds) / run.instances + 1));
    run.stress = launches % 2 ? stress : 0;
    run.seed = mix(options.seed + mix(launches));
    launch(entry, run, floor.seats + run.stress, arena);
    collect(entry, floor, memory, result);
    const double took = secondsSince(begun) - before;
    const double next = std::min(0.2, std::max(0.0, seconds - before - took));
    rounds = static_cast<uint64_t>(
        std::min(20.0 * run.rounds, run.rounds * next / took) + 1);
  }
  for (size_t gpu = 0; gpu < gpus; ++gpu) {
    ginWindowDestroy(windows[gpu]);
    ginMemoryFree(comms[gpu], memory[gpu]);
  }
  result.seconds = secondsSince(begun);
  return result;
}

//===----------------------------------------------------------------------===//
// What came out
//===----------------------------------------------------------------------===//

static bool holds(const Pattern &pattern, const std::vector<int64_t> &values) {
  return std::all_of(
      pattern.terms.begin(), pattern.terms.end(),
      [&](const auto &term) { return values[term.first] == term.second; });
}

static bool anyHolds(const std::vector<Pattern> &patterns,
                     const std::vector<int64_t> &values) {
  return std::any_of(
      patterns.begin(), patterns.end(),
      [&](const Pattern &pattern) { return holds(pattern, values); });
}

static bool isForbidden(const Entry &entry,
                        const std::vector<int64_t> &values) {
  return anyHolds(entry.forbid, values) ||
         (entry.exact && !anyHolds(entry.allow, values));
}

namespace {
struct Summary {
  std::string outcomes, unseen;
  uint64_t forbidden = 0;
};
} // namespace

static Summary summarise(const Entry &entry, const Result &result) {
  Summary summary;
  std::vector<std::pair<uint64_t, std::string>> rows;
  for (const auto &[values, count] : result.outcomes) {
    std::string text;
    for (size_t i = 0; i < values.size(); ++i)
      text +=
          (i ? " " : "") + entry.observed[i] + "=" + std::to_string(values[i]);
    if (isForbidden(entry, values)) {
      summary.forbidden += count;
      text += " (forbidden)";
    }
    rows.push_back(
        {count, (text.empty() ? "-" : text) + ": " + std::to_string(count)});
  }
  std::sort(rows.rbegin(), rows.rend());
  constexpr size_t most = 6;
  for (size_t i = 0; i < std::min(rows.size(), most); ++i)
    summary.outcomes += (i ? ", " : "") + rows[i].second;
  if (rows.size() > most)
    summary.outcomes +=
        ", and " + std::to_string(rows.size() - most) + " others";
  if (result.lost)
    summary.outcomes += ", without room: " + std::to_string(result.lost);
  for (const Pattern &pattern : entry.allow) {
    const bool seen = std::any_of(
        result.outcomes.begin(), result.outcomes.end(),
        [&](const auto &outcome) { return holds(pattern, outcome.first); });
    if (!seen)
      summary.unseen += (summary.unseen.empty() ? "" : ", ") + pattern.text;
  }
  return summary;
}

static Options readOptions(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    auto text = [&](const char *option, std::string &value) {
      const size_t length = std::strlen(option);
      if (word.compare(0, length, option) != 0)
        return false;
      value = word.substr(length);
      return true;
    };
    auto number = [&](const char *option, auto &value) {
      std::string digits;
      if (!text(option, digits))
        return false;
      if (digits.empty() ||
          digits.find_first_not_of("0123456789") != std::string::npos)
        fail(word + ": a whole number is needed");
      value = static_cast<std::decay_t<decltype(value)>>(
          std::strtoull(digits.c_str(), nullptr, 10));
      return true;
    };
    if (word == "--must-show")
      options.mustShow = true;
    else if (number("--rounds=", options.rounds) ||
             number("--seconds=", options.seconds) ||
             number("--instances=", options.instances) ||
             number("--gpus=", options.gpus) ||
             number("--seed=", options.seed) ||
             text("--control=", options.control) ||
             text("--markdown=", options.markdown))
      ;
    else if (word[0] == '-')
      fail("there is no option " + word);
    else
      options.names.push_back(word);
  }
  if (options.gpus < 1 || options.gpus > gin::directRanks)
    fail("--gpus is from 1 to " + std::to_string(gin::directRanks));
  return options;
}

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv);
  if (lacksRanks(static_cast<int>(options.gpus)))
    return 77;
  std::vector<Entry> chosen;
  for (const Entry &entry : entries())
    if (options.names.empty() ||
        std::find(options.names.begin(), options.names.end(), entry.name) !=
            options.names.end())
      chosen.push_back(entry);
  if (chosen.empty())
    fail("there is no such program");
  std::sort(chosen.begin(), chosen.end(),
            [](const Entry &a, const Entry &b) { return a.name < b.name; });

  std::ostringstream table;
  table << "| program | ranks | rounds | outcomes | allowed, not seen | "
           "forbidden |\n|---|---|---|---|---|---|\n";
  Machine machine(options);
  const auto begun = std::chrono::steady_clock::now();
  uint64_t rounds = 0, forbidden = 0, failures = 0, lost = 0;
  size_t showed = 0, complete = 0;
  for (size_t i = 0; i < chosen.size(); ++i) {
    const Entry &entry = chosen[i];
    // Who has done all rounds leaves its time to the others.
    const double share = (double(options.seconds) - secondsSince(begun)) /
                         double(chosen.size() - i);
    const Result result = machine.play(entry, share);
    const Summary summary = summarise(entry, result);
    rounds += result.rounds;
    forbidden += summary.forbidden;
    failures += result.failures;
    lost += result.lost;
    showed += summary.forbidden != 0;
    complete += result.rounds >= options.rounds;
    std::cout << entry.name << ": " << result.rounds << " rounds in "
              << result.seconds << " s: " << summary.outcomes
              << (summary.unseen.empty() ? "" : "; not seen: ")
              << summary.unseen;
    if (summary.forbidden)
      std::cout << "; FORBIDDEN: " << summary.forbidden;
    if (result.failures)
      std::cout << "; FAILED: " << result.error;
    std::cout << std::endl;
    table << "| " << entry.name << " | " << entry.shape.ranks << " | "
          << result.rounds << " | " << summary.outcomes
          << (result.failures ? " **" + result.error + "**" : "") << " | "
          << summary.unseen << " | " << summary.forbidden << " |\n";
  }
  std::ostringstream total;
  total << chosen.size() << " programs, " << rounds << " rounds, " << complete
        << " of them all " << options.rounds << ", " << secondsSince(begun)
        << " s: " << forbidden << " forbidden outcomes, of " << showed
        << " programs; " << failures << " failures";
  std::cout << total.str() << '\n';
  if (!options.markdown.empty()) {
    std::ofstream file(options.markdown);
    file << (options.control.empty() ? "## As emitted"
                                     : "## Control: " + options.control)
         << "\n\n"
         << total.str() << ".\n\n"
         << table.str();
    if (!file.flush())
      fail("cannot write " + options.markdown);
  }
  if (failures)
    return 1;
  if (options.control.empty())
    return forbidden != 0 || lost != 0;
  return options.mustShow && showed == 0;
}
