//===- Report.cpp - results as a table and as JSON ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tools/gin-perf/Report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

using namespace ginperf;

double ginperf::median(std::vector<double> values) {
  if (values.empty())
    return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle]
                           : (values[middle - 1] + values[middle]) / 2;
}

static std::string number(double value, const char *format) {
  if (std::isnan(value))
    return "-";
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

void Report::add(const Row &row) {
  if (rows.empty() || rows.back().test != row.test)
    std::printf("\n%-16s %-12s %-7s %11s %5s %7s %10s %10s %7s  %-5s %s\n",
                "test", "how", "scope", "bytes", "CTAs", "threads",
                whose.c_str(), "by hand", "ratio", "unit", "bad");
  rows.push_back(row);
  std::printf("%-16s %-12s %-7s %11zu %5u %7u %10s %10s %7s  %-5s %llu\n",
              row.test.c_str(), row.how.c_str(), row.scope.c_str(), row.bytes,
              row.ctas, row.threads, number(row.api, "%.3f").c_str(),
              number(row.hand, "%.3f").c_str(),
              number(row.api / row.hand, "%.3f").c_str(), row.unit.c_str(),
              static_cast<unsigned long long>(row.bad));
  std::fflush(stdout);
}

bool Report::anyBad() const {
  return std::any_of(rows.begin(), rows.end(),
                     [](const Row &row) { return row.bad != 0; });
}

static std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return out + '"';
}
static std::string json(double value) {
  return std::isnan(value) ? "null" : number(value, "%.6g");
}

bool Report::writeJson(const std::string &file, const std::string &machine,
                       const std::string &command) const {
  std::FILE *out = std::fopen(file.c_str(), "w");
  if (!out)
    return false;
  std::fprintf(out, "{\"machine\": %s,\n \"command\": %s,\n \"rows\": [",
               quoted(machine).c_str(), quoted(command).c_str());
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row &row = rows[i];
    std::fprintf(
        out,
        "%s\n  {\"test\": %s, \"how\": %s, \"scope\": %s, \"bytes\": %zu, "
        "\"ctas\": %u, \"threads\": %u, \"unit\": %s, %s: %s, "
        "\"hand\": %s, \"bad\": %llu}",
        i ? "," : "", quoted(row.test).c_str(), quoted(row.how).c_str(),
        quoted(row.scope).c_str(), row.bytes, row.ctas, row.threads,
        quoted(row.unit).c_str(), quoted(whose).c_str(), json(row.api).c_str(),
        json(row.hand).c_str(), static_cast<unsigned long long>(row.bad));
  }
  std::fputs("\n ]}\n", out);
  return std::fclose(out) == 0;
}
