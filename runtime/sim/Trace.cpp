//===- Trace.cpp - what a run did, for a viewer ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Trace.h"

#include <cstdio>
#include <ostream>

using namespace ginc::sim;

static constexpr size_t maxRecords = size_t(4) << 20;
static constexpr size_t flushAt = 1 << 16;

Trace::Trace(int64_t ranks) : threads(static_cast<size_t>(ranks), 1) {
  for (int64_t rank = 0; rank < ranks; ++rank)
    lanes.push_back({rank, 0, "network"});
}

uint32_t Trace::openLane(int64_t rank, const char *name) {
  std::vector<uint32_t> &free = freeLanes[{rank, name}];
  if (!free.empty()) {
    uint32_t lane = free.back();
    free.pop_back();
    return lane;
  }
  lanes.push_back({rank, threads[static_cast<size_t>(rank)]++, name});
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
                     Time time) {
  add({time, time + psPerNs, site, 0, ++flows, lane, static_cast<int32_t>(peer),
       Kind::Send});
  return flows;
}

void Trace::delivery(uint64_t flow, int64_t rank, const gin_site_t *site,
                     Time time, uint64_t bytes, bool signals) {
  add({time, time + psPerNs, site, bytes, flow, static_cast<uint32_t>(rank), -1,
       signals ? Kind::Delivery : Kind::LastDelivery});
}

void Trace::arrival(uint64_t flow, int64_t rank, int64_t source,
                    const gin_site_t *site, Time time, const uint32_t *waiter) {
  add({time, time + psPerNs, site, 0, flow,
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

/// Viewers count microseconds.
static void appendTime(std::string &out, const char *name, Time time) {
  char text[48];
  std::snprintf(text, sizeof(text), ",\"%s\":%llu.%06u", name,
                static_cast<unsigned long long>(time / 1000000),
                static_cast<unsigned>(time % 1000000));
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
  appendNumber(out, "tid", lane.thread);
  appendTime(out, "ts", record.begin);
}

void Trace::writeRecord(std::string &out, const Record &record) const {
  const gin_site_t *site = record.site;
  std::string name;
  switch (record.kind) {
  case Kind::Launch:
    name = "launch " + std::to_string(record.number);
    break;
  case Kind::Host:
    name = "host step";
    break;
  case Kind::Agent:
    name = lanes[record.lane].name + " " + std::to_string(record.number);
    break;
  case Kind::Wait:
    name = textOf(site, "wait");
    break;
  case Kind::Barrier:
    name = textOf(site, "barrier");
    break;
  case Kind::Get:
  case Kind::Send:
    name = textOf(site, "put");
    break;
  case Kind::Delivery:
  case Kind::LastDelivery:
    name = "delivery";
    break;
  case Kind::Arrival:
  case Kind::Wakeup:
    name = "signal from rank " + std::to_string(record.peer);
    break;
  }
  if (record.kind == Kind::Get) { // overlaps with what its agent does meanwhile
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
  }
  if (record.kind == Kind::Wakeup) {
    writeEvent(out, record, "i", name);
    out += ",\"s\":\"t\"}";
  } else {
    writeEvent(out, record, "X", name);
    appendTime(out, "dur", record.end - record.begin);
    out += ",\"args\":{";
    bool first = true;
    auto arg = [&](const char *key, uint64_t value) {
      out += first ? "\"" : ",\"";
      first = false;
      out += key;
      out += "\":" + std::to_string(value);
    };
    if (record.peer >= 0)
      arg("peer", static_cast<uint64_t>(record.peer));
    if (record.kind == Kind::Delivery || record.kind == Kind::LastDelivery)
      arg("bytes", record.number);
    if (site && site->file && *site->file) {
      out += first ? "\"site\":" : ",\"site\":";
      std::string place = std::string(site->file) + ":" +
                          std::to_string(site->line) + ":" +
                          std::to_string(site->column);
      appendQuoted(out, place.c_str());
    }
    out += "}}";
  }
  const char *phase = nullptr;
  switch (record.kind) {
  case Kind::Send:
    phase = "s";
    break;
  case Kind::Delivery:
    phase = "t";
    break;
  case Kind::LastDelivery:
  case Kind::Arrival:
  case Kind::Wakeup:
    phase = "f";
    break;
  default:
    return;
  }
  if (!record.flow)
    return;
  writeEvent(out, record, phase, "message");
  out += ",\"cat\":\"message\",\"bp\":\"e\"";
  appendNumber(out, "id", record.flow);
  out += "}";
}

void Trace::write(std::ostream &os) const {
  std::string out = "{\"displayTimeUnit\":\"ns\",\"metadata\":{\"dropped\":" +
                    std::to_string(lost) + "},\"traceEvents\":[\n";
  out += "{\"ph\":\"M\",\"name\":\"trace\",\"pid\":0,\"args\":{\"dropped "
         "records\":" +
         std::to_string(lost) + "}}";
  for (size_t i = 0; i < lanes.size(); ++i) {
    const Lane &lane = lanes[i];
    std::string place = ",\"pid\":" + std::to_string(lane.rank) +
                        ",\"tid\":" + std::to_string(lane.thread);
    if (i < threads.size())
      out += ",\n{\"ph\":\"M\",\"name\":\"process_name\"" + place +
             ",\"args\":{\"name\":\"rank " + std::to_string(lane.rank) +
             "\"}}" + ",\n{\"ph\":\"M\",\"name\":\"process_sort_index\"" +
             place + ",\"args\":{\"sort_index\":" + std::to_string(lane.rank) +
             "}}";
    out += ",\n{\"ph\":\"M\",\"name\":\"thread_name\"" + place +
           ",\"args\":{\"name\":";
    appendQuoted(out, lane.name.c_str());
    out += "}}";
  }
  for (const Record &record : records) {
    writeRecord(out, record);
    if (out.size() < flushAt)
      continue;
    os << out;
    out.clear();
  }
  os << out << "\n]}\n";
}
