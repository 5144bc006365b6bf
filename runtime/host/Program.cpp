//===- Program.cpp - banks of signals and launch counters -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

#include <algorithm>
#include <cstring>

using namespace gin;
using namespace gin::host;

namespace {

/// Where things lie in the memory of a rank's program. The same on all ranks.
struct Layout {
  Layout(const SharedProgram &program, size_t ranks) {
    for (uint32_t count : program.slots)
      slots += count;
    take(sizeof(State));
    bases = take(slots * sizeof(uint64_t));
    counts = take(slots * sizeof(uint64_t));
    rounds = take(program.teams * sizeof(uint64_t));
    stops = take(ranks * sizeof(uint32_t *));
    tables = take((program.slots.size() + 1) * ranks * sizeof(uint64_t *));
    filled = end;
    values = take(slots * slotStride * sizeof(uint64_t));
    barriers = take(2 * uint64_t(program.teams) * ranks * slotStride *
                    sizeof(uint64_t));
  }

  uint64_t slots = 0;
  size_t bases, counts, rounds, stops, tables, values, barriers;
  size_t filled; // so much of the front is not all zero
  size_t end = 0;

private:
  size_t take(size_t bytes) {
    size_t start = end;
    end += (bytes + 255) / 256 * 256;
    return start;
  }
};

} // namespace

/// For an array of words at offset `offset` of each rank's memory, the
/// addresses of all, of which those beyond the direct ones are read from
/// `table` in the memory of the rank itself.
static Words wordsAt(const SharedProgram &program, size_t offset,
                     const RankProgram &own, size_t table,
                     std::vector<char> &image) {
  Words words{};
  auto *entries = reinterpret_cast<uint64_t **>(image.data() + table);
  for (size_t rank = 0; rank < program.ranks.size(); ++rank) {
    entries[rank] =
        reinterpret_cast<uint64_t *>(program.ranks[rank].memory + offset);
    if (rank < directRanks)
      words.direct[rank] = entries[rank];
  }
  words.more = reinterpret_cast<uint64_t *const *>(own.memory + table);
  return words;
}

/// Fills in what rank `rank` keeps, and what its kernels get.
static void describe(SharedProgram &shared, size_t rank, const Layout &layout,
                     std::vector<char> &image) {
  RankProgram &own = shared.ranks[rank];
  const size_t ranks = shared.ranks.size();
  auto at = [&](size_t offset) {
    return reinterpret_cast<uint64_t *>(own.memory + offset);
  };
  size_t table = layout.tables;
  const size_t tableBytes = ranks * sizeof(uint64_t *);
  uint64_t first = 0;
  for (size_t i = 0; i < shared.slots.size(); ++i) {
    const size_t values = layout.values + first * slotStride * sizeof(uint64_t);
    Bank bank{};
    bank.values = at(values);
    bank.bases = at(layout.bases) + first;
    bank.counts = at(layout.counts) + first;
    bank.peers = wordsAt(shared, values, own, table, image);
    bank.slots = shared.slots[i];
    bank.index = static_cast<uint32_t>(i);
    own.banks.push_back(bank);
    table += tableBytes;
    first += shared.slots[i];
  }
  own.program.rank = static_cast<int32_t>(rank);
  own.program.ranks = static_cast<int32_t>(ranks);
  own.program.state = reinterpret_cast<State *>(own.memory);
  own.program.timeout = shared.timeout;
  own.program.barriers = wordsAt(shared, layout.barriers, own, table, image);
  own.program.teams = shared.teams;

  State state{};
  state.slots = static_cast<uint32_t>(layout.slots);
  state.rank = own.program.rank;
  state.ranks = own.program.ranks;
  state.bases = at(layout.bases);
  state.counts = at(layout.counts);
  state.rounds = at(layout.rounds);
  state.record = shared.records + rank;
  state.abort = shared.group->abort + rank;
  state.stops = reinterpret_cast<uint32_t *const *>(own.memory + layout.stops);
  auto *stops = reinterpret_cast<uint32_t **>(image.data() + layout.stops);
  for (size_t i = 0; i < ranks; ++i)
    stops[i] = reinterpret_cast<uint32_t *>(shared.ranks[i].memory +
                                            offsetof(State, stop));
  std::memcpy(image.data(), &state, sizeof state);
}

/// Makes what all ranks have, once all have called.
ginResult_t SharedProgram::complete(const std::shared_ptr<Group> &owner) {
  group = owner;
  Backend &backend = *group->backend;
  const int count = group->ranks;
  ranks.resize(static_cast<size_t>(count));
  const Layout layout(*this, ranks.size());
  if (layout.slots >= uint64_t(1) << 31)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                "ginProgramCreate: 2^31 slots or more");
  void *memory = nullptr;
  GIN_TRY(backend.allocateCommon(ranks.size() * sizeof *records, &memory));
  records = static_cast<ErrorRecord *>(memory);
  for (int rank = 0; rank < count; ++rank) {
    RankProgram &own = ranks[static_cast<size_t>(rank)];
    GIN_TRY(backend.allocate(rank, layout.end, &memory));
    own.memory = static_cast<char *>(memory);
    GIN_TRY(backend.createQueue(rank, reinterpret_cast<State *>(own.memory),
                                own.queue));
  }
  std::vector<char> image(layout.filled);
  for (int rank = 0; rank < count; ++rank) {
    std::fill(image.begin(), image.end(), 0);
    describe(*this, static_cast<size_t>(rank), layout, image);
    GIN_TRY(backend.copy(rank, ranks[static_cast<size_t>(rank)].memory,
                         image.data(), layout.filled));
  }
  return GIN_SUCCESS;
}

SharedProgram::~SharedProgram() {
  if (!group)
    return;
  // No rank's memory goes while another may still signal into it.
  for (const RankProgram &own : ranks)
    if (own.queue)
      own.queue->wait();
  if (records) {
    std::lock_guard<std::mutex> lock(group->mutex);
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
      ginError_t error;
      if (readRecord(records[rank], error))
        group->errors.push_back(error);
    }
  }
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    if (ranks[rank].memory)
      group->backend->release(static_cast<int>(rank), ranks[rank].memory);
  if (records)
    group->backend->releaseCommon(records);
}

ginResult_t ginProgramCreate(ginComm_t comm, const ginProgramConfig_t *config,
                             ginProgram_t *program) {
  return guarded([&]() -> ginResult_t {
    if (!comm || !config || !program || config->banks < 0 ||
        (config->banks > 0 && !config->slots))
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginProgramCreate: a null pointer, or banks < 0");
    const std::vector<uint32_t> slots(config->slots,
                                      config->slots + config->banks);
    const uint32_t teams = std::max(config->teams, 1u);
    auto handle = std::make_unique<ginProgram>();
    handle->rank = comm->rank;
    Group &group = *comm->group;
    std::lock_guard<std::mutex> lock(group.mutex);
    GIN_TRY(group.join(comm->rank, handle->shared, [&](SharedProgram &other) {
      return other.slots == slots && other.teams == teams &&
             other.timeout == config->timeout;
    }));
    SharedProgram &shared = *handle->shared;
    shared.slots = slots;
    shared.teams = teams;
    shared.timeout = config->timeout;
    if (shared.Collective::complete()) {
      // Should it fail, the ranks before hold a program that stays incomplete.
      if (ginResult_t result = shared.complete(comm->group)) {
        shared.missing = 1;
        return result;
      }
      group.programs.erase(
          std::remove_if(group.programs.begin(), group.programs.end(),
                         [](const auto &weak) { return weak.expired(); }),
          group.programs.end());
      group.programs.push_back(handle->shared);
    }
    *program = handle.release();
    return GIN_SUCCESS;
  });
}

ginResult_t ginProgramDestroy(ginProgram_t program) {
  delete program;
  return GIN_SUCCESS;
}

static ginResult_t checkComplete(const SharedProgram &shared) {
  if (shared.missing == 0)
    return GIN_SUCCESS;
  return fail(GIN_ERR_INCOMPLETE, std::to_string(shared.missing) +
                                      " ranks have not created the program");
}

ginResult_t ginProgramBackend(ginProgram_t program, ginBackend_t *backend) {
  return guarded([&]() -> ginResult_t {
    if (!program || !backend)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginProgramBackend: a null pointer");
    GIN_TRY(checkComplete(*program->shared));
    *backend = program->shared->group->backend->kind();
    return GIN_SUCCESS;
  });
}

ginResult_t ginProgramGetDevice(ginProgram_t program, void *out, size_t size) {
  return guarded([&]() -> ginResult_t {
    if (!program || !out || size != sizeof(Program))
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginProgramGetDevice: a null pointer, or a gin::Program of "
                  "another version");
    GIN_TRY(checkComplete(*program->shared));
    std::memcpy(
        out,
        &program->shared->ranks[static_cast<size_t>(program->rank)].program,
        size);
    return GIN_SUCCESS;
  });
}

ginResult_t ginProgramGetBank(ginProgram_t program, int bank, void *out,
                              size_t size) {
  return guarded([&]() -> ginResult_t {
    if (!program || !out || size != sizeof(Bank))
      return fail(
          GIN_ERR_INVALID_ARGUMENT,
          "ginProgramGetBank: a null pointer, or a gin::Bank of another "
          "version");
    SharedProgram &shared = *program->shared;
    GIN_TRY(checkComplete(shared));
    if (bank < 0 || static_cast<size_t>(bank) >= shared.slots.size())
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginProgramGetBank: bank " + std::to_string(bank) + " of " +
                      std::to_string(shared.slots.size()));
    std::memcpy(out,
                &shared.ranks[static_cast<size_t>(program->rank)]
                     .banks[static_cast<size_t>(bank)],
                size);
    return GIN_SUCCESS;
  });
}

ginResult_t ginProgramReadSlot(ginProgram_t program, int bank, uint32_t slot,
                               uint64_t *count) {
  return guarded([&]() -> ginResult_t {
    if (!program || !count)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginProgramReadSlot: a null pointer");
    Bank device;
    GIN_TRY(ginProgramGetBank(program, bank, &device, sizeof device));
    if (slot >= device.slots)
      return fail(GIN_ERR_NO_SLOT, "slot " + std::to_string(slot) + " of " +
                                       std::to_string(device.slots));
    SharedProgram &shared = *program->shared;
    Backend &backend = *shared.group->backend;
    uint64_t words[2];
    GIN_TRY(backend.copy(program->rank, &words[0],
                         device.values + slot * slotStride, sizeof words[0]));
    GIN_TRY(backend.copy(program->rank, &words[1], device.bases + slot,
                         sizeof words[1]));
    *count = words[0] - words[1];
    return GIN_SUCCESS;
  });
}
