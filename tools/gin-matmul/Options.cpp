//===- Options.cpp - the command line of gin-matmul -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tools/gin-matmul/Options.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <getopt.h>

using namespace ginmatmul;

const char *ginmatmul::name(Mode mode) {
  return mode == Mode::Multiply ? "multiply"
                                : (mode == Mode::Gather ? "gather" : "scatter");
}

static const char usage[] =
    "gin-matmul [check] [multiply] [gather] [scatter] [options]: matmuls of\n"
    "gin's device functions and of cuBLAS in the same run, interleaved, all\n"
    "results verified. No word means all four.\n"
    "  check     odd shapes, layouts, types and alignments against loops\n"
    "  multiply  C[m,n] = A[m,k] B[k,n] on one GPU\n"
    "  gather    all ranks' A[m,k], gathered while it is multiplied, times B\n"
    "  scatter   sum over ranks of A[m,k] B[k,n], each rank a part of the "
    "rows\n"
    "  -s, --shape M,K,N[:M,K,N...]  instead of the usual ones of each mode\n"
    "  -r, --repetitions N           medians are of so many (11)\n"
    "  -t, --columns N[,N...]        of a tile: 128, 192, 224, 256 (by shape)\n"
    "  -c, --ctas N[,N...]           CTAs that send rows of A; 0: spare warps "
    "of\n"
    "                                those that compute (0,4,12)\n"
    "      --pace N[,N...]           cycles from one of their pieces to the "
    "next\n"
    "                                (5300)\n"
    "      --chunk ROWS,COLUMNS      of A that are signalled together "
    "(4096,2048)\n"
    "      --timeout MS              of every wait (5000)\n"
    "      --devices I,J[,...]       CUDA devices (0,1)\n";

[[noreturn]] static void wrong(const char *option, const char *value) {
  std::fprintf(stderr, "gin-matmul: %s does not take '%s'\n%s", option, value,
               usage);
  std::exit(2);
}

static std::vector<int> listOf(const char *option, const char *text,
                               char separator = ',') {
  std::vector<int> list;
  for (const char *at = text;;) {
    char *end;
    const long value = std::strtol(at, &end, 10);
    if (end == at || value < 0 || value > 1 << 24)
      wrong(option, text);
    list.push_back(static_cast<int>(value));
    if (!*end)
      return list;
    if (*end != separator)
      wrong(option, text);
    at = end + 1;
  }
}

/// Shapes "m,k,n:m,k,n" of one mode.
static void addShapes(Mode mode, const std::string &text,
                      std::vector<Case> &cases) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(':', at), text.size());
    const std::vector<int> sizes =
        listOf("--shape", text.substr(at, end - at).c_str());
    if (sizes.size() != 3)
      wrong("--shape", text.c_str());
    cases.push_back({mode, sizes[0], sizes[1], sizes[2]});
    at = end + 1;
  }
}

static const char *usualShapes(Mode mode) {
  switch (mode) {
  case Mode::Multiply:
    return "2048,4096,4096:8192,8192,896:8192,8192,1792:8192,8192,4096";
  case Mode::Gather:
    return "1024,4096,4096:4096,8192,896:4096,8192,1792";
  default:
    return "8192,896,8192:8192,1792,8192";
  }
}

Options ginmatmul::parse(int argc, char **argv) {
  enum { Chunk = 256, Pace, Timeout, Devices };
  static const option table[] = {
      {"shape", required_argument, nullptr, 's'},
      {"repetitions", required_argument, nullptr, 'r'},
      {"columns", required_argument, nullptr, 't'},
      {"chunk", required_argument, nullptr, Chunk},
      {"ctas", required_argument, nullptr, 'c'},
      {"pace", required_argument, nullptr, Pace},
      {"timeout", required_argument, nullptr, Timeout},
      {"devices", required_argument, nullptr, Devices},
      {"help", no_argument, nullptr, 'h'},
      {nullptr, 0, nullptr, 0}};
  Options options;
  std::string shapes;
  auto one = [](const char *option) {
    const std::vector<int> list = listOf(option, optarg);
    if (list.size() != 1 || list[0] == 0)
      wrong(option, optarg);
    return list[0];
  };
  int c;
  while ((c = getopt_long(argc, argv, "s:r:t:c:h", table, nullptr)) != -1) {
    switch (c) {
    case 's':
      shapes = optarg;
      break;
    case 'r':
      options.repetitions = static_cast<unsigned>(one("--repetitions"));
      break;
    case 't':
      options.columns = listOf("--columns", optarg);
      break;
    case Chunk: {
      const std::vector<int> sizes = listOf("--chunk", optarg);
      if (sizes.size() != 2 || sizes[0] == 0 || sizes[1] == 0 ||
          sizes[1] % 64 != 0)
        wrong("--chunk", optarg);
      options.chunkRows = sizes[0];
      options.chunkColumns = sizes[1];
      break;
    }
    case 'c':
      options.ctas = listOf("--ctas", optarg);
      break;
    case Pace:
      options.paces = listOf("--pace", optarg);
      break;
    case Timeout:
      options.timeout = uint64_t(one("--timeout")) * 1'000'000;
      break;
    case Devices:
      options.devices = listOf("--devices", optarg);
      break;
    case 'h':
      std::fputs(usage, stdout);
      std::exit(0);
    default:
      std::exit(2);
    }
  }
  std::vector<Mode> modes;
  for (; optind < argc; ++optind) {
    if (!std::strcmp(argv[optind], "check"))
      options.check = true;
    else if (!std::strcmp(argv[optind], "multiply"))
      modes.push_back(Mode::Multiply);
    else if (!std::strcmp(argv[optind], "gather"))
      modes.push_back(Mode::Gather);
    else if (!std::strcmp(argv[optind], "scatter"))
      modes.push_back(Mode::Scatter);
    else
      wrong("gin-matmul", argv[optind]);
  }
  if (modes.empty() && !options.check) {
    options.check = true;
    modes = {Mode::Multiply, Mode::Gather, Mode::Scatter};
  }
  for (Mode mode : modes)
    addShapes(mode, shapes.empty() ? usualShapes(mode) : shapes, options.cases);
  return options;
}
