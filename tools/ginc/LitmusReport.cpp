//===- LitmusReport.cpp - what ginc litmus says -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LitmusReport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace ginc;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Expectations
//===----------------------------------------------------------------------===//

/// Findings that end a run with an error, and what its message says then.
static constexpr std::pair<StringRef, StringRef> errorKinds[] = {
    {"out-of-bounds", "is out of bounds"},
    {"access-right", "only its own rank may touch it"},
    {"access-right", "does not allow remote"},
    {"overlap", "overlap in window"},
};

static bool isExpected(const LitmusTest &test, StringRef message) {
  return llvm::any_of(errorKinds, [&](const auto &kind) {
    return test.expects(kind.first) && message.contains(kind.second);
  });
}

static bool expectsError(const LitmusTest &test) {
  return llvm::any_of(
      errorKinds, [&](const auto &kind) { return test.expects(kind.first); });
}

static bool wasSeen(const Histogram &histogram, const OutcomePattern &pattern) {
  return llvm::any_of(histogram.outcomes, [&](const auto &outcome) {
    return pattern.holds(outcome.first);
  });
}

bool LitmusReport::allSeen() const {
  return llvm::all_of(test.allow,
                      [&](const OutcomePattern &pattern) {
                        return wasSeen(histogram, pattern);
                      }) &&
         (!test.expects("deadlock") || histogram.deadlocks.count) &&
         (!test.expects("unconsumed-signal") || test.expects("deadlock") ||
          histogram.unconsumed.count);
}

/// "r=1 y[0]@1=2".
static std::string describe(const LitmusTest &test, ArrayRef<int64_t> values) {
  std::string text;
  for (auto [place, value] : llvm::zip(test.observed, values))
    text +=
        (text.empty() ? "" : " ") + place.name + "=" + std::to_string(value);
  return text.empty() ? "(nothing is observed)" : text;
}

static std::string replay(uint64_t seed) {
  return " (replay with --seeds 1 --seed " + std::to_string(seed) + ")";
}

std::vector<std::string> LitmusReport::failures() const {
  std::vector<std::string> found;
  if (!checked)
    return found;
  for (const auto &[values, sighting] : histogram.outcomes)
    if (test.forbids(values))
      found.push_back("forbidden outcome seen: " + describe(test, values) +
                      replay(sighting.seed));
  bool enough = histogram.runs >= litmusSeeds;
  for (const OutcomePattern &pattern : test.allow)
    if (enough && !wasSeen(histogram, pattern))
      found.push_back("allowed outcome not seen: " + pattern.text);
  bool deadlock = test.expects("deadlock");
  if (enough && deadlock && !histogram.deadlocks.count)
    found.push_back("no deadlock seen");
  if (!deadlock && histogram.deadlocks.count)
    found.push_back("deadlock" + replay(histogram.deadlocks.seed) + ": " +
                    llvm::join(histogram.deadlock, "; "));
  bool unconsumed = test.expects("unconsumed-signal");
  if (enough && !deadlock && unconsumed && !histogram.unconsumed.count)
    found.push_back("no unconsumed signal seen");
  if (!deadlock && !unconsumed && histogram.unconsumed.count)
    found.push_back("unconsumed signal" + replay(histogram.unconsumed.seed));
  int64_t expected = 0;
  for (const auto &[message, sighting] : histogram.errors) {
    if (isExpected(test, message))
      expected += sighting.count;
    else
      found.push_back("error" + replay(sighting.seed) + ": " + message);
  }
  if (expectsError(test) && expected < histogram.runs)
    found.push_back("a run ended without the expected error");
  return found;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static StringRef statusOf(const LitmusReport &report,
                          ArrayRef<int64_t> values) {
  if (!report.checked)
    return "";
  if (report.test.forbids(values))
    return "forbidden";
  bool allowed =
      llvm::any_of(report.test.allow, [&](const OutcomePattern &pattern) {
        return pattern.holds(values);
      });
  return allowed ? "allowed" : "";
}

static void printRow(raw_ostream &os, const Sighting &sighting, StringRef text,
                     size_t width, StringRef status) {
  os << llvm::format("%9llu", (unsigned long long)sighting.count) << "  "
     << llvm::left_justify(text, width) << "  " << llvm::left_justify(status, 9)
     << "  seed " << sighting.seed << '\n';
}

static void printRows(raw_ostream &os, const LitmusReport &report) {
  std::vector<std::pair<std::string, const Sighting *>> rows;
  std::vector<StringRef> states;
  auto add = [&](std::string text, const Sighting &sighting, StringRef status) {
    rows.push_back({std::move(text), &sighting});
    states.push_back(status);
  };
  const Histogram &histogram = report.histogram;
  for (const auto &[values, sighting] : histogram.outcomes)
    add(describe(report.test, values), sighting, statusOf(report, values));
  if (histogram.deadlocks.count)
    add("(deadlock)", histogram.deadlocks,
        report.test.expects("deadlock") ? "expected" : "");
  if (histogram.unconsumed.count)
    add("(unconsumed signal)", histogram.unconsumed,
        report.test.expects("unconsumed-signal") ? "expected" : "");
  for (const auto &[message, sighting] : histogram.errors)
    add("(error: " + message + ")", sighting,
        isExpected(report.test, message) ? "expected" : "");
  size_t width = 0;
  for (const auto &[text, sighting] : rows)
    width = std::max(width, std::min<size_t>(text.size(), 72));
  for (auto [row, status] : llvm::zip(rows, states))
    printRow(os, *row.second, row.first, width, status);
}

void ginc::printLitmus(raw_ostream &os, const LitmusReport &report,
                       bool quiet) {
  const LitmusTest &test = report.test;
  std::vector<std::string> failures = report.failures();
  if (!quiet) {
    os << test.name << ": " << test.ranks
       << (test.ranks == 1 ? " rank, " : " ranks, ");
    if (test.launches > 1)
      os << test.launches << " launches, ";
    os << report.histogram.runs << " seeds from " << report.seed << '\n';
    printRows(os, report);
    if (!test.verdict.empty())
      os << "verdict: " << llvm::join(test.verdict, ", ") << '\n';
  }
  for (const std::string &failure : failures)
    os << report.file << ": " << failure << '\n';
  if (!report.checked)
    os << "not checked: the expectations are for other numbers of ranks or "
          "launches\n";
  else if (quiet)
    os << (failures.empty() ? "ok      " : "FAILED  ") << test.name << '\n';
  else
    os << (failures.empty() ? "ok" : "FAILED") << '\n';
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void printSighting(llvm::json::OStream &json, const Sighting &sighting) {
  json.attribute("count", sighting.count);
  json.attribute("seed", sighting.seed);
}

void ginc::printLitmus(llvm::json::OStream &json, const LitmusReport &report) {
  const LitmusTest &test = report.test;
  const Histogram &histogram = report.histogram;
  json.objectBegin();
  json.attribute("file", report.file);
  json.attribute("name", test.name);
  json.attribute("ranks", test.ranks);
  json.attribute("launches", test.launches);
  json.attribute("seeds", histogram.runs);
  json.attribute("seed", report.seed);
  json.attributeArray("outcomes", [&] {
    for (const auto &[values, sighting] : histogram.outcomes)
      json.object([&, &values = values, &sighting = sighting] {
        json.attributeObject("values", [&] {
          for (auto [place, value] : llvm::zip(test.observed, values))
            json.attribute(place.name, value);
        });
        json.attribute("status", statusOf(report, values));
        printSighting(json, sighting);
      });
  });
  json.attributeObject("deadlocks",
                       [&] { printSighting(json, histogram.deadlocks); });
  json.attributeObject("unconsumed",
                       [&] { printSighting(json, histogram.unconsumed); });
  json.attributeArray("errors", [&] {
    for (const auto &[message, sighting] : histogram.errors)
      json.object([&, &message = message, &sighting = sighting] {
        json.attribute("message", message);
        printSighting(json, sighting);
      });
  });
  json.attribute("checked", report.checked);
  json.attributeArray("failures", [&] {
    for (const std::string &failure : report.failures())
      json.value(failure);
  });
  json.attribute("compileMs", report.compileMs);
  json.attribute("runMs", report.runMs);
  json.objectEnd();
}
