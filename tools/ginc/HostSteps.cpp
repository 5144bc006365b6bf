//===- HostSteps.cpp - what the host does between launches ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HostSteps.h"

#include <cstring>

using namespace ginc;

HostSteps::HostSteps(llvm::ArrayRef<Argument> arguments, int64_t ranks,
                     bool barrier) {
  for (const Argument &argument : arguments) {
    if (argument.kind != Argument::Kind::Window || argument.source)
      continue;
    if (argument.scratch) {
      // Without the barrier, a peer that is ahead may have written already.
      if (barrier)
        poisoned.push_back(&argument);
      continue;
    }
    kept.push_back({&argument, {}});
    for (int64_t rank = 0; rank < ranks; ++rank)
      kept.back().parts.emplace_back(argument.bytes(rank));
  }
}

void HostSteps::read(int64_t rank) {
  for (Kept &one : kept)
    std::memcpy(one.parts[rank].data(), one.argument->data[rank],
                one.parts[rank].size());
}

/// What it read stays the same for a rank that nobody disturbs.
void HostSteps::write(int64_t rank) {
  for (Kept &one : kept)
    std::memcpy(one.argument->data[rank], one.parts[rank].data(),
                one.parts[rank].size());
  for (const Argument *scratch : poisoned)
    poison(*scratch, rank);
}

std::vector<sim::Step> HostSteps::around(const sim::Step &launch,
                                         int64_t repeat) {
  sim::Step reads, writes;
  reads.host = writes.host = true;
  reads.body = [this](int64_t rank) { read(rank); };
  writes.body = [this](int64_t rank) { write(rank); };
  std::vector<sim::Step> steps;
  for (int64_t k = 0; k < repeat; ++k) {
    if (k > 0)
      steps.push_back(writes);
    steps.push_back(launch);
    steps.push_back(reads);
  }
  return steps;
}

void HostSteps::restore() {
  for (Kept &one : kept)
    for (auto [rank, part] : llvm::enumerate(one.parts))
      std::memcpy(one.argument->data[rank], part.data(), part.size());
}
