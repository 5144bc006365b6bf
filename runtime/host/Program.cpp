//===- Program.cpp - banks of signals and launch counters -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

#include <algorithm>
#include <cstdio>
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

ginResult_t SharedProgram::tryToAllocate() {
  Backend &backend = *group->backend;
  const int count = group->ranks;
  ranks.resize(static_cast<size_t>(count));
  const Layout layout(*this, ranks.size());
  void *memory = nullptr;
  GIN_TRY(backend.allocateCommon(ranks.size() * sizeof *records, &memory));
  records = static_cast<ErrorRecord *>(memory);
  for (int rank = 0; rank < count; ++rank) {
    RankProgram &own = ranks[static_cast<size_t>(rank)];
    GIN_TRY(backend.allocate(rank, layout.end, &memory));
    own.memory = static_cast<char *>(memory);
    GIN_TRY(backend.createQueue(rank, reinterpret_cast<State *>(own.memory),
                                lanes, own.queue));
    own.launch = std::make_unique<OpenLaunch>(prefix(), lanes);
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

ginResult_t SharedProgram::allocate() {
  // std::bad_alloc too is to leave nothing behind.
  const ginResult_t result = guarded([&] { return tryToAllocate(); });
  if (result != GIN_SUCCESS)
    release();
  return result;
}

void SharedProgram::release() {
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    if (ranks[rank].memory)
      group->backend->release(static_cast<int>(rank), ranks[rank].memory);
  ranks.clear();
  if (records)
    group->backend->releaseCommon(records);
  records = nullptr;
}

void SharedProgram::wait() const {
  for (const RankProgram &own : ranks)
    if (own.queue)
      own.queue->wait();
}

SharedProgram::~SharedProgram() {
  // No rank's memory goes while another may still signal into it.
  wait();
  if (records) {
    std::lock_guard<std::mutex> lock(group->mutex);
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
      ginError_t error;
      if (readRecord(records[rank], error))
        group->errors.push_back(error);
    }
  }
  release();
}

/// All in which the ranks' configurations agree.
static std::string termsOf(const ginProgramConfig_t &config,
                           const std::vector<uint32_t> &slots, uint32_t teams,
                           uint32_t lanes) {
  std::string text = config.name && *config.name
                         ? "program '" + std::string(config.name) + "'"
                         : "a program";
  if (config.fingerprint != 0) {
    char number[32];
    std::snprintf(number, sizeof number, " (code %016llx)",
                  static_cast<unsigned long long>(config.fingerprint));
    text += number;
  }
  text += " with banks of";
  for (size_t i = 0; i < slots.size(); ++i)
    text += (i == 0 ? " " : ", ") + std::to_string(slots[i]);
  text += (slots.empty() ? " no" : "") + std::string(" slots, barriers of ") +
          std::to_string(teams) + " teams, " + std::to_string(lanes) +
          " lanes, time-out " + std::to_string(config.timeout) + " ns";
  for (int i = 0; i < config.agreed; ++i)
    text += std::string(", ") + config.agreedNames[i] + " = " +
            std::to_string(config.agreedValues[i]);
  return text;
}

ginResult_t ginProgramCreate(ginComm_t comm, const ginProgramConfig_t *config,
                             ginProgram_t *program) {
  return guarded([&]() -> ginResult_t {
    if (!comm || !config || !program || config->banks < 0 ||
        (config->banks > 0 && !config->slots) || config->agreed < 0 ||
        (config->agreed > 0 && (!config->agreedNames || !config->agreedValues)))
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginProgramCreate: a null pointer, or a count below 0");
    for (int i = 0; i < config->agreed; ++i)
      if (!config->agreedNames[i])
        return fail(GIN_ERR_INVALID_ARGUMENT, "ginProgramCreate: agreedNames[" +
                                                  std::to_string(i) +
                                                  "] is null");
    const std::vector<uint32_t> slots(config->slots,
                                      config->slots + config->banks);
    uint64_t all = 0;
    for (uint32_t count : slots)
      all += count;
    auto handle = std::make_unique<ginProgram>();
    handle->rank = comm->rank;
    Group &group = *comm->group;
    const std::string name = config->name ? config->name : "";
    if (all >= uint64_t(1) << 31)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  (name.empty() ? "ginProgramCreate" : name) +
                      ": the banks have " + std::to_string(all) +
                      " slots, of less than 2^31");
    if (config->lanes > GIN_MAX_LANES)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  (name.empty() ? "ginProgramCreate" : name) + ": " +
                      std::to_string(config->lanes) + " lanes, of at most " +
                      std::to_string(GIN_MAX_LANES));
    GIN_TRY(group.backend->checkSetUp(comm->rank));
    const uint32_t teams = std::max(config->teams, 1u);
    const uint32_t lanes = std::max(config->lanes, 1u);
    const std::string terms = termsOf(*config, slots, teams, lanes);
    std::lock_guard<std::mutex> lock(group.mutex);
    GIN_TRY(group.find(comm->rank, terms, handle->shared));
    SharedProgram &shared = *handle->shared;
    if (!shared.group) {
      shared.group = comm->group;
      shared.name = name;
      shared.architectures = config->architectures ? config->architectures : "";
      shared.slots = slots;
      shared.teams = teams;
      shared.lanes = lanes;
      shared.timeout = config->timeout;
    }
    if (shared.missing == 1) {
      GIN_TRY(shared.allocate());
      group.programs.erase(
          std::remove_if(group.programs.begin(), group.programs.end(),
                         [](const auto &weak) { return weak.expired(); }),
          group.programs.end());
      group.programs.push_back(handle->shared);
    }
    group.join(comm->rank, handle->shared);
    *program = handle.release();
    return GIN_SUCCESS;
  });
}

ginResult_t ginProgramDestroy(ginProgram_t program) {
  if (!program)
    return GIN_SUCCESS;
  return guarded([&]() -> ginResult_t {
    const std::unique_ptr<ginProgram> handle(program);
    SharedProgram &shared = *program->shared;
    Group &group = *shared.group;
    ginError_t error;
    ginResult_t result = GIN_SUCCESS;
    // After an error launches end as they can.
    if (shared.complete() && !firstError(group, program->rank, error))
      result = shared.ranks[static_cast<size_t>(program->rank)]
                   .launch->checkClosed();
    bool last = false;
    {
      std::lock_guard<std::mutex> lock(group.mutex);
      group.leave(program->rank, shared);
      last = shared.complete() && ++shared.left == shared.ranks.size();
    }
    if (last && result == GIN_SUCCESS)
      result = shared.checkBalance();
    return result;
  });
}

ginResult_t gin::host::checkComplete(const SharedProgram &shared) {
  if (shared.complete())
    return GIN_SUCCESS;
  std::lock_guard<std::mutex> lock(shared.group->mutex);
  return fail(GIN_ERR_INCOMPLETE, shared.prefix() + "not yet created by " +
                                      shared.group->absent(shared));
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

ginResult_t gin::host::checkWindow(const ginProgram &program,
                                   const ginWindow &window,
                                   const std::string &prefix) {
  Group &group = *program.shared->group;
  const std::string text =
      prefix + "window " + std::to_string(window.shared->id) + " is that of ";
  if (window.shared->group.get() != &group)
    return fail(GIN_ERR_INVALID_ARGUMENT, text + "another communicator");
  if (window.rank != program.rank)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                text + "rank " + std::to_string(window.rank) +
                    ", and the program that of rank " +
                    std::to_string(program.rank));
  std::lock_guard<std::mutex> lock(group.mutex);
  return checkRegistered(*window.shared);
}

ginResult_t ginProgramCheckWindow(ginProgram_t program, ginWindow_t window) {
  return guarded([&]() -> ginResult_t {
    if (!program || !window)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginProgramCheckWindow: a null pointer");
    return checkWindow(*program, *window, "");
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
      return fail(GIN_ERR_NO_SLOT, shared.prefix() + "there is no bank " +
                                       std::to_string(bank) + ", but " +
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
      return fail(GIN_ERR_NO_SLOT,
                  program->shared->prefix() + "bank " + std::to_string(bank) +
                      " has " + std::to_string(device.slots) +
                      " slots, this is slot " + std::to_string(slot));
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
