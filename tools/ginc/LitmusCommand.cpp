//===- LitmusCommand.cpp - ginc litmus --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LitmusCommand.h"

#include "CommandLine.h"
#include "Diagnostics.h"
#include "LitmusReport.h"

#include "dialect/Gin.h"
#include "runtime/sim/Simulator.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <new>

using namespace ginc;
using namespace mlir;

namespace opt = llvm::opt;
using llvm::opt::DefaultVis; // for the table

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

namespace {

#define OPTTABLE_STR_TABLE_CODE
#include "tools/ginc/LitmusOptions.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "tools/ginc/LitmusOptions.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "tools/ginc/LitmusOptions.inc"
#undef OPTION
};

constexpr opt::OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "tools/ginc/LitmusOptions.inc"
#undef OPTION
};

class LitmusTable : public opt::GenericOptTable {
public:
  LitmusTable()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, optionInfos) {
    setDashDashParsing(true);
  }
};

struct LitmusOptions {
  std::vector<std::string> files;
  int64_t seeds = litmusSeeds, maxSeeds = 0;
  uint64_t seed = 0;
  int64_t ranks = 0, launches = 0; ///< 0: the program's
  std::vector<std::string> off;
  bool json = false, quiet = false;
};

} // namespace

static constexpr Help help = {
    "litmus FILE... [options]",
    "Runs tiny programs on a hostile simulated network, each with many seeds, "
    "and\n"
    "compares what comes out with what the attribute gin.litmus of the "
    "program\n"
    "allows and forbids: every allowed outcome must be seen, no forbidden one.",
    R"(EXAMPLES:
  May a relaxed signal overtake the data?
    ginc litmus test/litmus/mp-relaxed.mlir
  All litmus programs, one line each:
    ginc litmus --quiet test/litmus/*.mlir
  A hundred thousand other runs:
    ginc litmus --seeds 100000 --seed 1000000 test/litmus/mp-plain.mlir

EXIT CODES:
  0  as expected
  1  an outcome, deadlock or error that is not expected, or one that is missing
  2  bad usage or bad input

docs/memory-model.md says how to read the programs.
)"};

static LogicalResult readOptions(const opt::InputArgList &parsed,
                                 LitmusOptions &options) {
  options.files = parsed.getAllArgValues(OPT_INPUT);
  if (options.files.empty())
    return error(Twine("no program; usage: ginc ") + help.usage);
  constexpr int64_t maxRuns = 1'000'000'000'000;
  if (failed(readNumber(parsed, OPT_seeds, 1, maxRuns, options.seeds)) ||
      failed(readNumber(parsed, OPT_max_seeds, 1, maxRuns, options.maxSeeds)) ||
      failed(readNumber(parsed, OPT_ranks, 1, maxRanks, options.ranks)) ||
      failed(readNumber(parsed, OPT_launches, 1, 1'000'000, options.launches)))
    return failure();
  if (const opt::Arg *argument = parsed.getLastArg(OPT_seed))
    if (StringRef(argument->getValue()).getAsInteger(0, options.seed))
      return error("--seed must be a whole number from 0 to 2^64 - 1, not '" +
                   Twine(argument->getValue()) + "'");
  options.off = parsed.getAllArgValues(OPT_off);
  // A simulator that cannot do without a rule does not run.
  sim::Config config;
  config.off = options.off;
  sim::Outcome trial = sim::Simulator(config).run({});
  if (trial.status != sim::Status::Ok)
    return error("--off: " + trial.message);
  options.json = parsed.hasArg(OPT_json);
  options.quiet = parsed.hasArg(OPT_quiet);
  if (options.json && options.quiet)
    return error("--json and --quiet exclude each other");
  return success();
}

//===----------------------------------------------------------------------===//
// One program
//===----------------------------------------------------------------------===//

using Clock = std::chrono::steady_clock;

static double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin)
      .count();
}

/// The function with expectations; reports none or several.
static func::FuncOp findLitmus(Source &source) {
  func::FuncOp found;
  for (auto function : source.module().getOps<func::FuncOp>()) {
    if (!function->hasAttr(gin::kLitmusAttr))
      continue;
    if (found) {
      function.emitError() << "'" << gin::kLitmusAttr << "' stands on @"
                           << found.getSymName()
                           << " already; a file has one litmus program";
      return nullptr;
    }
    found = function;
  }
  if (!found)
    (void)error("'" + source.name() + "' has no function with '" +
                gin::kLitmusAttr + "', which says what is expected of it");
  return found;
}

/// Runs one file; reports errors.
static FailureOr<LitmusReport> runFile(const LitmusOptions &options,
                                       StringRef file,
                                       const DialectRegistry &registry) {
  LitmusReport report;
  report.file = file.str();
  report.seed = options.seed;
  Clock::time_point begin = Clock::now();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  std::unique_ptr<Source> source = Source::load(file, context);
  func::FuncOp entry = source ? findLitmus(*source) : nullptr;
  if (!entry)
    return failure();
  FailureOr<LitmusTest> test = LitmusTest::read(entry);
  if (failed(test))
    return failure();
  report.test = std::move(*test);
  auto replace = [&](int64_t asked, int64_t &number) {
    report.checked &= asked == 0 || asked == number;
    if (asked > 0)
      number = asked;
  };
  replace(options.ranks, report.test.ranks);
  replace(options.launches, report.test.launches);
  LitmusRunner runner(report.test, options.off);
  if (failed(runner.prepare(*source, entry)))
    return failure();
  report.compileMs = millisecondsSince(begin);
  begin = Clock::now();
  int64_t most = std::max(options.seeds, options.maxSeeds);
  for (int64_t i = 0; i < most; ++i) {
    if (i >= options.seeds && report.allSeen())
      break;
    runner.run(options.seed + i, report.histogram);
  }
  report.runMs = millisecondsSince(begin);
  // The functions go with the context.
  report.test.host = nullptr;
  return report;
}

static int runFiles(const LitmusOptions &options) {
  DialectRegistry registry;
  registerForCompilation(registry);
  std::string text; // of a stream that always can be written to
  llvm::raw_string_ostream os(text);
  std::optional<llvm::json::OStream> json; // which must come to have a value
  if (options.json) {
    json.emplace(os, /*IndentSize=*/2);
    json->arrayBegin();
  }
  // False where nobody can read the results.
  auto show = [&] {
    bool shown = succeeded(print([&](raw_ostream &out) { out << text; }));
    text.clear();
    return shown;
  };
  int exitCode = Success;
  size_t passed = 0, different = 0;
  bool shown = true;
  for (const std::string &file : options.files) {
    FailureOr<LitmusReport> report = runFile(options, file, registry);
    if (failed(report)) {
      exitCode = BadInput;
      continue;
    }
    if (json)
      printLitmus(*json, *report);
    else
      printLitmus(os, *report, options.quiet);
    shown = show();
    if (!shown)
      break;
    bool good = report->failures().empty();
    ++(good ? passed : different);
    if (!good && exitCode == Success)
      exitCode = ProgramFailed;
  }
  if (json) {
    json->arrayEnd();
    os << '\n';
  } else if (options.files.size() > 1) {
    os << passed << " passed, " << different << " failed\n";
  }
  shown = shown && show();
  return shown ? exitCode : int(BadInput);
}

int ginc::litmusCommand(ArrayRef<const char *> arguments) {
  LitmusTable table;
  int exitCode;
  std::optional<opt::InputArgList> parsed =
      parseCommandLine(table, {OPT_color, OPT_help, OPT_UNKNOWN, {OPT_off}},
                       arguments, help, exitCode);
  if (!parsed)
    return exitCode;
  LitmusOptions options;
  if (failed(readOptions(*parsed, options)))
    return BadInput;
  try {
    return runFiles(options);
  } catch (const std::bad_alloc &) {
    (void)error("out of memory");
    return BadInput;
  }
}
