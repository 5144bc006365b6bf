//===- ArgumentMemory.cpp - memory for the arguments ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "Diagnostics.h"
#include "Memory.h"

#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <new>

using namespace ginc;
using namespace mlir;

using Kind = Argument::Kind;

/// What a slot of a bank costs the simulator on each rank, about.
static constexpr uint64_t slotBytes = 64;

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

/// Reports more than there is memory for, before anything tries to have it.
LogicalResult Arguments::checkMemory() const {
  uint64_t arrays = 0, banks = 0;
  bool overflow = false;
  auto add = [&](uint64_t &sum, ArrayRef<int64_t> shape, uint64_t bytes) {
    std::optional<uint64_t> elements = numElements(shape);
    bool tooLarge = false;
    uint64_t part =
        llvm::SaturatingMultiply(elements.value_or(0), bytes, &tooLarge);
    overflow |= tooLarge || !elements;
    sum = llvm::SaturatingAdd(sum, part, &tooLarge);
    overflow |= tooLarge;
  };
  // What has its memory already does not count again.
  for (const Argument &argument : list) {
    if (argument.record || !argument.data.empty())
      continue;
    for (const std::vector<int64_t> &shape : argument.shapes)
      if (argument.kind == Kind::Bank)
        add(banks, shape, slotBytes * ranks);
      else
        add(arrays, shape, argument.element->bytes());
  }
  uint64_t available = availableMemory();
  // Data in flight is a copy; a program may well send all that it has.
  uint64_t wanted = llvm::SaturatingAdd(arrays, arrays, banks);
  if (!overflow && wanted <= available)
    return success();
  return error(
      "the arguments of " + Twine(ranks) + (ranks == 1 ? " rank" : " ranks") +
      " and their data in flight need " +
      (overflow ? "more than 2^64 bytes" : formatBytes(wanted)) + ", but " +
      formatBytes(available) +
      " of memory are free; choose smaller sizes with --dims or fewer ranks");
}

void Arguments::allocateArray(sim::Simulator &simulator, Argument &argument) {
  gin_window_t *window = nullptr;
  if (argument.kind == Kind::Window) {
    window = simulator.addWindow({argument.name, argument.element->bits(),
                                  argument.shapes, argument.rights,
                                  argument.source});
    argument.record = window;
  }
  for (int64_t rank = 0; rank < ranks; ++rank) {
    if (window) {
      argument.data.push_back(
          static_cast<char *>(simulator.data(window, rank)));
      continue;
    }
    constexpr size_t alignment = 64;
    memory.push_back(
        std::make_unique<char[]>(argument.bytes(rank) + alignment));
    argument.data.push_back(reinterpret_cast<char *>(llvm::alignTo(
        reinterpret_cast<uintptr_t>(memory.back().get()), alignment)));
  }
}

LogicalResult Arguments::allocate(sim::Simulator &simulator) {
  if (failed(checkMemory()))
    return failure();
  for (Argument &argument : list) {
    if (!argument.isArray())
      continue;
    allocateArray(simulator, argument);
    uint64_t before = 0;
    for (int64_t rank = 0; rank < ranks; ++rank) {
      uint64_t count = *numElements(argument.shapes[rank]);
      data.at(argument.name)
          .fill(*argument.element, argument.name, rank, before, count,
                argument.data[rank]);
      before += count;
    }
  }
  data.clear(); // closes the files
  return success();
}

void ginc::poison(const Argument &argument, int64_t rank) {
  std::memset(argument.data[rank], 0xff, argument.bytes(rank));
}

LogicalResult Arguments::allocateInternal(func::FuncOp entry,
                                          sim::Simulator &simulator) {
  unsigned known = list.size();
  if (failed(describe(entry)))
    return failure();
  for (unsigned index = known; index < list.size(); ++index)
    if (failed(planInternal(entry, index)))
      return failure();
  if (failed(checkMemory()))
    return failure();
  for (Argument &argument : list) {
    if (argument.kind == Kind::Bank) {
      argument.record =
          simulator.addBank({argument.name, argument.shapes.front()});
    } else if (argument.scratch) {
      allocateArray(simulator, argument);
      for (int64_t rank = 0; rank < ranks; ++rank)
        poison(argument, rank);
    }
  }
  packed.resize(ranks);
  for (int64_t rank = 0; rank < ranks; ++rank)
    packRank(rank);
  return success();
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// MLIR's descriptor of a memref that is laid out row by row, as words:
/// allocated and aligned pointer, offset, sizes, strides.
static std::vector<int64_t> makeDescriptor(void *allocated, void *aligned,
                                           ArrayRef<int64_t> shape) {
  std::vector<int64_t> words = {reinterpret_cast<int64_t>(allocated),
                                reinterpret_cast<int64_t>(aligned), 0};
  words.insert(words.end(), shape.begin(), shape.end());
  size_t strides = words.size();
  words.resize(strides + shape.size());
  // Of an empty array it may overflow, which harms nobody.
  uint64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0; stride *= shape[i])
    words[strides + i] = stride;
  return words;
}

void Arguments::packRank(int64_t rank) {
  Packed &pack = packed[rank];
  // Nothing may move once its address is taken.
  pack.descriptors.reserve(list.size());
  pack.values.reserve(list.size());
  for (Argument &argument : list) {
    if (argument.kind == Kind::Scalar) {
      pack.pointers.push_back(&argument.scalars[rank]);
      continue;
    }
    if (argument.kind == Kind::Bank) {
      pack.values.push_back(argument.record);
    } else {
      char *data = argument.data[rank];
      pack.descriptors.push_back(
          makeDescriptor(argument.record ? argument.record : data, data,
                         argument.shapes[rank]));
      pack.values.push_back(pack.descriptors.back().data());
    }
    pack.pointers.push_back(&pack.values.back());
  }
}
