//===- Options.cpp - the command line of gin-perf -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tools/gin-perf/Options.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <getopt.h>

using namespace ginperf;

const char *ginperf::name(Scope scope) {
  return scope == Scope::Thread ? "thread"
                                : (scope == Scope::Warp ? "warp" : "block");
}
const char *ginperf::name(Mechanism mechanism) {
  return mechanism == Mechanism::Registers
             ? "registers"
             : (mechanism == Mechanism::Bulk ? "bulk" : "copy-engine");
}

std::vector<PutShape> ginperf::putShapes(const Options &options) {
  std::vector<PutShape> shapes;
  for (Scope scope : options.scopes)
    for (size_t bytes = options.minSize; bytes <= options.latencyMaxSize;
         bytes *= options.step) {
      // One thread takes milliseconds for what is not its task.
      if (scope == Scope::Thread && bytes > 16384)
        break;
      // By hand there are only words of 8 bytes.
      if (bytes % 8 == 0)
        shapes.push_back({scope, bytes,
                          scope == Scope::Thread ? 1
                          : scope == Scope::Warp ? 32
                                                 : options.threads});
    }
  return shapes;
}

static const char usage[] =
    "gin-perf [latency] [bandwidth] [options]: communication between two GPUs\n"
    "by gin's device API, and by hand-written loops of the same strength in "
    "the\n"
    "same run. The ratio is theirs. Neither word means both.\n"
    "  -b, --min_size BYTES         smallest message; suffixes K, M, G (8)\n"
    "  -e, --max_size BYTES         largest message (1G; of latency, 64K)\n"
    "  -f, --step FACTOR            from one size to the next (8)\n"
    "  -n, --iters N                round trips (4000), messages (at most "
    "200)\n"
    "  -w, --warmup_iters N         round trips before the clock starts (200)\n"
    "  -r, --repetitions N          medians are of so many, interleaved (5)\n"
    "  -c, --ctas N[,N...]          CTAs that put (1,4,8,16)\n"
    "  -t, --threads_per_cta N      (512)\n"
    "  -s, --scope thread|warp|block|all  who performs a put; bandwidth: "
    "block\n"
    "      --mechanism registers|bulk|copy-engine|all  (all)\n"
    "      --bidir                  both GPUs put\n"
    "      --msgrate                one signal after all messages; rates\n"
    "      --devices I,J            CUDA devices (0,1)\n"
    "      --json FILE              results, for plot.py\n";

[[noreturn]] static void wrong(const char *option, const char *value) {
  std::fprintf(stderr, "gin-perf: %s does not take '%s'\n%s", option, value,
               usage);
  std::exit(2);
}

static size_t sizeOf(const char *option, const char *text) {
  char *end;
  double value = std::strtod(text, &end);
  size_t unit = 1;
  if (*end && std::strchr("kK", *end))
    unit = size_t(1) << 10;
  else if (*end && std::strchr("mM", *end))
    unit = size_t(1) << 20;
  else if (*end && std::strchr("gG", *end))
    unit = size_t(1) << 30;
  if (end == text || (unit != 1 ? end[1] : *end) || value < 0 || value > 1e12)
    wrong(option, text);
  return static_cast<size_t>(value * static_cast<double>(unit));
}

static std::vector<unsigned> listOf(const char *option, const char *text) {
  std::vector<unsigned> list;
  for (const char *at = text;;) {
    char *end;
    unsigned long value = std::strtoul(at, &end, 10);
    if (end == at || value > 4096)
      wrong(option, text);
    list.push_back(static_cast<unsigned>(value));
    if (!*end)
      return list;
    if (*end != ',')
      wrong(option, text);
    at = end + 1;
  }
}

Options ginperf::parse(int argc, char **argv) {
  enum { Bidir = 256, MsgRate, Devices, Json, MechanismOption };
  static const option table[] = {
      {"min_size", required_argument, nullptr, 'b'},
      {"max_size", required_argument, nullptr, 'e'},
      {"step", required_argument, nullptr, 'f'},
      {"iters", required_argument, nullptr, 'n'},
      {"warmup_iters", required_argument, nullptr, 'w'},
      {"repetitions", required_argument, nullptr, 'r'},
      {"ctas", required_argument, nullptr, 'c'},
      {"threads_per_cta", required_argument, nullptr, 't'},
      {"scope", required_argument, nullptr, 's'},
      {"mechanism", required_argument, nullptr, MechanismOption},
      {"bidir", no_argument, nullptr, Bidir},
      {"msgrate", no_argument, nullptr, MsgRate},
      {"devices", required_argument, nullptr, Devices},
      {"json", required_argument, nullptr, Json},
      {"help", no_argument, nullptr, 'h'},
      {nullptr, 0, nullptr, 0}};
  Options options;
  auto number = [](const char *option) {
    return static_cast<unsigned>(sizeOf(option, optarg));
  };
  int c;
  while ((c = getopt_long(argc, argv, "b:e:f:n:w:r:c:t:s:h", table, nullptr)) !=
         -1) {
    switch (c) {
    case 'b':
      options.minSize = sizeOf("--min_size", optarg);
      break;
    case 'e':
      options.maxSize = options.latencyMaxSize = sizeOf("--max_size", optarg);
      break;
    case 'f':
      options.step = sizeOf("--step", optarg);
      if (options.step < 2)
        wrong("--step", optarg);
      break;
    case 'n':
      options.iters = number("--iters");
      break;
    case 'w':
      options.warmup = number("--warmup_iters");
      break;
    case 'r':
      options.repetitions = number("--repetitions");
      if (options.repetitions == 0)
        wrong("--repetitions", optarg);
      break;
    case 'c':
      options.ctas = listOf("--ctas", optarg);
      break;
    case 't':
      options.threads = number("--threads_per_cta");
      if (options.threads == 0 || options.threads % 32 ||
          options.threads > 1024)
        wrong("--threads_per_cta", optarg);
      break;
    case 's':
      if (!std::strcmp(optarg, "thread"))
        options.scopes = {Scope::Thread};
      else if (!std::strcmp(optarg, "warp"))
        options.scopes = {Scope::Warp};
      else if (!std::strcmp(optarg, "block"))
        options.scopes = {Scope::Block};
      else if (std::strcmp(optarg, "all"))
        wrong("--scope", optarg);
      break;
    case MechanismOption:
      if (!std::strcmp(optarg, "registers"))
        options.mechanisms = {Mechanism::Registers};
      else if (!std::strcmp(optarg, "bulk"))
        options.mechanisms = {Mechanism::Bulk};
      else if (!std::strcmp(optarg, "copy-engine"))
        options.mechanisms = {Mechanism::CopyEngine};
      else if (std::strcmp(optarg, "all"))
        wrong("--mechanism", optarg);
      break;
    case Bidir:
      options.bidir = true;
      break;
    case MsgRate:
      options.msgrate = true;
      break;
    case Devices: {
      std::vector<unsigned> list = listOf("--devices", optarg);
      if (list.size() != 2)
        wrong("--devices", optarg);
      options.devices.assign(list.begin(), list.end());
      break;
    }
    case Json:
      options.json = optarg;
      break;
    case 'h':
      std::fputs(usage, stdout);
      std::exit(0);
    default:
      std::exit(2);
    }
  }
  for (; optind < argc; ++optind) {
    if (!std::strcmp(argv[optind], "latency"))
      options.latency = true;
    else if (!std::strcmp(argv[optind], "bandwidth"))
      options.bandwidth = true;
    else
      wrong("gin-perf", argv[optind]);
  }
  if (!options.latency && !options.bandwidth)
    options.latency = options.bandwidth = true;
  if (options.minSize < 1 || options.minSize > options.maxSize)
    wrong("--min_size", std::to_string(options.minSize).c_str());
  return options;
}
