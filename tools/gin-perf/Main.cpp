//===- Main.cpp - gin-perf ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tools/gin-perf/Report.h"
#include "tools/gin-perf/Rig.h"

#include <algorithm>
#include <cstdio>

using namespace ginperf;

int main(int argc, char **argv) {
  const Options options = parse(argc, argv);
  size_t sourceBytes = 0, targetBytes = 0;
  auto fit = [&](size_t bytes, unsigned messages) {
    sourceBytes = std::max(sourceBytes, bytes);
    targetBytes = std::max(targetBytes, bytes * messages);
  };
  fit(std::max<size_t>(options.latencyMaxSize, 16), 1);
  if (options.bandwidth)
    for (size_t bytes = options.minSize; bytes <= options.maxSize;
         bytes *= options.step)
      fit(bytes, messagesOf(options, bytes));
  const unsigned ctas =
      *std::max_element(options.ctas.begin(), options.ctas.end());
  Rig rig(options, sourceBytes, targetBytes, ctas * options.threads);

  std::string command;
  for (int i = 0; i < argc; ++i)
    command +=
        (i ? " " : "") + (i ? std::string(argv[i]) : std::string("gin-perf"));
  std::printf("%s\n%s\n", command.c_str(), rig.machine().c_str());
  std::printf("medians of %u interleaved repetitions; times are round trips; "
              "ratio: gin / by hand\n",
              options.repetitions);
  Report report;
  if (options.latency)
    measureLatency(rig, options, report);
  if (options.bandwidth)
    measureBandwidth(rig, options, report);
  if (!options.json.empty() &&
      !report.writeJson(options.json, rig.machine(), command)) {
    std::fprintf(stderr, "gin-perf: cannot write %s\n", options.json.c_str());
    return 1;
  }
  if (report.anyBad()) {
    std::fprintf(stderr, "gin-perf: data were wrong, see the last column\n");
    return 1;
  }
  return 0;
}
