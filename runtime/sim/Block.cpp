//===- Block.cpp - strided copies in pieces -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Block.h"

#include "runtime/sim/Accumulate.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

using namespace ginc::sim;

void Copy::setDims(const CopyDim *all, unsigned number) {
  dims.reset();
  count = 1;
  for (unsigned i = 0; i < number; ++i)
    count *= static_cast<uint64_t>(all[i].size);
  if (count == 0)
    return;
  CopyDim kept[maxDims];
  size_t used = 0;
  for (unsigned i = 0; i < number; ++i) {
    const CopyDim &dim = all[i];
    if (dim.size == 1)
      continue;
    CopyDim *last = used ? &kept[used - 1] : nullptr;
    if (last && last->source == dim.source * dim.size &&
        last->target == dim.target * dim.size)
      *last = {last->size * dim.size, dim.source, dim.target};
    else
      kept[used++] = dim;
  }
  bool plain =
      used == 0 || (used == 1 && kept[0].source == 1 && kept[0].target == 1);
  if (!plain)
    dims = std::make_unique<std::vector<CopyDim>>(kept, kept + used);
}

/// Calls run(number of the first element, source, target, elements) for each
/// row of the innermost dimension that [first, last) touches.
template <typename Run>
void Copy::runs(uint64_t first, uint64_t last, Run run) const {
  const std::vector<CopyDim> &dims = *this->dims;
  int64_t index[maxDims];
  uint64_t rest = first;
  int64_t sourceAt = 0, targetAt = 0;
  for (size_t i = dims.size(); i-- > 0;) {
    uint64_t size = static_cast<uint64_t>(dims[i].size);
    index[i] = static_cast<int64_t>(rest % size);
    rest /= size;
    sourceAt += index[i] * dims[i].source;
    targetAt += index[i] * dims[i].target;
  }
  const CopyDim &inner = dims.back();
  while (first < last) {
    uint64_t length =
        std::min(last - first,
                 static_cast<uint64_t>(inner.size - index[dims.size() - 1]));
    run(first, source + sourceAt * static_cast<int64_t>(bytes),
        target + targetAt * static_cast<int64_t>(bytes), length);
    first += length;
    if (first >= last)
      return;
    sourceAt -= index[dims.size() - 1] * inner.source;
    targetAt -= index[dims.size() - 1] * inner.target;
    index[dims.size() - 1] = 0;
    for (size_t i = dims.size() - 1; i-- > 0;) {
      sourceAt += dims[i].source;
      targetAt += dims[i].target;
      if (++index[i] < dims[i].size)
        break;
      sourceAt -= dims[i].size * dims[i].source;
      targetAt -= dims[i].size * dims[i].target;
      index[i] = 0;
    }
  }
}

/// Copies a row of elements between strided places.
static void copyRow(char *target, int64_t targetStride, const char *source,
                    int64_t sourceStride, uint64_t length, unsigned bytes) {
  if (targetStride == 1 && sourceStride == 1) {
    std::memcpy(target, source, length * bytes);
    return;
  }
  int64_t width = static_cast<int64_t>(bytes);
  for (uint64_t i = 0; i < length; ++i) {
    std::memcpy(target, source, bytes);
    target += targetStride * width;
    source += sourceStride * width;
  }
}

void Copy::read(char *buffer, uint64_t first, uint64_t last) const {
  if (contiguous()) {
    std::memcpy(buffer + first * bytes, source + first * bytes,
                (last - first) * bytes);
    return;
  }
  runs(first, last, [&](uint64_t at, char *from, char *, uint64_t length) {
    copyRow(buffer + at * bytes, 1, from, dims->back().source, length, bytes);
  });
}

void Copy::write(const char *buffer, uint64_t first, uint64_t last) const {
  if (contiguous()) {
    std::memcpy(target + first * bytes, buffer + first * bytes,
                (last - first) * bytes);
    return;
  }
  runs(first, last, [&](uint64_t at, char *, char *to, uint64_t length) {
    copyRow(to, dims->back().target, buffer + at * bytes, 1, length, bytes);
  });
}

void Copy::add(const char *buffer, uint64_t first, uint64_t last,
               int32_t type) const {
  if (contiguous())
    return addElements(type, target + first * bytes, buffer + first * bytes,
                       last - first);
  runs(first, last, [&](uint64_t at, char *, char *to, uint64_t length) {
    if (dims->back().target == 1)
      return addElements(type, to, buffer + at * bytes, length);
    int64_t step = dims->back().target * static_cast<int64_t>(bytes);
    for (uint64_t i = 0; i < length; ++i)
      addElements(type, to + static_cast<int64_t>(i) * step,
                  buffer + (at + i) * bytes, 1);
  });
}

void Copy::move(uint64_t first, uint64_t last) const {
  if (contiguous()) {
    std::memcpy(target + first * bytes, source + first * bytes,
                (last - first) * bytes);
    return;
  }
  runs(first, last, [&](uint64_t, char *from, char *to, uint64_t length) {
    copyRow(to, dims->back().target, from, dims->back().source, length, bytes);
  });
}

int64_t Copy::sourceElement(const char *address) const {
  int64_t offset = address - source, width = static_cast<int64_t>(bytes);
  if (offset % width != 0)
    return -1;
  offset /= width;
  if (contiguous())
    return offset >= 0 && static_cast<uint64_t>(offset) < count ? offset : -1;
  // Row-major within a larger array: each stride spans the dimensions inside.
  int64_t inside = 1;
  for (size_t i = dims->size(); i-- > 0;) {
    if ((*dims)[i].source < inside)
      return -2;
    inside = (*dims)[i].source * (*dims)[i].size;
  }
  if (offset < 0)
    return -1;
  int64_t element = 0;
  for (const CopyDim &dim : *dims) {
    int64_t index = offset / dim.source;
    if (index >= dim.size)
      return -1;
    offset -= index * dim.source;
    element = element * dim.size + index;
  }
  return offset == 0 ? element : -1;
}

Copy::Extent Copy::extent(const char *base, int64_t CopyDim::*stride) const {
  if (count == 0)
    return {base, base};
  if (contiguous())
    return {base, base + count * bytes};
  int64_t low = 0, high = 0;
  for (const CopyDim &dim : *dims) {
    int64_t span = (dim.size - 1) * (dim.*stride);
    low += std::min<int64_t>(span, 0);
    high += std::max<int64_t>(span, 0);
  }
  int64_t width = static_cast<int64_t>(bytes);
  return {base + low * width, base + (high + 1) * width};
}

bool Copy::inPlace() const {
  if (source != target)
    return false;
  return contiguous() ||
         std::all_of(dims->begin(), dims->end(), [](const CopyDim &dim) {
           return dim.source == dim.target;
         });
}

bool Copy::overlaps() const {
  if (count == 0 || !sourceExtent().overlaps(targetExtent()))
    return false;
  if (contiguous())
    return true;
  std::unordered_set<const char *> sources;
  int64_t width = static_cast<int64_t>(bytes);
  bool found = false;
  runs(0, count, [&](uint64_t, char *from, char *, uint64_t length) {
    for (uint64_t i = 0; i < length; ++i)
      sources.insert(from +
                     static_cast<int64_t>(i) * dims->back().source * width);
  });
  runs(0, count, [&](uint64_t, char *, char *to, uint64_t length) {
    for (uint64_t i = 0; i < length; ++i)
      found |= sources.count(to + static_cast<int64_t>(i) *
                                      dims->back().target * width) != 0;
  });
  return found;
}
