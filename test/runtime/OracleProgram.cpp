//===- OracleProgram.cpp - reads the oracle's programs --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OracleProgram.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

using namespace ginc;
using namespace ginc::test;

nlohmann::json ginc::test::readPrograms(const std::string &file) {
  std::ifstream in(file);
  if (!in)
    throw std::runtime_error("cannot read " + file);
  return nlohmann::json::parse(in);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Splits at `separator` outside braces.
static std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (char c : text) {
    depth += (c == '{') - (c == '}');
    if (c == separator && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  std::vector<std::string> result;
  for (std::string &part : parts) {
    size_t first = part.find_first_not_of(' ');
    if (first == std::string::npos)
      continue;
    result.push_back(
        part.substr(first, part.find_last_not_of(' ') + 1 - first));
  }
  return result;
}

static std::vector<std::string> wordsOf(const std::string &text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;)
    words.push_back(word);
  return words;
}

static bool isNumber(const std::string &word) {
  return !word.empty() &&
         word.find_first_not_of("0123456789", word[0] == '-') ==
             std::string::npos;
}

OracleProgram::OracleProgram(const nlohmann::json &json)
    : ranks(json.at("ranks")), launches(json.at("launches")) {
  for (auto &[name, parts] : json.at("windows").items()) {
    windows.push_back(name);
    sizes[name] = parts.get<std::vector<int64_t>>();
  }
  scratch = json.at("scratch").get<std::set<std::string>>();
  source = json.at("source").get<std::set<std::string>>();
  constants.resize(static_cast<size_t>(ranks));
  texts.resize(static_cast<size_t>(ranks));
  for (size_t rank = 0; rank < texts.size(); ++rank)
    for (const auto &text : json.at("texts").at(rank))
      texts[rank].push_back(
          parse(text.get<std::string>(), static_cast<int>(rank)));
}

int OracleProgram::named(std::vector<std::string> &names,
                         const std::string &name) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name)
      return static_cast<int>(i);
  names.push_back(name);
  return static_cast<int>(names.size() - 1);
}

namespace {

/// `name`, `name[low]` or `name[low:high]`, then perhaps `@rank`.
struct Named {
  std::string name;
  bool indexed = false;
  int64_t low = 0, high = 1;
  int rank = -1;
};

} // namespace

static Named parseNamed(const std::string &text) {
  Named result;
  size_t at = text.find('@');
  if (at != std::string::npos)
    result.rank = std::stoi(text.substr(at + 1));
  std::string place = text.substr(0, at);
  size_t open = place.find('[');
  result.name = place.substr(0, open);
  if (result.name.empty())
    throw std::runtime_error("not a place: " + text);
  if (open == std::string::npos)
    return result;
  result.indexed = true;
  result.low = std::stol(place.substr(open + 1));
  size_t colon = place.find(':');
  result.high = colon == std::string::npos ? result.low + 1
                                           : std::stol(place.substr(colon + 1));
  return result;
}

OracleProgram::Place OracleProgram::parsePlace(const std::string &text,
                                               int rank) {
  Named named = parseNamed(text);
  return {this->named(windows, named.name), named.rank < 0 ? rank : named.rank,
          named.low, named.high};
}

/// `rank` becomes the rank that the text names, if it does.
OracleProgram::Slot OracleProgram::parseSlot(const std::string &text,
                                             int &rank) {
  Named named = parseNamed(text);
  if (named.rank >= 0)
    rank = named.rank;
  for (size_t i = 0; i < banks.size(); ++i)
    if (banks[i].name == named.name && banks[i].indexed == named.indexed) {
      banks[i].extent = std::max(banks[i].extent, named.high);
      return {static_cast<int>(i), named.low};
    }
  banks.push_back({named.name, named.indexed, named.high});
  return {static_cast<int>(banks.size() - 1), named.low};
}

std::vector<OracleProgram::Op> OracleProgram::parse(const std::string &text,
                                                    int rank) {
  std::vector<Op> ops;
  for (const std::string &line : split(text, ';')) {
    if (line.rfind("fork", 0) != 0) {
      ops.push_back(parseOp(line, rank));
      continue;
    }
    Op fork;
    fork.kind = "fork";
    fork.text = line;
    size_t first = line.find('{') + 1;
    std::string inner = line.substr(first, line.rfind('}') - first);
    for (const std::string &branch : split(inner, '|'))
      fork.branches.push_back(parse(branch, rank));
    ops.push_back(std::move(fork));
  }
  return ops;
}

OracleProgram::Op OracleProgram::parseOp(const std::string &line, int rank) {
  Op op;
  op.text = line;
  std::vector<std::string> words = wordsOf(line);
  if (words.at(0) == "if") {
    op.guard = named(registers, words.at(1).substr(0, words[1].size() - 1));
    words.erase(words.begin(), words.begin() + 2);
  }
  const std::string kind = op.kind = words.at(0);
  int peer = rank;
  if (kind == "load") {
    op.reg = named(registers, words.at(1));
    op.source = parsePlace(words.at(3), rank);
  } else if (kind == "store" || kind == "add") {
    op.target = parsePlace(words.at(1), rank);
    op.value = std::stol(words.at(3));
  } else if (kind == "put") {
    op.immediate = isNumber(words.at(1));
    if (op.immediate)
      op.value = std::stol(words[1]);
    else
      op.source = parsePlace(words[1], rank);
    op.target = parsePlace(words.at(3), rank);
    peer = op.target.rank;
  } else if (kind == "get") {
    op.source = parsePlace(words.at(1), rank);
    op.target = parsePlace(words.at(3), rank);
    peer = op.source.rank;
  } else if (kind == "signal") {
    op.slot = parseSlot(words.at(1), peer);
  } else if (kind == "wait") {
    op.slot = parseSlot(words.at(1), peer);
    op.count = std::stol(words.at(3));
  } else if (kind == "test") {
    op.reg = named(registers, words.at(1));
    op.slot = parseSlot(words.at(3), peer);
    op.count = std::stol(words.at(5));
  } else if (kind == "read") {
    op.reg = named(registers, words.at(1));
    op.slot = parseSlot(words.at(3), peer);
  } else if (kind == "await") {
    op.token = named(tokens, words.at(1));
  } else if (kind == "barrier") {
    op.global = words.size() > 1 && words[1] == "global";
  } else if (kind != "flush") {
    throw std::runtime_error("unknown operation: " + line);
  }
  op.peer = peer;
  if (kind != "put" && kind != "get" && kind != "signal")
    return op;
  for (size_t i = kind == "signal" ? 2 : 4; i < words.size(); ++i) {
    const std::string &option = words[i];
    if (option == "signal")
      op.slot = parseSlot(words.at(++i), peer);
    else if (option == "add")
      op.weight = std::stol(words.at(++i));
    else if (option == "ctx")
      op.context = std::stol(words.at(++i));
    else if (option == "as")
      op.token = named(tokens, words.at(++i));
    else if (option == "relaxed")
      op.relaxed = true;
    else if (option == "accumulate")
      op.accumulate = true;
    else
      throw std::runtime_error("unknown option in: " + line);
  }
  if (op.immediate && op.accumulate) {
    // The contract accumulates from memory only: a cell that never changes.
    std::vector<int64_t> &kept = constants[static_cast<size_t>(rank)];
    op.constant = static_cast<int64_t>(kept.size());
    kept.push_back(op.value);
  }
  return op;
}
