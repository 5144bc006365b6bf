//===- Report.cpp - what ginc run says about a run --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "Memory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

using namespace ginc;
using namespace llvm;
using nlohmann::ordered_json;

/// "1 put", "2 puts".
static std::string plural(uint64_t number, StringRef what) {
  return formatv("{0} {1}{2}", number, what, number == 1 ? "" : "s");
}

//===----------------------------------------------------------------------===//
// For people
//===----------------------------------------------------------------------===//

void ginc::printSummary(raw_ostream &os, const RunReport &report) {
  os << report.program << ": @" << report.entry << " on "
     << plural(report.ranks, "rank");
  if (report.repeat > 1)
    os << ", " << report.repeat << " launches";
  if (report.target.empty()) {
    os << ", seed " << report.seed << '\n';
    const sim::Traffic &total = report.total;
    os << "  moved   " << formatBytes(total.putBytes + total.getBytes) << " in "
       << plural(total.puts, "put");
    if (total.gets > 0)
      os << " and " << plural(total.gets, "get");
    os << ", " << plural(total.signals, "signal") << '\n';
  } else {
    os << ", as a kernel on " << report.target << '\n';
  }
  for (const std::string &note : report.notes)
    os << "  note    " << note << '\n';
  os << "  result  ";
  if (report.compared.empty())
    os << "not compared with anything\n";
  else
    os << join(report.compared, ", ")
       << (report.compared.size() == 1 ? " matches " : " match ")
       << join(report.against, " and ") << '\n';
  os << format("  time    compiled in %.0f ms, ran in %.0f ms\n",
               report.compileMs, report.runMs);
}

void ginc::printStatsTable(raw_ostream &os, const RunReport &report) {
  os << "\n  rank  peer        puts   put bytes        gets   get bytes     "
        "signals\n";
  auto row = [&](StringRef rank, StringRef peer, const sim::Traffic &traffic) {
    os << formatv("{0,6}{1,6}{2,12}{3,12}{4,12}{5,12}{6,12}\n", rank, peer,
                  traffic.puts, traffic.putBytes, traffic.gets,
                  traffic.getBytes, traffic.signals);
  };
  for (auto [rank, stats] : enumerate(report.traffic))
    for (auto [peer, traffic] : enumerate(stats.to))
      if (traffic.puts || traffic.gets || traffic.signals)
        row(std::to_string(rank), std::to_string(peer), traffic);
  row("all", "", report.total);

  os << "\n  rank       waits    barriers       loads      stores  waited µs\n";
  for (auto [rank, stats] : enumerate(report.traffic))
    os << formatv("{0,6}{1,12}{2,12}{3,12}{4,12}", rank, stats.waits,
                  stats.barriers, stats.loads, stats.stores)
       << format("%11.1f\n", stats.waitedNs / 1000.0);
}

//===----------------------------------------------------------------------===//
// For programs
//===----------------------------------------------------------------------===//

static void addTraffic(ordered_json &object, const sim::Traffic &traffic) {
  object["puts"] = traffic.puts;
  object["putBytes"] = traffic.putBytes;
  object["gets"] = traffic.gets;
  object["getBytes"] = traffic.getBytes;
  object["signals"] = traffic.signals;
}

static ordered_json rankJson(const sim::RankStats &stats) {
  ordered_json peers = ordered_json::array();
  for (auto [peer, traffic] : enumerate(stats.to)) {
    if (!traffic.puts && !traffic.gets && !traffic.signals)
      continue;
    ordered_json entry = {{"peer", peer}};
    addTraffic(entry, traffic);
    peers.push_back(entry);
  }
  return {{"waits", stats.waits},       {"barriers", stats.barriers},
          {"loads", stats.loads},       {"stores", stats.stores},
          {"waitedNs", stats.waitedNs}, {"to", peers}};
}

void ginc::printJson(raw_ostream &os, const RunReport &report) {
  ordered_json object = {{"program", report.program},
                         {"entry", report.entry},
                         {"ranks", report.ranks},
                         {"seed", report.seed},
                         {"repeat", report.repeat}};
  object["result"] = report.compared.empty() ? "unchecked"
                     : report.matches        ? "match"
                                             : "mismatch";
  object["compared"] = report.compared;
  object["against"] = report.against;
  object["total"] = ordered_json::object();
  addTraffic(object["total"], report.total);
  object["byRank"] = ordered_json::array();
  for (const sim::RankStats &stats : report.traffic)
    object["byRank"].push_back(rankJson(stats));
  object["notes"] = report.notes;
  object["virtualNs"] = report.virtualTime;
  object["events"] = report.events;
  object["compileMs"] = report.compileMs;
  object["runMs"] = report.runMs;
  object["totalMs"] = report.totalMs;
  os << object.dump(1, ' ', false, ordered_json::error_handler_t::replace)
     << '\n';
}

//===----------------------------------------------------------------------===//
// Progress
//===----------------------------------------------------------------------===//

Progress::Progress(bool enabled, uint64_t allSteps)
    : enabled(enabled && sys::Process::StandardErrIsDisplayed()),
      allSteps(allSteps), begin(std::chrono::steady_clock::now()) {}

void Progress::show(uint64_t steps, uint64_t puts) {
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - begin;
  // Short runs need no line.
  if (!enabled || elapsed.count() < 0.5)
    return;
  errs() << format("\r\033[Krunning: %3.0f %%, %.0f s, ",
                   100.0 * steps / allSteps, elapsed.count())
         << plural(puts, "put");
  shown = true;
}

void Progress::clear() {
  if (shown)
    errs() << "\r\033[K";
  shown = false;
}
