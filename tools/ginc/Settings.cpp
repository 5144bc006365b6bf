//===- Settings.cpp - what a run is given, and by whom ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Settings.h"

#include "CommandLine.h"
#include "Diagnostics.h"
#include "dialect/Gin.h"
#include "passes/analysis/EntryFunctions.h"

#include "llvm/ADT/StringExtras.h"

using namespace ginc;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Setting
//===----------------------------------------------------------------------===//

LogicalResult Setting::error(const Twine &message) const {
  if (location)
    return emitError(*location) << origin << ": " << message.str();
  return ginc::error(origin + ": " + message);
}

LogicalResult Setting::error(const SizeError &wrong) const {
  if (location)
    return error(wrong.message + ", in '" + wrong.text + "'");
  return errorInText(origin + ": " + wrong.message, wrong.text, wrong.column);
}

/// Who is to blame for a value of the program's: a size from the command line,
/// where one was used.
const Setting &Settings::blame(const Setting &setting,
                               const Sizes &sizes) const {
  if (!setting.location)
    return setting;
  for (const std::string &name : sizes.lastUsed()) {
    auto found = dims.find(name);
    if (found != dims.end() && !found->second.location)
      return found->second;
  }
  return setting;
}

LogicalResult Settings::error(const Setting &setting, const Sizes &sizes,
                              const SizeError &wrong) const {
  auto found = dims.find(wrong.size);
  const Setting &place = found == dims.end() ? setting : found->second;
  const Setting &blamed = wrong.inValue ? blame(place, sizes) : place;
  if (&blamed == &place)
    return place.error(wrong);
  return blamed.error(wrong.message + ", in '" + wrong.text + "' of " +
                      place.origin);
}

LogicalResult Settings::error(const Setting &setting, const Sizes &sizes,
                              const Twine &message) const {
  const Setting &blamed = blame(setting, sizes);
  if (&blamed == &setting)
    return setting.error(message);
  return blamed.error(message + ", by " + setting.origin);
}

LogicalResult Settings::checkAllUsed(const Sizes &sizes,
                                     ArrayRef<std::string> arguments) const {
  for (const auto &[name, setting] : dims) {
    if (setting.location || setting.overrides || sizes.wasUsed(name) ||
        llvm::is_contained(arguments, name))
      continue;
    std::vector<std::string> known(arguments.begin(), arguments.end());
    for (const auto &[other, otherSetting] : dims)
      if (other != name)
        known.push_back(other);
    return setting.error("the program has no size of this name" +
                         didYouMean(name, known));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The entry
//===----------------------------------------------------------------------===//

/// "@f, @g and @h".
static std::string listFunctions(ArrayRef<func::FuncOp> functions) {
  std::string list;
  for (size_t i = 0; i < functions.size(); ++i) {
    func::FuncOp function = functions[i];
    if (i > 0)
      list += i + 1 == functions.size() ? " and " : ", ";
    list += "@" + function.getSymName().str();
  }
  return list;
}

static LogicalResult checkEntry(func::FuncOp entry) {
  if (entry.getNumResults() > 0)
    return entry.emitError()
           << "the entry @" << entry.getSymName()
           << " returns values, which a rank has nowhere to put; write them to "
              "a window or another memref instead";
  return success();
}

func::FuncOp ginc::findEntry(Source &source, StringRef name) {
  SmallVector<func::FuncOp> all, withDefaults;
  for (auto function : source.module().getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    all.push_back(function);
    if (function->hasAttr(gin::kRunAttr))
      withDefaults.push_back(function);
  }
  // Public ones that no other calls.
  SmallVector<func::FuncOp> shown = gin::findEntryFunctions(source.module());
  func::FuncOp entry;
  if (!name.empty()) {
    std::vector<std::string> names;
    for (func::FuncOp function : all) {
      names.push_back(function.getSymName().str());
      if (function.getSymName() == name)
        entry = function;
    }
    if (!entry) {
      std::string hint = didYouMean(name, names);
      if (hint.empty() && !all.empty())
        hint = "; it has " + listFunctions(all);
      (void)error("'" + source.name() + "' has no function @" + name + hint);
      return nullptr;
    }
  } else if (shown.size() == 1) {
    entry = shown.front();
  } else if (withDefaults.size() == 1) {
    entry = withDefaults.front();
  } else if (all.empty()) {
    (void)error("'" + source.name() + "' has no function to run");
    return nullptr;
  } else {
    (void)error("'" + source.name() + "' has several functions: " +
                listFunctions(shown.empty() ? all : shown) +
                "; choose one with --entry");
    return nullptr;
  }
  return succeeded(checkEntry(entry)) ? entry : nullptr;
}

//===----------------------------------------------------------------------===//
// gin.run and the command line
//===----------------------------------------------------------------------===//

/// The text of a string or an integer.
static std::optional<std::string> textOf(Attribute attr) {
  if (auto string = dyn_cast<StringAttr>(attr))
    return string.str();
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    return llvm::toString(integer.getValue(), 10, /*Signed=*/true);
  return std::nullopt;
}

static LogicalResult readDictionary(Location location, StringRef key,
                                    Attribute attr,
                                    std::map<std::string, Setting> &settings) {
  auto dictionary = dyn_cast<DictionaryAttr>(attr);
  if (!dictionary)
    return emitError(location) << "'" << key << "' of '" << gin::kRunAttr
                               << "' must be a dictionary";
  for (NamedAttribute entry : dictionary) {
    std::optional<std::string> text = textOf(entry.getValue());
    std::string name = entry.getName().str();
    std::string origin = "'" + name + "' in '" + key.str() + "' of '" +
                         gin::kRunAttr.str() + "'";
    if (!text)
      return emitError(location) << origin << " must be a string or an integer";
    settings[name] = {*text, origin, location};
  }
  return success();
}

static LogicalResult readRanks(Location location, Attribute attr,
                               std::optional<int64_t> &ranks) {
  auto integer = dyn_cast<IntegerAttr>(attr);
  if (!integer || !integer.getValue().isSignedIntN(63) ||
      integer.getInt() < 1 || integer.getInt() > maxRanks)
    return emitError(location) << "'ranks' of '" << gin::kRunAttr
                               << "' must be an integer from 1 to " << maxRanks;
  ranks = integer.getInt();
  return success();
}

static LogicalResult readReference(Source &source, Location location,
                                   Attribute attr,
                                   std::optional<Setting> &reference) {
  auto string = dyn_cast<StringAttr>(attr);
  if (!string || string.empty())
    return emitError(location) << "'reference' of '" << gin::kRunAttr
                               << "' must name a Python script";
  reference = {source.resolve(string.getValue()),
               "'reference' of '" + gin::kRunAttr.str() + "'", location};
  return success();
}

static void override(StringRef option, ArrayRef<Assignment> assignments,
                     std::map<std::string, Setting> &settings) {
  for (const Assignment &assignment : assignments) {
    std::string origin =
        ("--" + option + " " + assignment.name + "=" + assignment.value).str();
    bool overrides = settings.count(assignment.name) > 0;
    settings[assignment.name] = {assignment.value, origin, std::nullopt,
                                 overrides};
  }
}

FailureOr<Settings> ginc::readSettings(Source &source, func::FuncOp entry,
                                       const RunOptions &options) {
  Settings settings;
  Location location = entry.getLoc();
  auto defaults = entry->getAttrOfType<DictionaryAttr>(gin::kRunAttr);
  for (NamedAttribute item :
       defaults ? defaults.getValue() : ArrayRef<NamedAttribute>()) {
    StringRef key = item.getName();
    Attribute value = item.getValue();
    LogicalResult read = failure();
    if (key == "dims")
      read = readDictionary(location, key, value, settings.dims);
    else if (key == "args")
      read = readDictionary(location, key, value, settings.args);
    else if (key == "ranks")
      read = readRanks(location, value, settings.ranks);
    else if (key == "reference")
      read = readReference(source, location, value, settings.reference);
    else
      emitError(location) << "'" << gin::kRunAttr << "' has no key '" << key
                          << "'; there are args, dims, ranks and reference";
    if (failed(read))
      return failure();
  }
  override("dims", options.dims, settings.dims);
  override("arg", options.args, settings.args);
  if (options.ranks)
    settings.ranks = options.ranks;
  return settings;
}

LogicalResult ginc::defineSizes(const Settings &settings,
                                ArrayRef<std::string> arguments, Sizes &sizes) {
  for (const auto &[name, setting] : settings.dims) {
    if (llvm::is_contained(arguments, name))
      continue;
    if (name == "ranks")
      return setting.error("'ranks' is the number of ranks; use --ranks");
    if (Sizes::isReserved(name))
      return setting.error("'" + name +
                           "' has a meaning of its own and cannot "
                           "name a size");
    sizes.define(name, setting.value);
  }
  return success();
}
