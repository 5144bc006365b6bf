//===- LitmusRun.cpp - runs of a litmus program, and their sum --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LitmusRun.h"

#include "Contract.h"
#include "Crash.h"
#include "Diagnostics.h"
#include "dialect/Gin.h"

#include "mlir/IR/MLIRContext.h"

#include <cstring>

using namespace ginc;
using namespace mlir;

using Kind = Argument::Kind;

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

LogicalResult LitmusRunner::planArguments(Source &source, func::FuncOp entry) {
  RunOptions options;
  options.ranks = test.ranks;
  FailureOr<Settings> read = readSettings(source, entry, options);
  if (failed(read))
    return failure();
  settings = std::move(*read);
  plan = std::make_unique<Arguments>(source, settings, test.ranks);
  sim::Config config;
  config.ranks = test.ranks;
  model = std::make_unique<sim::Simulator>(config);
  return success(succeeded(plan->plan(entry)) &&
                 succeeded(plan->allocate(*model)));
}

/// Every place that is observed must exist.
LogicalResult LitmusRunner::checkObserved(func::FuncOp entry) const {
  const Argument *plain = nullptr;
  for (const Argument &argument : plan->all()) {
    if (argument.kind != Kind::Memory)
      continue;
    if (plain)
      return entry.emitError()
             << "@" << entry.getSymName() << " has two plain memrefs, %"
             << plain->name << " and %" << argument.name
             << "; a litmus program has one, for registers";
    plain = &argument;
  }
  int64_t room = plain ? *numElements(plain->shapes.front()) : 0;
  if (room < static_cast<int64_t>(test.registers.size()))
    return entry.emitError()
           << "'" << gin::kLitmusAttr << "' of @" << entry.getSymName()
           << " has " << test.registers.size()
           << " registers, but its plain memref has room for " << room;
  for (const Observed &place : test.observed) {
    if (place.window.empty())
      continue;
    auto found = llvm::find_if(plan->all(), [&](const Argument &argument) {
      return argument.kind == Kind::Window && argument.name == place.window;
    });
    if (found == plan->all().end() ||
        place.element >=
            static_cast<int64_t>(*numElements(found->shapes[place.rank])))
      return entry.emitError() << "'" << gin::kLitmusAttr << "' names '"
                               << place.name << "', but there is no such cell";
  }
  for (const Argument &argument : plan->all())
    if (argument.element && argument.element->isFloat() &&
        argument.kind != Kind::Scalar)
      return emitError(argument.location)
             << argument.describe()
             << " has floating-point elements; litmus programs have integers";
  return success();
}

LogicalResult LitmusRunner::prepare(Source &source, func::FuncOp entry) {
  text = source.text();
  if (failed(planArguments(source, entry)) || failed(checkObserved(entry)))
    return failure();
  CompileOptions options;
  options.launchBarrier = "never";
  options.launchBarrierReason = "a litmus program runs as it is";
  auto compile = [&](std::unique_ptr<Program> &code, ModuleOp module,
                     func::FuncOp function) {
    code = std::make_unique<Program>(module, function, options);
    return success(succeeded(code->expandCollectives()) &&
                   succeeded(code->compile()));
  };
  if (func::FuncOp function = test.host) {
    hostModule = source.module().clone();
    function = hostModule->lookupSymbol<func::FuncOp>(function.getSymName());
    if (failed(compile(host, *hostModule, function)))
      return failure();
  }
  entry->removeAttr(gin::kLitmusAttr); // it refers to the host step
  program = std::make_unique<Program>(source.module(), entry, options);
  if (failed(program->expandCollectives()) ||
      failed(plan->allocateInternal(entry, *model)) ||
      failed(program->compile()))
    return failure();

  size_t count = plan->all().size();
  actuals.resize(count);
  values.resize(count * test.ranks);
  for (void *&value : values)
    pointers.push_back(&value);
  auto caller = [this, count](const Program &code) {
    return [this, count, &code](int64_t rank) {
      beginRank(rank);
      code(pointers.data() + rank * count);
    };
  };
  for (int64_t launch = 0; launch < test.launches; ++launch) {
    if (host)
      steps.push_back({caller(*host), /*host=*/true, /*barrier=*/false});
    steps.push_back({caller(*program), /*host=*/false, /*barrier=*/false});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// A run
//===----------------------------------------------------------------------===//

/// Windows, banks and memory of `simulator`, which is new, as the plan says.
void LitmusRunner::makeArguments(sim::Simulator &simulator) {
  for (auto [index, argument] : llvm::enumerate(plan->all())) {
    Actual &actual = actuals[index];
    actual.plan = &argument;
    actual.data.assign(test.ranks, nullptr);
    if (argument.kind == Kind::Scalar)
      continue;
    if (argument.kind == Kind::Bank) {
      actual.record =
          simulator.addBank({argument.name, argument.shapes.front()});
      continue;
    }
    gin_window_t *window = nullptr;
    if (argument.kind == Kind::Window)
      window = simulator.addWindow({argument.name, argument.element->bits(),
                                    argument.shapes, argument.rights,
                                    argument.source});
    else
      actual.memory.assign(argument.bytes(0), 0);
    actual.record = window;
    for (int64_t rank = 0; rank < test.ranks; ++rank) {
      actual.data[rank] =
          window ? static_cast<char *>(simulator.data(window, rank))
                 : actual.memory.data();
      // Scratch windows begin as zeros like all others, so that a value that
      // was read too early is known.
      if (window && !argument.scratch)
        std::memcpy(actual.data[rank], argument.data[rank],
                    argument.bytes(rank));
    }
  }

  size_t count = actuals.size();
  for (auto [index, actual] : llvm::enumerate(actuals)) {
    const Argument &argument = *actual.plan;
    bool array = argument.kind == Kind::Window || argument.kind == Kind::Memory;
    size_t dims = array ? argument.shapes.front().size() : 0;
    actual.words = 3 + 2 * dims;
    actual.descriptor.resize(array ? actual.words * test.ranks : 0);
    for (int64_t rank = 0; rank < test.ranks; ++rank) {
      void *&value = values[rank * count + index];
      if (argument.kind == Kind::Scalar) {
        pointers[rank * count + index] =
            const_cast<uint64_t *>(&argument.scalars[rank]);
        continue;
      }
      if (!array) {
        value = actual.record;
        continue;
      }
      int64_t *words = actual.descriptor.data() + rank * actual.words;
      void *data = actual.data[rank];
      words[0] =
          reinterpret_cast<int64_t>(actual.record ? actual.record : data);
      words[1] = reinterpret_cast<int64_t>(data);
      words[2] = 0;
      int64_t stride = 1;
      for (size_t i = dims; i-- > 0;) {
        words[3 + i] = argument.shapes[rank][i];
        words[3 + dims + i] = stride;
        stride *= words[3 + i];
      }
      value = words;
    }
  }
}

std::vector<int64_t> LitmusRunner::observe() const {
  std::vector<int64_t> found;
  found.reserve(test.observed.size());
  for (const Observed &place : test.observed)
    for (const Actual &actual : actuals) {
      const Argument &argument = *actual.plan;
      if (place.window.empty() ? argument.kind != Kind::Memory
                               : argument.name != place.window)
        continue;
      found.push_back(argument.element->toInteger(
          actual.data[place.rank] + place.element * argument.element->bytes()));
      break;
    }
  return found;
}

void LitmusRunner::run(uint64_t seed, Histogram &histogram) {
  sim::Config config;
  config.ranks = test.ranks;
  config.seed = seed;
  config.off = off;
  sim::Simulator simulator(config);
  makeArguments(simulator);
  sim::Outcome outcome;
  {
    ProgramRuns running(text);
    outcome = simulator.run(steps);
  }
  ++histogram.runs;
  switch (outcome.status) {
  case sim::Status::Unbalanced:
    histogram.unconsumed.note(seed);
    [[fallthrough]];
  case sim::Status::Ok:
    histogram.outcomes[observe()].note(seed);
    break;
  case sim::Status::Deadlock:
    if (histogram.deadlocks.count == 0) {
      histogram.deadlock = outcome.details;
      histogram.deadlock.insert(histogram.deadlock.begin(), outcome.message);
    }
    histogram.deadlocks.note(seed);
    break;
  case sim::Status::Error:
    histogram.errors[outcome.message].note(seed);
    break;
  }
}
