//===- Simulator.cpp - N ranks on a hostile network -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Simulator.h"

#include "runtime/sim/Engine.h"
#include "runtime/sim/Trace.h"

#include <ostream>

using namespace ginc::sim;

Simulator::Simulator(Config config)
    : engine(std::make_unique<Engine>(std::move(config))) {}

Simulator::~Simulator() = default;

gin_window_t *Simulator::addWindow(WindowSpec spec) {
  return engine->addWindow(std::move(spec));
}

void *Simulator::data(gin_window_t *window, int64_t rank) {
  return window->parts.at(static_cast<size_t>(rank)).base;
}

gin_bank_t *Simulator::addBank(BankSpec spec) {
  return engine->addBank(std::move(spec));
}

Outcome Simulator::run(const std::vector<Step> &steps) {
  return engine->run(steps);
}

void Simulator::onProgress(std::function<void(uint64_t, uint64_t)> report) {
  engine->onProgress(std::move(report));
}

uint64_t Simulator::virtualTime() const {
  return engine->virtualTime() / psPerNs;
}

uint64_t Simulator::events() const { return engine->eventCount(); }

const Traffic &Simulator::total() const { return engine->totalTraffic(); }

const std::vector<RankStats> &Simulator::stats() const {
  return engine->rankStats();
}

void Simulator::writeTrace(std::ostream &os) const {
  if (const Trace *trace = engine->recorded())
    trace->write(os);
  else
    os << "{\"traceEvents\":[]}\n";
}

uint64_t Simulator::droppedTraceRecords() const {
  const Trace *trace = engine->recorded();
  return trace ? trace->dropped() : 0;
}
