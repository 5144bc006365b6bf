//===- Balance.cpp - signals that nobody waited for -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A wait counts above its slot's base, and the end of a launch moves the base
// by the largest count waited for. So when all ranks have ended equally many
// launches, a value above its base was sent and never waited for, and a later
// launch would have taken it for its own. Before, it may as well be that of a
// peer that is a launch ahead.
//
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

#include <algorithm>
#include <cstddef>

using namespace gin;
using namespace gin::host;

/// GIN_ERR_UNCONSUMED_SIGNAL for the bank's first slot that is above its base.
static ginResult_t checkBank(const SharedProgram &program, int rank,
                             const Bank &bank, uint64_t launches) {
  Backend &backend = *program.group->backend;
  // So many slots at a time, as a bank may be large.
  constexpr uint32_t most = 4096;
  const uint32_t room = std::min(bank.slots, most);
  std::vector<uint64_t> values(size_t(room) * slotStride), bases(room);
  for (uint32_t first = 0; first < bank.slots; first += room) {
    const uint32_t count = std::min(bank.slots - first, room);
    GIN_TRY(backend.copy(rank, values.data(),
                         bank.values + size_t(first) * slotStride,
                         size_t(count) * slotStride * sizeof(uint64_t)));
    GIN_TRY(backend.copy(rank, bases.data(), bank.bases + first,
                         count * sizeof(uint64_t)));
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t left = values[size_t(i) * slotStride] - bases[i];
      if (left != 0)
        return fail(GIN_ERR_UNCONSUMED_SIGNAL,
                    program.prefix() + "slot " + std::to_string(first + i) +
                        " of bank " + std::to_string(bank.index) + " on rank " +
                        std::to_string(rank) + " has counted " +
                        std::to_string(left) + " that nobody waited for, in " +
                        std::to_string(launches) +
                        " launches; wait for it in the launch that sends it, "
                        "or do not send it");
    }
  }
  return GIN_SUCCESS;
}

ginResult_t SharedProgram::checkBalance() const {
  wait();
  ginError_t error;
  if (firstError(*group, 0, error))
    return GIN_SUCCESS;
  Backend &backend = *group->backend;
  uint64_t launches = 0;
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    const RankProgram &own = ranks[rank];
    uint64_t ended = 0;
    GIN_TRY(backend.copy(static_cast<int>(rank), &ended,
                         own.memory + offsetof(State, launch), sizeof ended));
    if (own.launch->isOpen() || (rank != 0 && ended != launches))
      return GIN_SUCCESS;
    launches = ended;
  }
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    for (const Bank &bank : ranks[rank].banks)
      GIN_TRY(checkBank(*this, static_cast<int>(rank), bank, launches));
  return GIN_SUCCESS;
}
