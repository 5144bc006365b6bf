//===- Cases.cpp - the runs of a bundle -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/programs/Cases.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

using namespace gintest;

void gintest::fail(const std::string &what) {
  std::cerr << "gin-programs: " << what << '\n';
  std::exit(2);
}

void gintest::need(ginResult_t result, const std::string &what) {
  if (result != GIN_SUCCESS)
    fail(what + ": " + ginResultName(result) + ": " + ginGetLastError());
}

size_t gintest::bytesOf(const std::string &type) {
  if (type == "index" || type == "i64" || type == "f64")
    return 8;
  if (type == "i32" || type == "f32")
    return 4;
  if (type == "i16" || type == "f16" || type == "bf16")
    return 2;
  return 1;
}

double gintest::valueOf(const std::string &type, const char *element) {
  auto as = [&](auto value) {
    std::memcpy(&value, element, sizeof value);
    return value;
  };
  if (type == "f64")
    return as(double());
  if (type == "f32")
    return static_cast<double>(as(float()));
  if (type == "bf16") {
    const uint32_t bits = uint32_t(as(uint16_t())) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return static_cast<double>(value);
  }
  // Sign, exponent and mantissa of the other small floats.
  const bool wide = type == "f16", e5m2 = type == "f8E5M2";
  const unsigned bits = wide ? as(uint16_t()) : as(uint8_t());
  const int mantissa = wide   ? 10
                       : e5m2 ? 2
                              : 3,
            exponents = wide || e5m2 ? 5 : 4;
  const int bias = (1 << (exponents - 1)) - 1;
  const int exponent = int(bits >> mantissa) & ((1 << exponents) - 1);
  const int fraction = int(bits) & ((1 << mantissa) - 1);
  const bool negative = bits >> (wide ? 15 : 7) & 1;
  double value = std::ldexp(fraction + (exponent ? 1 << mantissa : 0),
                            (exponent ? exponent : 1) - bias - mantissa);
  if (wide || e5m2) {
    if (exponent == 31)
      value = fraction ? NAN : INFINITY;
  } else if (exponent == 15 && fraction == 7) {
    value = NAN;
  }
  return negative ? -value : value;
}

std::vector<char> gintest::readFile(const std::string &name) {
  std::ifstream file(name, std::ios::binary);
  if (!file)
    fail("cannot read " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Case> gintest::readCases(const std::string &data) {
  std::ifstream file(data + "/cases.txt");
  if (!file)
    fail("cannot read " + data + "/cases.txt");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "case") {
      cases.emplace_back();
      Case &one = cases.back();
      words >> one.function >> one.label >> one.ranks >> one.repeat;
    } else if (word == "shape") {
      cases.back().arguments.back().shapes.emplace_back(
          std::istream_iterator<int64_t>(words),
          std::istream_iterator<int64_t>());
    } else if (word != "end") {
      Argument argument;
      argument.kind = word;
      words >> argument.name >> argument.type;
      if (word == "scalar")
        argument.scalars.assign(std::istream_iterator<std::string>(words), {});
      else
        words >> argument.expected >> argument.atol >> argument.rtol >>
            argument.shape;
      cases.back().arguments.push_back(std::move(argument));
    }
  }
  return cases;
}

void gintest::addScalar(std::vector<char> &fields, const std::string &type,
                        const std::string &text) {
  if (type == "f32")
    add(fields, std::stof(text));
  else if (type == "f64")
    add(fields, std::stod(text));
  else if (bytesOf(type) == 8)
    add(fields, static_cast<int64_t>(std::stoll(text)));
  else if (bytesOf(type) == 4)
    add(fields, static_cast<int32_t>(std::stoll(text)));
  else if (bytesOf(type) == 2)
    add(fields, static_cast<int16_t>(std::stoll(text)));
  else
    add(fields, static_cast<int8_t>(std::stoll(text)));
}
