//===- Faults.cpp - emitted programs that come to no good end -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   gin-faults DATA [--markdown=FILE]
//
// Launches messages.mlir with peers that fall silent, are not launched, or are
// aborted, and compares the error with the line of DATA/messages.mlir that it
// is about. Exit status: 0 as expected, 1 not, 2 bad usage, 77 no GPUs.
//
//===----------------------------------------------------------------------===//

#include "programs/messages.h"
#include "test/gpu/Platform.h"
#include "test/gpu/programs/Cases.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

using namespace gintest;

namespace {

constexpr int ranks = 2;
constexpr size_t bytes = 64 * sizeof(int32_t);

/// One launch of the program on ranks that send so many of `rounds` messages.
struct Messages {
  Messages(int64_t rounds, int64_t sent0, int64_t sent1, const char *timeout);
  ~Messages();
  Messages(const Messages &) = delete;
  Messages &operator=(const Messages &) = delete;
  ginResult_t launch(int rank) {
    return messages_launch(programs[rank], &arguments[rank], 0, streams[rank]);
  }
  ginResult_t launch() {
    const ginResult_t result = launch(0);
    return result ? result : launch(1);
  }
  ginResult_t synchronize() {
    ginResult_t result = GIN_SUCCESS;
    for (ginComm_t comm : comms)
      if (ginResult_t next = ginCommSynchronize(comm))
        result = next;
    return result;
  }

  ginComm_t comms[ranks];
  messages_t programs[ranks];
  messages_arguments arguments[ranks];
  void *streams[ranks], *memory[ranks][2];
};

/// What is expected of an error.
struct Expected {
  ginResult_t result;
  std::string line; // a part of it
};

/// Rows of the table, and how many are wrong.
class Report {
public:
  explicit Report(const std::string &data);
  void add(const std::string &what, const Expected &expected,
           Messages &messages, ginResult_t result, double ms,
           const std::string &wrong = "");
  void note(const std::string &what, ginResult_t result, double ms);
  int finish(const std::string &markdown);

private:
  void row(const std::string &what, const std::string &result, double ms,
           const std::string &wrong);
  std::vector<std::string> source;
  std::ostringstream table;
  int right = 0, wrong = 0;
};

} // namespace

Messages::Messages(int64_t rounds, int64_t sent0, int64_t sent1,
                   const char *timeout) {
  setenv("GIN_TIMEOUT", timeout, 1);
  need(createComms(ranks, comms), "communicator");
  for (int rank = 0; rank < ranks; ++rank) {
    streams[rank] = createStream(comms[rank]);
    ginWindow_t windows[2];
    for (int i = 0; i < 2; ++i) {
      need(ginMemoryAlloc(comms[rank], bytes, &memory[rank][i]), "memory");
      need(ginWindowRegister(comms[rank], memory[rank][i], bytes, GIN_RIGHT_ALL,
                             &windows[i]),
           "window");
    }
    arguments[rank] = {windows[0], windows[1], rounds, rank ? sent1 : sent0};
  }
  for (int rank = 0; rank < ranks; ++rank)
    need(messages_create(comms[rank], &arguments[rank], &programs[rank]),
         "program");
}

Messages::~Messages() {
  for (int rank = 0; rank < ranks; ++rank) {
    destroyStream(comms[rank], streams[rank]);
    messages_destroy(programs[rank]);
  }
  for (int rank = 0; rank < ranks; ++rank) {
    ginWindowDestroy(arguments[rank].x);
    ginWindowDestroy(arguments[rank].y);
    for (void *part : memory[rank])
      ginMemoryFree(comms[rank], part);
  }
  for (ginComm_t comm : comms)
    ginCommDestroy(comm);
}

Report::Report(const std::string &data) {
  std::ifstream file(data + "/messages.mlir");
  for (std::string line; std::getline(file, line);)
    source.push_back(line);
  if (source.empty())
    fail("cannot read " + data + "/messages.mlir");
  table << "| what | result | ms | wrong |\n|---|---|---|---|\n";
}

void Report::row(const std::string &what, const std::string &result, double ms,
                 const std::string &message) {
  std::cout << (message.empty() ? "pass " : "FAIL ") << what << ": " << result
            << ", " << ms << " ms" << (message.empty() ? "" : ": " + message)
            << std::endl;
  table << "| " << what << " | " << result << " | " << ms << " | " << message
        << " |\n";
  ++(message.empty() ? right : wrong);
}

void Report::note(const std::string &what, ginResult_t result, double ms) {
  row(what, ginResultName(result), ms, "");
}

void Report::add(const std::string &what, const Expected &expected,
                 Messages &messages, ginResult_t result, double ms,
                 const std::string &found) {
  std::string message = found;
  auto check = [&](bool holds, const std::string &problem) {
    if (!holds)
      message += (message.empty() ? "" : "; ") + problem;
  };
  std::string text = ginResultName(result);
  check(result == expected.result,
        std::string("not ") + ginResultName(expected.result));
  ginError_t error = {};
  ginCommGetAsyncError(messages.comms[0], &error);
  if (error.result) {
    const size_t line = static_cast<size_t>(error.line);
    text += " at messages.mlir:" + std::to_string(error.line) + ", " +
            error.operation + ", " + std::to_string(error.have) + " of " +
            std::to_string(error.want);
    const std::string file = error.file;
    check(file == "messages.mlir", "the error names the file '" + file + "'");
    check(line >= 1 && line <= source.size() &&
              source[line - 1].find(expected.line) != std::string::npos,
          "the line has no " + expected.line);
    check(error.have + 1 == error.want, "the counts of the wait");
    check(messages.launch(0) == expected.result,
          "the next launch does not say so");
  }
  row(what, text, ms, message);
}

int Report::finish(const std::string &markdown) {
  std::cout << right << " passed, " << wrong << " failed\n";
  if (!markdown.empty()) {
    std::ofstream file(markdown);
    file << right << " as expected, " << wrong << " not.\n\n" << table.str();
    if (!file.flush())
      fail("cannot write " + markdown);
  }
  return wrong == 0 ? 0 : 1;
}

static double msSince(std::chrono::steady_clock::time_point begun) {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - begun)
      .count();
}

static void timeOuts(Report &report) {
  const Expected wait = {GIN_ERR_TIMEOUT, "gin.wait %arrived[0]"};
  for (int64_t sent1 : {37, 0}) {
    Messages messages(100, 37, sent1, "1");
    const auto begun = std::chrono::steady_clock::now();
    need(messages.launch(), "launch");
    const ginResult_t result = messages.synchronize();
    const double ms = msSince(begun);
    report.add(sent1 ? "both ranks fall silent; time-out of 1 s"
                     : "one rank never signals; time-out of 1 s",
               wait, messages, result, ms,
               ms < 1000 ? "it came too early" : "");
  }
  Messages messages(100, 100, 100, "1");
  const auto begun = std::chrono::steady_clock::now();
  need(messages.launch(0), "launch");
  const ginResult_t result = messages.synchronize();
  report.add("one rank is not launched; time-out of 1 s",
             {GIN_ERR_TIMEOUT, "func.func @messages"}, messages, result,
             msSince(begun));
}

static void aborts(Report &report) {
  for (int caller = 0; caller < ranks; ++caller) {
    Messages messages(100, 37, 37, "0");
    need(messages.launch(), "launch");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const bool early = ginCommGetAsyncError(messages.comms[0], nullptr) != 0;
    const auto begun = std::chrono::steady_clock::now();
    need(ginCommAbort(messages.comms[caller]), "abort");
    const ginResult_t result = messages.synchronize();
    const double ms = msSince(begun);
    report.add("both wait without a time-out; aborted by rank " +
                   std::to_string(caller),
               {GIN_ERR_ABORTED, "gin.wait %arrived[0]"}, messages, result, ms,
               early                   ? "an error before the abort"
               : ms > 100 * slowness() ? "it took too long"
                                       : "");
  }
  // Waits that soon succeed do not look at the flag, which is far away: a
  // launch may also end by itself.
  const int64_t rounds = 1'000'000 / slowness();
  Messages messages(rounds, rounds, rounds, "0");
  need(messages.launch(), "launch");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto begun = std::chrono::steady_clock::now();
  need(ginCommAbort(messages.comms[0]), "abort");
  const ginResult_t result = messages.synchronize();
  report.note("aborted amid " + std::to_string(rounds) +
                  " messages (any result)",
              result, msSince(begun));
}

/// The same machine, after all that.
static void success(Report &report) {
  constexpr int32_t rounds = 1000;
  Messages messages(rounds, rounds, rounds, "60");
  const auto begun = std::chrono::steady_clock::now();
  need(messages.launch(), "launch");
  const ginResult_t result = messages.synchronize();
  const double ms = msSince(begun);
  std::string wrong;
  for (int rank = 0; rank < ranks; ++rank) {
    int32_t last = -1;
    need(ginMemoryCopy(messages.comms[rank], &last, messages.memory[rank][1],
                       sizeof last),
         "copy");
    if (last != rounds - 1)
      wrong = "rank " + std::to_string(rank) + " has " + std::to_string(last) +
              ", not " + std::to_string(rounds - 1);
  }
  report.add("a new communicator; 1000 messages", {GIN_SUCCESS, ""}, messages,
             result, ms, wrong);
}

int main(int argc, char **argv) {
  std::string data, markdown;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.compare(0, 11, "--markdown=") == 0)
      markdown = word.substr(11);
    else if (word[0] != '-' && data.empty())
      data = word;
    else
      fail("usage: gin-faults DATA [--markdown=FILE]");
  }
  if (data.empty())
    fail("usage: gin-faults DATA [--markdown=FILE]");
  if (lacksRanks(2))
    return 77;
  Report report(data);
  timeOuts(report);
  aborts(report);
  success(report);
  return report.finish(markdown);
}
