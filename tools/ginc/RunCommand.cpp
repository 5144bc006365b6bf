//===- RunCommand.cpp - ginc run --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads the program, plans and fills its arguments, starts the reference beside
// everything that follows, compiles, simulates, compares, and only then writes
// what was asked for.
//
//===----------------------------------------------------------------------===//

#include "RunCommand.h"

#include "Arguments.h"
#include "Check.h"
#include "Contract.h"
#include "Crash.h"
#include "Diagnostics.h"
#include "HostSteps.h"
#include "Machine.h"
#include "Outputs.h"
#include "Program.h"
#include "Reference.h"
#include "Report.h"
#include "RunOptions.h"
#include "Settings.h"
#include "Source.h"
#include "TargetRun.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

#include <new>

using namespace ginc;
using namespace mlir;

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin)
      .count();
}

/// Where neither the command line nor the program says how many.
constexpr int64_t defaultRanks = 4;

/// One `ginc run`. Each step reports its errors.
class Run {
public:
  explicit Run(RunOptions options) : options(std::move(options)) {}
  int execute();

private:
  LogicalResult prepare();
  void protectInputs();
  LogicalResult openOutputs();
  LogicalResult compile();
  LogicalResult simulate();
  LogicalResult compileForTarget();
  LogicalResult compare();
  LogicalResult compareExpected(const Assignment &expected, bool ran);
  LogicalResult writeOutputs();
  LogicalResult report();

  RunOptions options;
  Clock::time_point begin = Clock::now();
  int64_t ranks = 1;

  // In the order of construction; later ones refer to earlier ones.
  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
  std::unique_ptr<Source> source;
  func::FuncOp entry;
  std::string entryName;
  Settings settings;
  std::unique_ptr<sim::Simulator> simulator;
  std::unique_ptr<Arguments> arguments;
  std::unique_ptr<Reference> reference;
  std::unique_ptr<Program> program;
  std::unique_ptr<TargetRun> target; ///< instead
  std::unique_ptr<Remarks> remarks;  ///< of its compilation
  Outputs outputs;
  Check check;
  RunReport result;
};

} // namespace

//===----------------------------------------------------------------------===//
// Before the run
//===----------------------------------------------------------------------===//

LogicalResult Run::prepare() {
  registerForCompilation(registry);
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  // The source line says it better than the generic form of the op.
  context->printOpOnDiagnostic(false);
  Clock::time_point readFrom = Clock::now();
  source = Source::load(options.file, *context);
  result.compileMs = millisecondsSince(readFrom);
  if (!source)
    return failure();
  entry = findEntry(*source, options.entry);
  if (!entry)
    return failure();
  entryName = entry.getSymName().str();
  FailureOr<Settings> read = readSettings(*source, entry, options);
  if (failed(read))
    return failure();
  settings = std::move(*read);
  ranks = settings.ranks.value_or(defaultRanks);
  if (failed(checkMachine(source->module(), options, ranks)))
    return failure();

  arguments = std::make_unique<Arguments>(*source, settings, ranks);
  if (failed(arguments->plan(entry)))
    return failure();
  protectInputs();
  if (failed(openOutputs()))
    return failure();

  simulator = std::make_unique<sim::Simulator>(makeMachine(options, ranks));
  if (failed(arguments->allocate(*simulator)))
    return failure();
  if (options.check && settings.reference) {
    reference = std::make_unique<Reference>(*settings.reference);
    return reference->start(*arguments, options, ranks);
  }
  return success();
}

/// What the run reads must not be what it writes.
void Run::protectInputs() {
  if (options.file != "-")
    outputs.protect(options.file, "the program");
  for (const std::string &library : options.libraries)
    outputs.protect(library, "what --load " + library + " reads");
  if (options.check && settings.reference)
    outputs.protect(settings.reference->value, "the program's reference");
  arguments->forEachFile([&](StringRef file, StringRef origin) {
    outputs.protect(file, "what " + origin.str() + " reads");
  });
  for (const Assignment &expected : options.expects)
    for (int64_t rank = 0; rank < (dependsOnRank(expected.value) ? ranks : 1);
         ++rank)
      outputs.protect(expandRank(expected.value, rank),
                      "what --expect " + expected.name + "=" + expected.value +
                          " reads");
}

/// Finds out early about arguments that are none, files that do not fit and
/// places that cannot be written.
LogicalResult Run::openOutputs() {
  for (const Assignment &expected : options.expects)
    if (!arguments->findArray(expected.name, "expect") ||
        failed(compareExpected(expected, /*ran=*/false)))
      return failure();
  for (const Assignment &out : options.outs) {
    if (!arguments->findArray(out.name, "out"))
      return failure();
    if (ranks > 1 && !dependsOnRank(out.value))
      return error("--out " + out.name + "=" + out.value + ": each of the " +
                   Twine(ranks) + " ranks has its own %" + out.name +
                   "; put %r, the rank, into the file's name");
    for (int64_t rank = 0; rank < (dependsOnRank(out.value) ? ranks : 1);
         ++rank)
      if (failed(outputs.open(expandRank(out.value, rank))))
        return failure();
  }
  if (!options.trace.empty())
    return outputs.open(options.trace);
  return success();
}

LogicalResult Run::compileForTarget() {
  KernelOptions kernel;
  static_cast<ProgramOptions &>(kernel) = options;
  kernel.threads = options.threads;
  target = std::make_unique<TargetRun>(
      kernel,
      options.target == RunOptions::Target::Host ? "host" : options.arch, ranks,
      options.blocks);
  remarks = std::make_unique<Remarks>(*context);
  return target->compile(*source, entryName);
}

LogicalResult Run::compile() {
  Clock::time_point from = Clock::now();
  if (options.target != RunOptions::Target::Simulator) {
    LogicalResult compiled = compileForTarget();
    result.compileMs += millisecondsSince(from);
    return compiled;
  }
  program = std::make_unique<Program>(
      source->module(), entry, CompileOptions{options, options.libraries});
  if (failed(program->expandCollectives()) ||
      failed(arguments->allocateInternal(entry, *simulator)))
    return failure();
  if (failed(program->compile()))
    return failure();
  result.compileMs += millisecondsSince(from);
  return success();
}

//===----------------------------------------------------------------------===//
// The run and what comes after
//===----------------------------------------------------------------------===//

LogicalResult Run::simulate() {
  if (target)
    return target->launch(*source, arguments->all(), options.repeat);
  sim::Step launch;
  launch.body = [this](int64_t rank) {
    beginRank(rank);
    (*program)(arguments->pack(rank));
  };
  HostSteps host(arguments->all(), ranks, options.launchBarrier != "never");
  std::vector<sim::Step> steps = host.around(launch, options.repeat);

  Progress progress(!options.quiet, ranks * steps.size());
  simulator->onProgress(
      [&](uint64_t ended, uint64_t puts) { progress.show(ended, puts); });
  sim::Outcome outcome;
  {
    ProgramRuns running(source->text());
    outcome = simulator->run(steps);
  }
  progress.clear();
  if (outcome.status == sim::Status::Ok) {
    host.restore();
    return success();
  }
  source->runTimeError(outcome.site, outcome.message, outcome.details);
  return failure();
}

/// Compares with --expect; before the run, only whether the files fit.
LogicalResult Run::compareExpected(const Assignment &expected, bool ran) {
  const Argument &argument = *arguments->findArray(expected.name, "expect");
  Tolerance tolerance{options.atol.value_or(0), options.rtol.value_or(0)};
  std::string file, option = "--expect " + expected.name + "=" + expected.value;
  std::optional<NpyArray> wanted;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    if (!wanted || dependsOnRank(expected.value)) {
      file = expandRank(expected.value, rank);
      llvm::Expected<NpyArray> read = readNpy(file);
      if (!read)
        return error(option + ": " + llvm::toString(read.takeError()));
      wanted = std::move(*read);
    }
    std::string misfit = Check::findMisfit(argument, rank, *wanted, file);
    if (!misfit.empty())
      return error(option + ": " + misfit);
    if (ran)
      check.compare(argument, rank, *wanted, tolerance, file);
  }
  return success();
}

LogicalResult Run::compare() {
  if (reference) {
    if (failed(reference->compare(*arguments, options, ranks, check)))
      return failure();
    result.against.push_back(reference->name().str());
  }
  for (const Assignment &expected : options.expects) {
    if (failed(compareExpected(expected, /*ran=*/true)))
      return failure();
    result.against.push_back(expected.value);
  }
  result.compared = check.names();
  result.matches = check.passed();
  return success();
}

LogicalResult Run::writeOutputs() {
  for (const Assignment &out : options.outs) {
    const Argument &argument = *arguments->findArray(out.name, "out");
    for (int64_t rank = 0; rank < ranks; ++rank)
      if (failed(outputs.write(
              expandRank(out.value, rank), [&](llvm::raw_ostream &os) {
                writeNpy(os, argument.element->npyType(), argument.shapes[rank],
                         {argument.data[rank], argument.bytes(rank)});
              })))
        return failure();
  }
  if (!options.trace.empty() &&
      failed(outputs.writeStream(
          options.trace, [&](std::ostream &os) { simulator->writeTrace(os); })))
    return failure();
  if (uint64_t dropped = simulator->droppedTraceRecords())
    warning("the trace ends early: " + Twine(dropped) +
            " records more than it holds were dropped");
  return success();
}

LogicalResult Run::report() {
  result.program = options.file == "-" ? "<stdin>" : options.file;
  result.entry = entryName;
  result.ranks = ranks;
  result.repeat = options.repeat;
  if (target) {
    result.target = options.target == RunOptions::Target::Host
                        ? "threads of the host"
                        : "GPUs";
    result.notes = remarks->texts();
  } else {
    result.seed = options.seed;
    result.total = simulator->total();
    result.traffic = simulator->stats();
    result.virtualTime = simulator->virtualTime();
    result.events = simulator->events();
    result.notes = program->remarks();
  }
  result.totalMs = millisecondsSince(begin);
  return print([&](llvm::raw_ostream &os) {
    if (options.stats == StatsForm::Json) {
      printJson(os, result);
    } else if (result.matches && !options.quiet) {
      printSummary(os, result);
      if (options.stats == StatsForm::Table)
        printStatsTable(os, result);
    }
  });
}

int Run::execute() {
  if (failed(prepare()) || failed(compile()))
    return BadInput;
  Clock::time_point launched = Clock::now();
  if (failed(simulate()))
    return ProgramFailed;
  result.runMs = millisecondsSince(launched);
  if (failed(compare()))
    return BadInput;
  if (result.matches && failed(writeOutputs()))
    return BadInput;
  // Files come last: they are there only if all else went well.
  LogicalResult reported = report();
  if (failed(check.report(ranks)))
    return ProgramFailed;
  return succeeded(reported) && succeeded(outputs.commit()) ? Success
                                                            : BadInput;
}

int ginc::runCommand(ArrayRef<const char *> arguments) {
  int exitCode;
  std::optional<RunOptions> options = parseRunOptions(arguments, exitCode);
  if (!options)
    return exitCode;
  try {
    return Run(std::move(*options)).execute();
  } catch (const std::bad_alloc &) {
    (void)error(
        "out of memory; choose smaller sizes with --dims or fewer ranks");
    return BadInput;
  }
}
