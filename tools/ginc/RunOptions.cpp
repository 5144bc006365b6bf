//===- RunOptions.cpp - the command line of ginc run ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RunOptions.h"

#include "CommandLine.h"
#include "Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/Option.h"

#include <cmath>
#include <set>

using namespace ginc;
using namespace llvm;
using namespace llvm::opt;

namespace {

#define OPTTABLE_STR_TABLE_CODE
#include "tools/ginc/RunOptions.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "tools/ginc/RunOptions.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "tools/ginc/RunOptions.inc"
#undef OPTION
};

constexpr opt::OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "tools/ginc/RunOptions.inc"
#undef OPTION
};

class RunTable : public opt::GenericOptTable {
public:
  RunTable()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, optionInfos) {
    setDashDashParsing(true);
  }
};

} // namespace

static constexpr Help help = {
    "run FILE --ranks N [options]",
    "Compiles the gin program in FILE (MLIR text or bytecode, `-` for "
    "standard\n"
    "input), runs it on N simulated ranks and compares what it computed with "
    "the\n"
    "program's reference. Defaults come from the attribute gin.run of the "
    "function.",
    R"(EXAMPLES:
  Run an example with its own sizes and data, and check it:
    ginc run examples/all-to-all.mlir --ranks 4
  Other sizes, and another behaviour of the network:
    ginc run examples/all-to-all.mlir --ranks 7 --dims m=1000 --seed 3
  Own data; each of the ranks writes y.0.npy, y.1.npy, ...:
    ginc run prog.mlir --ranks 2 --arg x=in.%r.npy --out y=y.%r.npy
  A hundred launches, and a timeline to open in https://ui.perfetto.dev:
    ginc run prog.mlir --ranks 4 --repeat 100 --trace run.json

EXIT CODES:
  0  the program ran, and its results are right where they were compared
  1  the program failed: wrong results, deadlock, run-time error
  2  bad usage or bad input

docs/ginc.md has the details: sizes, data, references, traces.
)"};

namespace {
/// Turns parsed arguments into RunOptions; every function reports its error.
class Reader {
public:
  explicit Reader(const opt::InputArgList &parsed) : parsed(parsed) {}

  LogicalResult read(RunOptions &options);

private:
  LogicalResult readTolerance(ID id, std::optional<double> &tolerance);
  LogicalResult readAssignments(ID id, std::vector<Assignment> &assignments);
  LogicalResult readGrid(std::vector<int64_t> &grid);
  LogicalResult readStats(StatsForm &stats);
  LogicalResult readProgram(RunOptions &options);
  LogicalResult readMachine(RunOptions &options);
  LogicalResult readTarget(RunOptions &options);
  LogicalResult checkMix(const RunOptions &options);

  const opt::InputArgList &parsed;
};
} // namespace

LogicalResult Reader::readTolerance(ID id, std::optional<double> &tolerance) {
  const opt::Arg *argument = parsed.getLastArg(id);
  if (!argument)
    return success();
  StringRef text = argument->getValue();
  double number;
  if (text.getAsDouble(number) || !std::isfinite(number) || number < 0)
    return error("--" + argument->getOption().getName() +
                 " must be a number of 0 or more, not '" + text + "'");
  tolerance = number;
  return success();
}

LogicalResult Reader::readAssignments(ID id,
                                      std::vector<Assignment> &assignments) {
  std::set<StringRef> seen;
  for (const opt::Arg *argument : parsed.filtered(id)) {
    StringRef option = argument->getOption().getName();
    StringRef text = argument->getValue();
    auto [name, value] = text.split('=');
    // `%x` is how the program spells the name.
    name.consume_front("%");
    if (name.empty() || value.empty())
      return error("--" + option + " takes <name>=<value>, not '" + text + "'");
    if (!seen.insert(name).second)
      return error("--" + option + " gives '" + name + "' twice");
    assignments.push_back({name.str(), value.str()});
  }
  return success();
}

LogicalResult Reader::readGrid(std::vector<int64_t> &grid) {
  const opt::Arg *argument = parsed.getLastArg(OPT_grid);
  if (!argument)
    return success();
  SmallVector<StringRef> parts;
  StringRef(argument->getValue()).split(parts, 'x');
  for (StringRef part : parts) {
    int64_t extent;
    if (part.getAsInteger(10, extent) || extent < 1 || extent > maxRanks ||
        parts.size() > 8)
      return error("--grid must be extents such as 2x3, not '" +
                   Twine(argument->getValue()) + "'");
    grid.push_back(extent);
  }
  return success();
}

LogicalResult Reader::readStats(StatsForm &stats) {
  const opt::Arg *argument = parsed.getLastArg(OPT_stats, OPT_stats_EQ);
  if (!argument)
    return success();
  std::string form = "table";
  if (argument->getOption().matches(OPT_stats_EQ))
    form = argument->getValue();
  if (parsed.hasArg(OPT_stats) && parsed.hasArg(OPT_stats_EQ))
    return error("--stats is given twice: as it is, and as '" + form + "'");
  if (form != "table" && form != "json")
    return error("--stats must be table or json, not '" + form + "'");
  stats = form == "json" ? StatsForm::Json : StatsForm::Table;
  return success();
}

LogicalResult Reader::readProgram(RunOptions &options) {
  if (failed(readProgramOptions(parsed,
                                {OPT_INPUT, OPT_entry, OPT_algorithm,
                                 OPT_launch_barrier, OPT_launch_barrier_reason},
                                help, options)))
    return failure();
  int64_t ranks = 0;
  if (failed(readNumber(parsed, OPT_ranks, 1, maxRanks, ranks)) ||
      failed(readNumber(parsed, OPT_repeat, 1, maxLaunches, options.repeat)))
    return failure();
  if (ranks > 0)
    options.ranks = ranks;
  options.libraries = parsed.getAllArgValues(OPT_load);
  return success();
}

LogicalResult Reader::readMachine(RunOptions &options) {
  if (const opt::Arg *argument = parsed.getLastArg(OPT_seed))
    if (StringRef(argument->getValue()).getAsInteger(0, options.seed))
      return error("--seed must be a whole number from 0 to 2^64 - 1, not '" +
                   Twine(argument->getValue()) + "'");
  std::string network = "hostile";
  if (failed(readChoice(parsed, OPT_network, {"hostile", "calm"}, network)) ||
      failed(readNumber(parsed, OPT_lsa_size, 1, maxRanks, options.lsaSize)) ||
      failed(readGrid(options.grid)))
    return failure();
  options.calm = network == "calm";
  return success();
}

LogicalResult Reader::readTarget(RunOptions &options) {
  std::string target = "sim";
  options.arch = parsed.getLastArgValue(OPT_arch, options.arch).str();
  if (failed(readChoice(parsed, OPT_target, {"sim", "host", "cuda"}, target)))
    return failure();
  if (target == "host")
    options.threads = 64; // each is a fiber
  if (failed(readNumber(parsed, OPT_threads, 32, 1024, options.threads)) ||
      failed(readNumber(parsed, OPT_blocks, 1, 65535, options.blocks)))
    return failure();
  if (options.threads % 32 != 0)
    return error("--threads must be a multiple of 32, not " +
                 Twine(options.threads));
  options.target = target == "sim"    ? RunOptions::Target::Simulator
                   : target == "host" ? RunOptions::Target::Host
                                      : RunOptions::Target::Cuda;
  // What only one kind of run has.
  const bool simulates = target == "sim";
  SmallVector<ID> others{OPT_arch, OPT_threads, OPT_blocks};
  if (!simulates)
    others = {OPT_seed,  OPT_network,  OPT_lsa_size, OPT_stats,
              OPT_trace, OPT_stats_EQ, OPT_grid,     OPT_load};
  for (ID id : others)
    if (const opt::Arg *argument = parsed.getLastArg(id))
      return error("option '" + argument->getOption().getPrefixedName() +
                   (simulates
                        ? "' needs --target=host or cuda"
                        : "' is for simulated ranks; leave out --target"));
  if (options.target == RunOptions::Target::Cuda && options.arch == "host")
    return error("--arch=host is no GPU; --target=host runs the kernel on "
                 "threads of the CPU");
  return success();
}

/// Options that make no sense together, or without another.
LogicalResult Reader::checkMix(const RunOptions &options) {
  if (!options.check && options.expects.empty() &&
      (options.atol || options.rtol))
    return error("--atol and --rtol have nothing to compare: --no-check is "
                 "given, and no --expect");
  if (options.quiet && options.stats != StatsForm::None)
    return error("--quiet and --stats exclude each other");
  return success();
}

LogicalResult Reader::read(RunOptions &options) {
  if (failed(checkNotEmpty(parsed, {OPT_load, OPT_trace})) ||
      failed(readProgram(options)) || failed(readMachine(options)) ||
      failed(readTarget(options)) ||
      failed(readAssignments(OPT_dims, options.dims)) ||
      failed(readAssignments(OPT_arg, options.args)) ||
      failed(readAssignments(OPT_out, options.outs)) ||
      failed(readAssignments(OPT_expect, options.expects)) ||
      failed(readTolerance(OPT_atol, options.atol)) ||
      failed(readTolerance(OPT_rtol, options.rtol)) ||
      failed(readStats(options.stats)))
    return failure();
  options.check = !parsed.hasArg(OPT_no_check);
  options.quiet = parsed.hasArg(OPT_quiet);
  options.trace = parsed.getLastArgValue(OPT_trace).str();
  return checkMix(options);
}

std::optional<RunOptions>
ginc::parseRunOptions(ArrayRef<const char *> arguments, int &exitCode) {
  RunTable table;
  std::optional<opt::InputArgList> parsed =
      parseCommandLine(table,
                       {OPT_color,
                        OPT_help,
                        OPT_UNKNOWN,
                        {OPT_arg, OPT_dims, OPT_expect, OPT_load, OPT_out}},
                       arguments, help, exitCode);
  if (!parsed)
    return std::nullopt;
  RunOptions options;
  exitCode = BadInput;
  if (failed(Reader(*parsed).read(options)))
    return std::nullopt;
  return options;
}
