//===- Harness.cpp - small programs in C++ --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Harness.h"

using namespace ginc;
using namespace ginc::test;

const gin_site_t Machine::site = {"test.mlir", "an operation", 12, 3};

Numbers::Numbers(std::initializer_list<int64_t> list) {
  for (int64_t value : list)
    values[count++] = value;
}

Numbers::Numbers(const std::vector<int64_t> &list) {
  for (int64_t value : list)
    values[count++] = value;
}

Memref::Memref(void *allocated, void *base, const Numbers &shape)
    : dims(static_cast<int64_t>(shape.count)) {
  words[0] = reinterpret_cast<int64_t>(allocated);
  words[1] = reinterpret_cast<int64_t>(base);
  int64_t stride = 1;
  for (int64_t i = dims; i-- > 0;) {
    words[3 + i] = shape.values[i];
    words[3 + dims + i] = stride;
    stride *= words[3 + i];
  }
}

Memref Memref::offset(int64_t elements) const {
  Memref result = *this;
  result.words[2] += elements;
  return result;
}

Memref Memref::view(const Numbers &sizes, const Numbers &strides) const {
  Memref result = *this;
  result.dims = static_cast<int64_t>(sizes.count);
  for (size_t i = 0; i < sizes.count; ++i) {
    result.words[3 + i] = sizes.values[i];
    result.words[3 + sizes.count + i] = strides.values[i];
  }
  return result;
}

void *Memref::aligned() const { return reinterpret_cast<void *>(words[1]); }

sim::Simulator &Machine::simulator() {
  if (!made)
    made = std::make_unique<sim::Simulator>(config);
  return *made;
}

int Machine::window(std::vector<int64_t> shape, unsigned bits,
                    unsigned rights) {
  sim::WindowSpec spec;
  spec.bits = bits;
  spec.rights = rights;
  spec.shapes.assign(static_cast<size_t>(config.ranks), std::move(shape));
  return window(std::move(spec));
}

int Machine::window(sim::WindowSpec spec) {
  if (spec.name.empty())
    spec.name = "w" + std::to_string(windows.size());
  shapes.push_back(spec.shapes);
  windows.push_back(simulator().addWindow(std::move(spec)));
  return static_cast<int>(windows.size()) - 1;
}

int Machine::bank(std::vector<int64_t> extents, const char *name) {
  banks.push_back(simulator().addBank({name, std::move(extents)}));
  return static_cast<int>(banks.size()) - 1;
}

sim::Outcome Machine::run(std::function<void(int64_t)> body) {
  return run(std::vector<sim::Step>{launch(std::move(body))});
}

sim::Outcome Machine::run(std::vector<sim::Step> steps) {
  return simulator().run(steps);
}

Memref Machine::whole(int window) {
  size_t rank = static_cast<size_t>(gin_rank(nullptr));
  return Memref(record(window), data<char>(window, int64_t(rank)),
                shapes[static_cast<size_t>(window)][rank]);
}

gin_token_t Machine::put(int64_t peer, Memref source, int window,
                         const Numbers &indices, int slot, int64_t context,
                         int32_t flags, int32_t type) {
  Memref root = whole(window);
  gin_place_t from = {source.descriptor(), source.rank(), nullptr};
  gin_place_t to = {root.descriptor(), root.rank(),
                    indices.count ? indices.values : nullptr};
  int64_t index = slot;
  gin_slot_t signal = {slot < 0 ? nullptr : banks[0], 1, &index};
  return gin_put(&site, nullptr, peer, context, &from, &to, type, flags,
                 &signal, 1);
}

gin_token_t Machine::putValue(int64_t peer, uint64_t value, int window,
                              const Numbers &indices, int slot, int64_t weight,
                              int64_t context) {
  Memref root = whole(window);
  gin_place_t to = {root.descriptor(), root.rank(),
                    indices.count ? indices.values : nullptr};
  int64_t index = slot;
  gin_slot_t signal = {slot < 0 ? nullptr : banks[0], 1, &index};
  return gin_put_value(&site, nullptr, peer, context, value, &to, GIN_I32,
                       &signal, weight);
}

gin_token_t Machine::get(int64_t peer, int window, const Numbers &indices,
                         Memref target, int32_t type) {
  Memref root = whole(window);
  gin_place_t from = {root.descriptor(), root.rank(),
                      indices.count ? indices.values : nullptr};
  gin_place_t to = {target.descriptor(), target.rank(), nullptr};
  return gin_get(&site, nullptr, peer, 0, &from, &to, type);
}

void Machine::signal(int64_t peer, int64_t slot, bool relaxed, int64_t weight,
                     int64_t context) {
  gin_slot_t place = {banks[0], 1, &slot};
  gin_signal(&site, nullptr, peer, context, &place, weight,
             relaxed ? GIN_SIGNAL_RELAXED : 0);
}

bool Machine::wait(int64_t slot, int64_t count, int64_t timeout, bool must) {
  gin_slot_t place = {banks[0], 1, &slot};
  return gin_wait(&site, &place, count, timeout, must) != 0;
}

bool Machine::test(int64_t slot, int64_t count) {
  gin_slot_t place = {banks[0], 1, &slot};
  return gin_test(&site, &place, count) != 0;
}

int64_t Machine::read(int64_t slot) {
  gin_slot_t place = {banks[0], 1, &slot};
  return gin_read(&site, &place);
}

void Machine::store(int window, int64_t index, int32_t value) {
  gin_store(&site, record(window),
            static_cast<int32_t *>(whole(window).aligned()) + index,
            static_cast<uint32_t>(value), 32);
}

int32_t Machine::load(int window, int64_t index) {
  int64_t handle = gin_load_begin(
      &site, record(window),
      static_cast<int32_t *>(whole(window).aligned()) + index, 32);
  return static_cast<int32_t>(static_cast<uint32_t>(gin_load_end(handle)));
}

void Machine::barrier(bool global, const gin_team_t *team) {
  gin_barrier(&site, team, global ? GIN_BARRIER_GLOBAL : 0);
}

void Machine::fork(int64_t count, const std::function<void(int64_t)> &body,
                   const char *const *names) {
  gin_fork(
      &site, count,
      [](void *captures, int64_t index) {
        (*static_cast<const std::function<void(int64_t)> *>(captures))(index);
      },
      const_cast<std::function<void(int64_t)> *>(&body), names);
}

sim::Step ginc::test::launch(std::function<void(int64_t)> body) {
  sim::Step step;
  step.body = std::move(body);
  return step;
}

sim::Step ginc::test::host(std::function<void(int64_t)> body) {
  sim::Step step = launch(std::move(body));
  step.host = true;
  return step;
}
