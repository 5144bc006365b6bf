//===- Report.h - results as a table and as JSON ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_PERF_REPORT_H
#define GIN_PERF_REPORT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ginperf {

/// One measurement: medians of what is measured (gin's device API, unless the
/// report is of something else) and of the hand-written loop.
struct Row {
  std::string test;  // e.g. "put-bandwidth"
  std::string how;   // mechanism or strength
  std::string scope; // "-" where it does not matter
  size_t bytes;
  unsigned ctas, threads;
  std::string unit;
  double api;   // NaN: there is none
  double hand;  // NaN: there is none
  uint64_t bad; // wrong bytes or words that verification found
};

class Report {
public:
  /// `whose` names the measured column and its key in JSON.
  explicit Report(std::string whose = "gin") : whose(std::move(whose)) {}
  /// Prints the row at once.
  void add(const Row &row);
  /// The machine, the options and all rows. False if the file failed.
  bool writeJson(const std::string &file, const std::string &machine,
                 const std::string &command) const;
  bool anyBad() const;

private:
  std::string whose;
  std::vector<Row> rows;
};

/// The middle of the values; NaN of none.
double median(std::vector<double> values);

} // namespace ginperf

#endif // GIN_PERF_REPORT_H
