//===- Check.cpp - are the results what they should be? ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Check.h"

#include "Diagnostics.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

using namespace ginc;
using namespace mlir;

Check::Result &Check::resultOf(const Argument &argument) {
  for (Result &result : results)
    if (result.argument == &argument)
      return result;
  return results.emplace_back(&argument);
}

/// Whether `got` will do for `wanted`; `difference` gets how far they are
/// apart.
static bool isClose(double got, double wanted, Tolerance tolerance,
                    double &difference) {
  difference = std::fabs(got - wanted);
  if (std::isnan(got) || std::isnan(wanted))
    return std::isnan(got) && std::isnan(wanted);
  if (std::isinf(got) || std::isinf(wanted))
    return got == wanted;
  return difference <=
         tolerance.absolute + tolerance.relative * std::fabs(wanted);
}

std::string Check::findMisfit(const Argument &argument, int64_t rank,
                              const NpyArray &wanted, StringRef where) {
  const Element &element = *argument.element;
  const std::vector<int64_t> &shape = argument.shapes[rank];
  if (!element.accepts(wanted.type))
    return ("'" + where + "' holds " + numpyName(wanted.type) + ", but %" +
            argument.name + " has elements of type " + element.name() +
            ", which takes " + element.numpyName())
        .str();
  if (wanted.shape != shape)
    return ("'" + where + "' has shape " + formatShape(wanted.shape) +
            ", but %" + argument.name + " has shape " + formatShape(shape) +
            " on rank " + Twine(rank))
        .str();
  return "";
}

void Check::compare(const Argument &argument, int64_t rank,
                    const NpyArray &wanted, Tolerance tolerance,
                    StringRef where) {
  const Element &element = *argument.element;
  const std::vector<int64_t> &shape = argument.shapes[rank];
  Result &result = resultOf(argument);
  uint64_t count = *numElements(shape), before = result.differences;
  result.elements += count;
  unsigned bytes = element.bytes();
  const char *got = argument.data[rank];
  const char *want = wanted.data.data();
  for (uint64_t i = 0; i < count; ++i, got += bytes, want += bytes) {
    if (std::memcmp(got, want, bytes) == 0)
      continue;
    double difference = 0;
    if (element.isFloat() &&
        isClose(element.toDouble(got), element.toDouble(want), tolerance,
                difference))
      continue;
    if (result.differences++ == 0) {
      result.against = where.str();
      result.rank = rank;
      result.index = i;
      result.got = element.format(got);
      result.wanted = element.format(want);
    }
    result.largest = std::fmax(result.largest, difference);
  }
  result.ranksDiffering += result.differences > before;
}

/// "[2, 0]" for an element counted in row-major order.
static std::string formatIndex(uint64_t index, ArrayRef<int64_t> shape) {
  std::vector<std::string> parts(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    parts[i] = std::to_string(index % shape[i]);
    index /= shape[i];
  }
  return "[" + llvm::join(parts, ", ") + "]";
}

LogicalResult Check::report(int64_t ranks) const {
  for (const Result &result : results) {
    if (result.differences == 0)
      continue;
    const Argument &argument = *result.argument;
    InFlightDiagnostic diagnostic = emitError(argument.location);
    diagnostic << "%" << argument.name << " differs from " << result.against
               << " in " << result.differences << " of " << result.elements
               << (result.elements == 1 ? " element" : " elements");
    if (ranks > 1)
      diagnostic << ", on " << result.ranksDiffering << " of " << ranks
                 << " ranks";
    diagnostic << "; first on rank " << result.rank << " at "
               << formatIndex(result.index, argument.shapes[result.rank])
               << ": got " << result.got << ", want " << result.wanted;
    // Of NaN and something else there is no difference.
    if (argument.element->isFloat() && result.differences > 1 &&
        result.largest > 0) {
      std::string largest;
      llvm::raw_string_ostream(largest) << llvm::format("%.3g", result.largest);
      diagnostic << " (largest difference " << largest << ")";
    }
  }
  return success(passed());
}

bool Check::passed() const {
  return llvm::all_of(
      results, [](const Result &result) { return result.differences == 0; });
}

std::vector<std::string> Check::names() const {
  std::vector<std::string> names;
  names.reserve(results.size());
  for (const Result &result : results)
    names.push_back(result.argument->name);
  return names;
}
