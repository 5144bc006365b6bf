//===- Cases.h - the runs of a bundle -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What make_bundle.py wrote of programs' arguments: DATA/cases.txt, and a file
// for each array and rank.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_TEST_GPU_PROGRAMS_CASES_H
#define GIN_TEST_GPU_PROGRAMS_CASES_H

#include "runtime/include/gin.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace gintest {

struct Argument {
  std::string kind, name, type, shape;
  bool expected = false;
  double atol = 0, rtol = 0;
  std::vector<std::string> scalars;         // by rank
  std::vector<std::vector<int64_t>> shapes; // by rank
};

struct Case {
  std::string function, label;
  int ranks = 0, repeat = 1;
  std::vector<Argument> arguments;
};

/// Ends the program.
[[noreturn]] void fail(const std::string &what);
void need(ginResult_t result, const std::string &what);

size_t bytesOf(const std::string &type);
/// An element as a number.
double valueOf(const std::string &type, const char *element);

std::vector<char> readFile(const std::string &name);
std::vector<Case> readCases(const std::string &data);

/// Adds a field to a C structure.
template <class T>
void add(std::vector<char> &fields, T value) {
  fields.resize((fields.size() + sizeof value - 1) / sizeof value *
                sizeof value);
  const char *begin = reinterpret_cast<const char *>(&value);
  fields.insert(fields.end(), begin, begin + sizeof value);
}
void addScalar(std::vector<char> &fields, const std::string &type,
               const std::string &text);

} // namespace gintest

#endif // GIN_TEST_GPU_PROGRAMS_CASES_H
