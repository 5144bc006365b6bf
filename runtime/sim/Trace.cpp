//===- Trace.cpp - what a run did, for a viewer ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Trace.h"

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <tuple>

using namespace ginc::sim;

static constexpr size_t maxRecords = size_t(4) << 20;
static constexpr size_t flushAt = 1 << 16;

Trace::Trace(int64_t ranks) : ranks(static_cast<size_t>(ranks)) {
  for (int64_t rank = 0; rank < ranks; ++rank)
    lanes.push_back({rank, "network"});
}

uint32_t Trace::openLane(int64_t rank, const char *name) {
  std::vector<uint32_t> &free = freeLanes[{rank, name}];
  if (!free.empty()) {
    uint32_t lane = free.back();
    free.pop_back();
    return lane;
  }
  lanes.push_back({rank, name});
  return static_cast<uint32_t>(lanes.size() - 1);
}

void Trace::closeLane(uint32_t lane) {
  freeLanes[{lanes[lane].rank, lanes[lane].name}].push_back(lane);
}

void Trace::add(const Record &record) {
  if (records.size() >= maxRecords)
    ++lost;
  else
    records.push_back(record);
}

void Trace::step(uint32_t lane, bool host, int64_t number, Time begin,
                 Time end) {
  add({begin, end, nullptr, static_cast<uint64_t>(number), 0, lane, -1,
       host ? Kind::Host : Kind::Launch});
}

void Trace::agent(uint32_t lane, const gin_site_t *site, int64_t index,
                  Time begin, Time end) {
  add({begin, end, site, static_cast<uint64_t>(index), 0, lane, -1,
       Kind::Agent});
}

void Trace::wait(uint32_t lane, const gin_site_t *site, Time begin, Time end) {
  add({begin, end, site, 0, 0, lane, -1, Kind::Wait});
}

void Trace::barrier(uint32_t lane, const gin_site_t *site, Time begin,
                    Time end) {
  add({begin, end, site, 0, 0, lane, -1, Kind::Barrier});
}

void Trace::get(uint32_t lane, const gin_site_t *site, int64_t peer, Time begin,
                Time end, uint64_t bytes) {
  add({begin, end, site, bytes, 0, lane, static_cast<int32_t>(peer),
       Kind::Get});
}

uint64_t Trace::send(uint32_t lane, const gin_site_t *site, int64_t peer,
                     Time begin, Time end) {
  add({begin, end, site, 0, ++flows, lane, static_cast<int32_t>(peer),
       Kind::Send});
  return flows;
}

void Trace::delivery(uint64_t flow, int64_t rank, const gin_site_t *site,
                     Time time, uint64_t bytes, bool signals) {
  add({time, time, site, bytes, flow, static_cast<uint32_t>(rank), -1,
       signals ? Kind::Delivery : Kind::LastDelivery});
}

void Trace::arrival(uint64_t flow, int64_t rank, int64_t source,
                    const gin_site_t *site, Time time, const uint32_t *waiter) {
  add({time, time, site, 0, flow,
       waiter ? *waiter : static_cast<uint32_t>(rank),
       static_cast<int32_t>(source), waiter ? Kind::Wakeup : Kind::Arrival});
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void appendQuoted(std::string &out, const char *text) {
  out += '"';
  for (; *text; ++text) {
    unsigned char c = static_cast<unsigned char>(*text);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += *text;
    } else if (c < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", c);
      out += code;
    } else {
      out += *text;
    }
  }
  out += '"';
}

/// The file counts microseconds, and viewers round to nanoseconds, which would
/// tear nested slices apart: a picosecond is written as a nanosecond.
static void appendTime(std::string &out, const char *name, Time time) {
  char text[48];
  std::snprintf(text, sizeof(text), ",\"%s\":%llu.%03u", name,
                static_cast<unsigned long long>(time / 1000),
                static_cast<unsigned>(time % 1000));
  out += text;
}

static void appendNumber(std::string &out, const char *name, uint64_t number) {
  out += ",\"";
  out += name;
  out += "\":";
  out += std::to_string(number);
}

static const char *textOf(const gin_site_t *site, const char *otherwise) {
  return site && site->text && *site->text ? site->text : otherwise;
}

/// Begins an event; the caller adds what its phase needs and the brace.
void Trace::writeEvent(std::string &out, const Record &record,
                       const char *phase, const std::string &name) const {
  const Lane &lane = lanes[record.lane];
  out += ",\n{\"ph\":\"";
  out += phase;
  out += "\",\"name\":";
  appendQuoted(out, name.c_str());
  appendNumber(out, "pid", static_cast<uint64_t>(lane.rank));
  appendNumber(out, "tid", ranks + record.lane);
  appendTime(out, "ts", record.begin);
}

std::string Trace::nameOf(const Record &record) const {
  switch (record.kind) {
  case Kind::Launch:
    return "launch " + std::to_string(record.number);
  case Kind::Host:
    return "host step";
  case Kind::Agent:
    return lanes[record.lane].name + " " + std::to_string(record.number);
  case Kind::Wait:
    return textOf(record.site, "wait");
  case Kind::Barrier:
    return textOf(record.site, "barrier");
  case Kind::Get:
    return textOf(record.site, "get");
  case Kind::Send:
    return textOf(record.site, "put");
  case Kind::Delivery:
  case Kind::LastDelivery:
    return "delivery";
  case Kind::Arrival:
  case Kind::Wakeup:
    break;
  }
  return "signal from rank " + std::to_string(record.peer);
}

/// A slice of its lane's time, until `end`.
void Trace::writeSlice(std::string &out, const Record &record, Time end,
                       const std::string &name) const {
  writeEvent(out, record, "X", name);
  appendTime(out, "dur", end - record.begin);
  const char *separator = ",\"args\":{";
  auto arg = [&](const char *key) {
    out += separator;
    separator = ",";
    out += "\"" + std::string(key) + "\":";
  };
  if (record.peer >= 0) {
    arg("peer");
    out += std::to_string(record.peer);
  }
  if (record.kind == Kind::Delivery || record.kind == Kind::LastDelivery) {
    arg("bytes");
    out += std::to_string(record.number);
  }
  if (const gin_site_t *site = record.site; site && site->file && *site->file) {
    arg("site");
    std::string place = std::string(site->file) + ":" +
                        std::to_string(site->line) + ":" +
                        std::to_string(site->column);
    appendQuoted(out, place.c_str());
  }
  out += *separator == ',' && separator[1] == 0 ? "}}" : "}";
}

void Trace::writeRecord(std::string &out, const Record &record,
                        Time end) const {
  std::string name = nameOf(record);
  switch (record.kind) {
  case Kind::Get: // overlaps with what its agent does meanwhile
    for (const char *phase : {"b", "e"}) {
      Record half = record;
      if (*phase == 'e')
        half.begin = record.end;
      writeEvent(out, half, phase, name);
      out += ",\"cat\":\"get\"";
      appendNumber(out, "id", static_cast<uint64_t>(&record - records.data()));
      out += "}";
    }
    return;
  case Kind::Wakeup:
    writeEvent(out, record, "i", name);
    out += ",\"s\":\"t\"}";
    break;
  default:
    writeSlice(out, record, end, name);
    break;
  }
  bool starts = record.kind == Kind::Send;
  bool ends = record.kind == Kind::LastDelivery ||
              record.kind == Kind::Arrival || record.kind == Kind::Wakeup;
  if (!starts && !ends)
    return;
  // A flow binds to the slice that encloses its time. A wait that goes on at
  // once when it is woken ends at that very time.
  Record point = record;
  if (record.kind == Kind::Wakeup && point.begin > 0)
    --point.begin;
  writeEvent(out, point, starts ? "s" : "f", "message");
  out += ",\"cat\":\"message\",\"bp\":\"e\"";
  appendNumber(out, "id", record.flow);
  out += "}";
}

/// When the slice of each record ends. What comes in at a network takes no
/// time; it is drawn up to `wide`, but not over what comes next.
std::vector<Time> Trace::sliceEnds() const {
  constexpr Time wide = psPerNs;
  std::vector<Time> ends(records.size());
  std::vector<size_t> incoming;
  for (size_t i = 0; i < records.size(); ++i) {
    ends[i] = records[i].end;
    if (records[i].lane < ranks)
      incoming.push_back(i);
  }
  std::sort(incoming.begin(), incoming.end(), [&](size_t a, size_t b) {
    const Record &x = records[a], &y = records[b];
    return std::tie(x.lane, x.begin, a) < std::tie(y.lane, y.begin, b);
  });
  for (size_t i = 0; i < incoming.size(); ++i) {
    const Record &record = records[incoming[i]];
    Time end = record.begin + wide;
    if (i + 1 < incoming.size())
      if (const Record &next = records[incoming[i + 1]];
          next.lane == record.lane)
        end = std::min(end, next.begin);
    ends[incoming[i]] = end;
  }
  return ends;
}

void Trace::write(std::ostream &os) const {
  std::string out = "{\"displayTimeUnit\":\"ns\",\"metadata\":{\"dropped "
                    "records\":" +
                    std::to_string(lost) + "},\"traceEvents\":[";
  const char *separator = "\n";
  for (size_t i = 0; i < lanes.size(); ++i) {
    const Lane &lane = lanes[i];
    auto meta = [&](const char *what, const char *key) {
      out += separator;
      separator = ",\n";
      out += "{\"ph\":\"M\",\"name\":\"" + std::string(what) +
             "\",\"pid\":" + std::to_string(lane.rank) +
             ",\"tid\":" + std::to_string(ranks + i) + ",\"args\":{\"" + key +
             "\":";
    };
    if (i < ranks) {
      meta("process_name", "name");
      out += "\"rank " + std::to_string(lane.rank) + "\"}}";
      meta("process_sort_index", "sort_index");
      out += std::to_string(lane.rank) + "}}";
    }
    meta("thread_name", "name");
    appendQuoted(out, lane.name.c_str());
    out += "}}";
    meta("thread_sort_index", "sort_index");
    out += std::to_string(i) + "}}";
  }
  std::vector<Time> ends = sliceEnds();
  for (size_t i = 0; i < records.size(); ++i) {
    writeRecord(out, records[i], ends[i]);
    if (out.size() < flushAt)
      continue;
    os << out;
    out.clear();
  }
  os << out << "\n]}\n";
}
