//===- Collective.cpp - calls of all ranks --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

using namespace gin::host;

void Group::join(int rank, const std::shared_ptr<Collective> &object) {
  open.emplace(object->number, object);
  object->joined[static_cast<size_t>(rank)] = true;
  ++calls[static_cast<size_t>(rank)];
  if (object->missing == 1)
    open.erase(object->number);
  // Last, since other threads look at it without the mutex.
  --object->missing;
}

void Group::leave(int rank, Collective &object) {
  const size_t self = static_cast<size_t>(rank);
  if (object.complete())
    return;
  object.joined[self] = false;
  if (++object.missing == calls.size())
    open.erase(object.number);
  // A number is free again when none after it is in use.
  std::set<uint64_t> &mine = takenBack[self];
  mine.insert(object.number);
  while (calls[self] != 0 && mine.erase(calls[self] - 1))
    --calls[self];
}

ginResult_t Group::differs(int rank, const std::string &terms,
                           const Collective &other) const {
  size_t first = 0;
  while (!other.joined[first])
    ++first;
  return fail(GIN_ERR_MISMATCH,
              "collective call " + std::to_string(other.number) + " of rank " +
                  std::to_string(rank) + " makes " + terms + ", that of rank " +
                  std::to_string(first) + " " + other.terms);
}

std::string Group::absent(const Collective &object) const {
  std::vector<size_t> which;
  for (size_t rank = 0; rank < object.joined.size(); ++rank)
    if (!object.joined[rank])
      which.push_back(rank);
  std::string text = which.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i < which.size(); ++i)
    text += (i == 0                  ? ""
             : i + 1 == which.size() ? " and "
                                     : ", ") +
            std::to_string(which[i]);
  return text;
}
