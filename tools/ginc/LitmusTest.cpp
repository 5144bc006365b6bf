//===- LitmusTest.cpp - what a litmus program is expected to do -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LitmusTest.h"

#include "RunOptions.h"
#include "dialect/Gin.h"

#include "llvm/ADT/StringExtras.h"

using namespace ginc;
using namespace mlir;

bool LitmusTest::expects(StringRef kind) const {
  return llvm::any_of(verdict, [&](StringRef finding) {
    return finding.split(' ').first == kind;
  });
}

bool LitmusTest::forbids(ArrayRef<int64_t> values) const {
  auto matches = [&](const OutcomePattern &pattern) {
    return pattern.holds(values);
  };
  return llvm::any_of(forbid, matches) ||
         (exact && llvm::none_of(allow, matches));
}

static std::vector<std::string> readStrings(DictionaryAttr entries,
                                            StringRef key) {
  std::vector<std::string> strings;
  if (auto list = entries.getAs<ArrayAttr>(key))
    for (StringAttr string : list.getAsRange<StringAttr>())
      strings.push_back(string.str());
  return strings;
}

/// The place that `name` means, a register or `window[element]@rank`.
FailureOr<size_t> LitmusTest::observe(func::FuncOp entry, StringRef name) {
  for (auto [place, known] : llvm::enumerate(observed))
    if (known.name == name)
      return place;
  auto found = llvm::find(registers, name);
  if (found != registers.end()) {
    observed.push_back({name.str(), "", found - registers.begin()});
    return observed.size() - 1;
  }
  auto [window, rest] = name.split('[');
  auto [element, rank] = rest.split("]@");
  Observed cell{name.str(), window.str(), 0};
  if (window.empty() || element.getAsInteger(10, cell.element) ||
      rank.getAsInteger(10, cell.rank) || cell.element < 0 || cell.rank < 0 ||
      cell.rank >= ranks) {
    entry.emitError() << "'" << gin::kLitmusAttr << "' names '" << name
                      << "', which is neither a register nor a cell, such as "
                         "y[0]@1, of one of "
                      << ranks << " ranks";
    return failure();
  }
  observed.push_back(std::move(cell));
  return observed.size() - 1;
}

LogicalResult LitmusTest::readPatterns(func::FuncOp entry, StringRef key,
                                       std::vector<OutcomePattern> &patterns) {
  auto entries = entry->getAttrOfType<DictionaryAttr>(gin::kLitmusAttr);
  for (const std::string &text : readStrings(entries, key)) {
    OutcomePattern pattern{text, {}};
    for (StringRef term : llvm::split(text, ' ')) {
      if (term.empty()) // the outcome of a program that has none to tell apart
        continue;
      auto [name, number] = term.rsplit('=');
      int64_t value;
      bool digits = !number.empty() && number.ltrim('-').find_first_not_of(
                                           "0123456789") == StringRef::npos;
      if (number.getAsInteger(10, value)) {
        InFlightDiagnostic diagnostic = entry.emitError();
        diagnostic << "'" << key << "' in '" << gin::kLitmusAttr << "' has '"
                   << text << "', ";
        if (digits && !name.empty())
          diagnostic << "in which " << number << " needs more than 64 bits";
        else
          diagnostic << "which is not a list of name=value";
        return diagnostic;
      }
      FailureOr<size_t> place = observe(entry, name);
      if (failed(place))
        return failure();
      for (auto [other, otherValue] : pattern.terms)
        if (other == *place)
          return entry.emitError()
                 << "'" << key << "' in '" << gin::kLitmusAttr << "' has '"
                 << text << "', which gives '" << name << "' twice";
      pattern.terms.push_back({*place, value});
    }
    patterns.push_back(std::move(pattern));
  }
  return success();
}

/// Reports an outcome that is allowed and, by itself or by a part of it,
/// forbidden.
LogicalResult LitmusTest::checkContradictions(func::FuncOp entry) const {
  for (const OutcomePattern &allowed : allow)
    for (const OutcomePattern &forbidden : forbid)
      if (llvm::all_of(forbidden.terms, [&](const auto &term) {
            return llvm::is_contained(allowed.terms, term);
          }))
        return entry.emitError() << "'allow' in '" << gin::kLitmusAttr
                                 << "' has '" << allowed.text << "', which '"
                                 << forbidden.text << "' in 'forbid' forbids";
  return success();
}

/// Reads a number from 1 to `most`, if it is there.
static LogicalResult readEntry(func::FuncOp entry, DictionaryAttr entries,
                               StringRef key, int64_t most, int64_t &number) {
  auto attr = entries.getAs<IntegerAttr>(key);
  if (!attr)
    return success();
  const APInt &value = attr.getValue();
  if (!value.isSignedIntN(63) || value.getSExtValue() < 1 ||
      value.getSExtValue() > most)
    return entry.emitError()
           << "'" << key << "' in '" << gin::kLitmusAttr
           << "' must be an integer from 1 to " << most << ", not "
           << llvm::toString(value, 10, /*Signed=*/true);
  number = value.getSExtValue();
  return success();
}

FailureOr<LitmusTest> LitmusTest::read(func::FuncOp entry) {
  auto entries = entry->getAttrOfType<DictionaryAttr>(gin::kLitmusAttr);
  if (!entries)
    return entry.emitError()
           << "@" << entry.getSymName() << " has no '" << gin::kLitmusAttr
           << "', which says what it is expected to do";
  LitmusTest test;
  test.name = entry.getSymName().str();
  if (failed(readEntry(entry, entries, "ranks", maxRanks, test.ranks)) ||
      failed(readEntry(entry, entries, "launches", maxLaunches, test.launches)))
    return failure();
  if (auto host = entries.getAs<FlatSymbolRefAttr>("host")) {
    test.host = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(entry, host);
    if (!test.host || test.host.isExternal() ||
        test.host.getFunctionType() != entry.getFunctionType())
      return entry.emitError()
             << "the host step " << host
             << " must be a function with a body and with the arguments of @"
             << entry.getSymName();
  }
  test.exact = entries.contains("exact");
  test.registers = readStrings(entries, "registers");
  test.verdict = readStrings(entries, "verdict");
  for (auto [index, name] : llvm::enumerate(test.registers))
    if (llvm::is_contained(ArrayRef(test.registers).take_front(index), name))
      return entry.emitError() << "'registers' in '" << gin::kLitmusAttr
                               << "' names '" << name << "' twice";
  if (failed(test.readPatterns(entry, "allow", test.allow)) ||
      failed(test.readPatterns(entry, "forbid", test.forbid)) ||
      failed(test.checkContradictions(entry)))
    return failure();
  if (test.observed.empty())
    for (const std::string &name : test.registers)
      (void)test.observe(entry, name);
  return test;
}
