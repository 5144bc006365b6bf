//===- Data.cpp - what arguments hold before the first launch ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Data.h"

#include "CommandLine.h"
#include "Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <cstring>
#include <random>

using namespace ginc;
using namespace mlir;

std::string ginc::expandRank(StringRef pattern, int64_t rank) {
  std::string name;
  while (true) {
    auto [head, tail] = pattern.split("%r");
    name += head;
    if (head.size() == pattern.size())
      return name;
    name += std::to_string(rank);
    pattern = tail;
  }
}

bool ginc::dependsOnRank(StringRef pattern) { return pattern.contains("%r"); }

std::string Data::fileName(int64_t rank) const {
  return expandRank(pattern, rank);
}

std::vector<std::string> Data::fileNames() const {
  std::vector<std::string> names;
  names.reserve(files.size());
  for (size_t rank = 0; rank < files.size(); ++rank)
    names.push_back(fileName(static_cast<int64_t>(rank)));
  return names;
}

//===----------------------------------------------------------------------===//
// Understanding
//===----------------------------------------------------------------------===//

/// Reads "a:b:SEED", with as many integers as `fields` has and perhaps a seed.
static bool readFields(StringRef text, MutableArrayRef<int64_t> fields,
                       uint64_t &seed) {
  SmallVector<StringRef> parts;
  if (!text.empty())
    text.split(parts, ':');
  if (parts.size() < fields.size() || parts.size() > fields.size() + 1)
    return false;
  for (auto [part, field] : llvm::zip(parts, fields))
    if (part.getAsInteger(10, field))
      return false;
  // As --seed takes it.
  return parts.size() == fields.size() || !parts.back().getAsInteger(0, seed);
}

FailureOr<Data> Data::parse(const Setting &setting, const Source &source,
                            int64_t ranks) {
  Data data;
  StringRef text = setting.value;
  if (text.ends_with(".npy")) {
    data.kind = Kind::File;
    data.pattern = setting.location ? source.resolve(text) : text.str();
    int64_t count = dependsOnRank(data.pattern) ? ranks : 1;
    for (int64_t rank = 0; rank < count; ++rank) {
      llvm::Expected<NpyArray> array = readNpy(data.fileName(rank));
      if (!array)
        return setting.error(llvm::toString(array.takeError()));
      data.files.push_back(std::make_shared<NpyArray>(std::move(*array)));
    }
    return data;
  }

  auto [name, rest] = text.split(':');
  if (text == "zeros")
    return data;
  if (text == "iota") {
    data.kind = Kind::Iota;
    return data;
  }
  if (name == "random") {
    data.kind = Kind::Random;
    if (!readFields(rest, {}, data.seed) || text.ends_with(":"))
      return setting.error("'random' takes a whole number from 0 to 2^64 - 1 "
                           "as seed, as in random:7");
    return data;
  }
  if (name == "integers") {
    data.kind = Kind::Integers;
    int64_t fields[2];
    if (!readFields(rest, fields, data.seed) || fields[0] > fields[1])
      return setting.error("'integers' takes the least and the largest value, "
                           "and perhaps a seed from 0 to 2^64 - 1, as in "
                           "integers:0:9 or integers:-5:5:7");
    data.low = fields[0];
    data.high = fields[1];
    return data;
  }
  data.kind = Kind::Number;
  if (!text.getAsInteger(10, data.low)) {
    data.number = static_cast<double>(data.low);
    return data;
  }
  data.whole = false;
  if (std::optional<double> number = parseFloat(text, data.overflows)) {
    data.number = *number;
    return data;
  }
  return setting.error(
      "'" + text +
      "' is neither zeros, iota, random[:seed], "
      "integers:<low>:<high>[:seed] nor a number nor a .npy "
      "file" +
      didYouMean(name, {"zeros", "iota", "random", "integers"}));
}

LogicalResult Data::check(const Element &element,
                          const Setting &setting) const {
  bool holds = true;
  if (kind == Kind::Number)
    holds = element.isFloat() ? !overflows && element.fits(number)
                              : whole && element.fits(low);
  if (kind == Kind::Integers && element.isFloat())
    holds = element.fits(static_cast<double>(low)) &&
            element.fits(static_cast<double>(high));
  else if (kind == Kind::Integers)
    holds = element.fits(low) && element.fits(high);
  if (!holds)
    return setting.error("the elements are " + element.name() +
                         ", which cannot hold the value");
  return success();
}

//===----------------------------------------------------------------------===//
// Filling
//===----------------------------------------------------------------------===//

/// A generator of its own for each argument and rank. What the classes of the
/// standard library that are used here compute is fixed by the standard.
static std::mt19937_64 makeGenerator(uint64_t seed, StringRef name,
                                     int64_t rank) {
  uint64_t hash = llvm::xxh3_64bits(name);
  std::seed_seq sequence{
      static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32),
      static_cast<uint32_t>(hash), static_cast<uint32_t>(hash >> 32),
      static_cast<uint32_t>(rank)};
  return std::mt19937_64(sequence);
}

/// Uniform in [-1, 1), with 53 random bits.
static double uniform(std::mt19937_64 &generator) {
  return static_cast<double>(generator() >> 11) * 0x1p-52 - 1;
}

void Data::fill(const Element &element, StringRef name, int64_t rank,
                uint64_t first, uint64_t count, char *elements) const {
  unsigned bytes = element.bytes();
  auto each = [&](auto &&write) {
    for (uint64_t i = 0; i < count; ++i)
      write(i, elements + i * bytes);
  };
  switch (kind) {
  case Kind::Zeros:
    std::memset(elements, 0, count * bytes);
    return;
  case Kind::Iota: {
    // Where not every integer is exact, it starts again at 0.
    unsigned bits = element.exactBits();
    uint64_t mask = bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
    each([&](uint64_t i, char *at) {
      element.fromInteger(static_cast<int64_t>((first + i) & mask), at);
    });
    return;
  }
  case Kind::Random: {
    std::mt19937_64 generator = makeGenerator(seed, name, rank);
    each([&](uint64_t, char *at) {
      if (element.isFloat())
        element.fromDouble(uniform(generator), at);
      else
        element.fromInteger(static_cast<int64_t>(generator()), at);
    });
    return;
  }
  case Kind::Integers: {
    std::mt19937_64 generator = makeGenerator(seed, name, rank);
    // The remainder favours small values by less than one in 2^32.
    uint64_t span =
        static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
    each([&](uint64_t, char *at) {
      uint64_t offset = span == 0 ? generator() : generator() % span;
      element.fromInteger(
          static_cast<int64_t>(static_cast<uint64_t>(low) + offset), at);
    });
    return;
  }
  case Kind::Number:
    each([&](uint64_t, char *at) {
      if (whole && !element.isFloat())
        element.fromInteger(low, at);
      else
        element.fromDouble(number, at);
    });
    return;
  case Kind::File:
    std::memcpy(elements, array(rank)->data.data(), count * bytes);
    return;
  }
}
