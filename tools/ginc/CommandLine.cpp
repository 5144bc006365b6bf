//===- CommandLine.cpp - sub-commands and their options ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>

using namespace ginc;
using namespace llvm;

/// The spelling of an option without its value.
static StringRef optionName(StringRef argument) {
  return argument.take_until([](char c) { return c == '='; });
}

static LogicalResult showHelp(const opt::OptTable &table, const Help &help) {
  std::string usage = ("ginc " + help.usage).str();
  return print([&](raw_ostream &os) {
    table.printHelp(os, usage.c_str(), help.overview.str().c_str());
    os << '\n' << help.epilogue;
  });
}

/// Reports the first option that the table does not have.
static void reportUnknown(const opt::OptTable &table, StringRef argument,
                          StringRef usage) {
  StringRef name = optionName(argument);
  std::string near;
  // Distances are from letter to letter.
  if (name != argument && table.findNearest(name, near) == 0) {
    (void)error("option '" + name + "' takes no value, not even '" +
                argument.drop_front(name.size() + 1) + "'");
    return;
  }
  unsigned distance = table.findNearest(argument, near);
  std::string hint = "see `ginc " + usage.split(' ').first.str() + " --help`";
  // Short names are near to everything.
  if (distance <= 3 && distance < name.size() - 2)
    hint = "did you mean '" + optionName(near).str() + "'?";
  (void)error("unknown option '" + name + "'; " + hint);
}

/// Reports an option that has two values, of which only one can count.
static LogicalResult checkRepetition(const opt::InputArgList &parsed,
                                     ArrayRef<unsigned> repeatable) {
  std::map<unsigned, const opt::Arg *> seen;
  for (const opt::Arg *argument : parsed) {
    opt::Option option = argument->getOption().getUnaliasedOption();
    if (argument->getNumValues() == 0 ||
        option.getKind() == opt::Option::InputClass ||
        is_contained(repeatable, option.getID()))
      continue;
    auto [other, isNew] = seen.try_emplace(option.getID(), argument);
    if (!isNew)
      return error(option.getPrefixedName() + " is given twice: '" +
                   other->second->getValue() + "' and '" +
                   argument->getValue() + "'");
  }
  return success();
}

std::optional<opt::InputArgList>
ginc::parseCommandLine(const opt::OptTable &table, CommonOptions common,
                       ArrayRef<const char *> arguments, const Help &help,
                       int &exitCode) {
  unsigned missingIndex, missingCount;
  opt::InputArgList parsed =
      table.ParseArgs(arguments, missingIndex, missingCount);

  if (const opt::Arg *color = parsed.getLastArg(common.color)) {
    std::optional<ColorMode> mode =
        StringSwitch<std::optional<ColorMode>>(color->getValue())
            .Case("auto", ColorMode::Auto)
            .Case("always", ColorMode::Enable)
            .Case("never", ColorMode::Disable)
            .Default(std::nullopt);
    if (!mode) {
      (void)error("--color must be auto, always or never, not '" +
                  Twine(color->getValue()) + "'");
      exitCode = BadInput;
      return std::nullopt;
    }
    setColors(*mode);
  }
  if (parsed.hasArg(common.help)) {
    exitCode = succeeded(showHelp(table, help)) ? Success : BadInput;
    return std::nullopt;
  }
  exitCode = BadInput;
  for (const opt::Arg *unknown : parsed.filtered(common.unknown)) {
    reportUnknown(table, unknown->getSpelling(), help.usage);
    return std::nullopt;
  }
  if (missingCount > 0) {
    (void)error("option '" + Twine(parsed.getArgString(missingIndex)) +
                "' needs a value");
    return std::nullopt;
  }
  if (failed(checkRepetition(parsed, common.repeatable)))
    return std::nullopt;
  return parsed;
}

/// The edit distance, where two letters that changed places count as one edit.
static unsigned distance(StringRef name, StringRef candidate) {
  std::string swapped = name.str();
  for (size_t i = 0; i + 1 < swapped.size(); ++i) {
    std::swap(swapped[i], swapped[i + 1]);
    if (swapped == candidate && name != candidate)
      return 1;
    std::swap(swapped[i], swapped[i + 1]);
  }
  return name.edit_distance(candidate);
}

LogicalResult ginc::readNumber(const opt::InputArgList &parsed, unsigned id,
                               int64_t low, int64_t high, int64_t &number) {
  const opt::Arg *argument = parsed.getLastArg(id);
  if (!argument)
    return success();
  StringRef text = argument->getValue();
  if (text.getAsInteger(10, number) || number < low || number > high)
    return error("--" + argument->getOption().getName() +
                 " must be a whole number from " + Twine(low) + " to " +
                 Twine(high) + ", not '" + text + "'");
  return success();
}

LogicalResult ginc::readChoice(const opt::InputArgList &parsed, unsigned id,
                               ArrayRef<StringRef> choices,
                               std::string &choice) {
  const opt::Arg *argument = parsed.getLastArg(id);
  if (!argument)
    return success();
  choice = argument->getValue();
  if (is_contained(choices, choice))
    return success();
  return error("--" + argument->getOption().getName() + " must be " +
               join(choices.drop_back(), ", ") + " or " + choices.back() +
               ", not '" + choice + "'");
}

LogicalResult ginc::checkNotEmpty(const opt::InputArgList &parsed,
                                  ArrayRef<unsigned> ids) {
  for (unsigned id : ids)
    for (const opt::Arg *argument : parsed.filtered(id))
      if (StringRef(argument->getValue()).empty())
        return error("option '" + argument->getOption().getPrefixedName() +
                     "' needs a value, not ''");
  return success();
}

std::string ginc::nearest(StringRef name, ArrayRef<std::string> candidates) {
  std::string best;
  // A third of the letters may be wrong, and one in any case.
  unsigned limit = std::max<size_t>(1, name.size() / 3) + 1;
  for (const std::string &candidate : candidates) {
    unsigned edits = distance(name, candidate);
    if (edits < limit) {
      best = candidate;
      limit = edits;
    }
  }
  return best;
}

std::string ginc::didYouMean(StringRef name, ArrayRef<std::string> candidates) {
  std::string best = nearest(name, candidates);
  return best.empty() ? "" : "; did you mean '" + best + "'?";
}
