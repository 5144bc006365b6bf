//===- Launch.cpp - launches ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

#include <algorithm>

using namespace gin;
using namespace gin::host;

/// Of a call that takes a program and, by a pointer, something more.
static ginResult_t checkHandle(ginProgram_t program, const char *name,
                               const void *more) {
  if (!program || !more)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                std::string(name) + ": a null pointer");
  return checkComplete(*program->shared);
}

/// "sm_90, sm_100" for the "900,1000" of GIN_ARCHITECTURES.
static std::string architectureNames(const std::string &list) {
  std::string names;
  for (size_t i = 0; i < list.size();) {
    const size_t end = std::min(list.find(',', i), list.size());
    names += (names.empty() ? "sm_" : ", sm_") +
             list.substr(i, end - i > 1 ? end - i - 1 : end - i);
    i = end + 1;
  }
  return names;
}

static ginResult_t load(const ginProgram &program, const void *function,
                        size_t bytes, void *stream) {
  const SharedProgram &shared = *program.shared;
  const ginResult_t result =
      shared.group->backend->preload(program.rank, function, bytes, stream);
  if (result == GIN_SUCCESS)
    return result;
  std::string text = shared.prefix() + ginGetLastError();
  if (result == GIN_ERR_NO_BACKEND && !shared.architectures.empty())
    text += "; it is compiled for " + architectureNames(shared.architectures);
  return fail(result, text);
}

/// How many blocks run at once; at least 1 if all is well.
static ginResult_t countBlocks(const ginProgram &program, const void *function,
                               uint64_t threads, size_t shared, void *stream,
                               uint64_t &blocks) {
  const std::string prefix = program.shared->prefix();
  if (threads == 0 || threads > 1024)
    return fail(GIN_ERR_INVALID_ARGUMENT, prefix + "blocks of " +
                                              std::to_string(threads) +
                                              " threads, of 1 to 1024");
  GIN_TRY(load(program, function, shared, stream));
  GIN_TRY(program.shared->group->backend->maxBlocks(
      program.rank, function, static_cast<unsigned>(threads), shared, blocks));
  if (blocks == 0)
    return fail(GIN_ERR_NOT_RESIDENT,
                prefix + "not even one block of " + std::to_string(threads) +
                    " threads and " + std::to_string(shared) +
                    " bytes of shared memory");
  return GIN_SUCCESS;
}

ginResult_t ginProgramPreload(ginProgram_t program, const void *function,
                              size_t shared) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkHandle(program, "ginProgramPreload", function));
    return load(*program, function, shared, nullptr);
  });
}

ginResult_t ginProgramMaxBlocks(ginProgram_t program, const void *function,
                                unsigned threads, size_t shared,
                                unsigned *blocks) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkHandle(program, "ginProgramMaxBlocks", function));
    if (!blocks)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginProgramMaxBlocks: blocks is null");
    uint64_t most = 0;
    GIN_TRY(countBlocks(*program, function, threads, shared, nullptr, most));
    *blocks = static_cast<unsigned>(most);
    return GIN_SUCCESS;
  });
}

ginResult_t
gin::host::launchPart(const ginProgram &program, void *stream,
                      const std::function<ginResult_t(RankProgram &)> &part) {
  SharedProgram &shared = *program.shared;
  RankProgram &own = shared.ranks[static_cast<size_t>(program.rank)];
  ginError_t error;
  if (firstError(*shared.group, program.rank, error))
    return fail(error.result, error.message);
  // std::bad_alloc too breaks off the launch.
  const ginResult_t result = guarded([&]() -> ginResult_t {
    GIN_TRY(own.launch->checkStream(*own.queue, stream));
    return part(own);
  });
  if (result != GIN_SUCCESS)
    own.launch->breakOff();
  return result;
}

/// The product of three extents; what is too much for 64 bits is their most.
static uint64_t volume(const unsigned (&extents)[3]) {
  uint64_t product = 1;
  bool overflows = false;
  for (const unsigned extent : extents)
    overflows |= __builtin_mul_overflow(product, extent, &product);
  return overflows && product != 0 ? UINT64_MAX : product;
}

/// Whether the kernel's own view of the launch is the host's.
static ginResult_t checkFirstArgument(const ginProgram &program,
                                      const RankProgram &own,
                                      const Program *argument, unsigned lane) {
  const std::string prefix =
      program.shared->prefix() + "the kernel's first argument is ";
  if (!argument)
    return fail(GIN_ERR_INVALID_ARGUMENT, prefix + "no gin::Program");
  const Program &given = *argument;
  if (given.state != own.program.state)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                prefix + "not this program's gin::Program of rank " +
                    std::to_string(program.rank));
  if (given.lane != lane)
    return fail(GIN_ERR_INVALID_ARGUMENT, prefix + "a gin::Program of lane " +
                                              std::to_string(given.lane) +
                                              ", and it is launched in lane " +
                                              std::to_string(lane));
  return given.open != 0 ? own.launch->checkLane(lane)
                         : own.launch->checkEnd(lane);
}

static ginResult_t launchKernel(const ginProgram &program, RankProgram &own,
                                const void *function,
                                const ginLaunchConfig_t &config,
                                void **arguments) {
  const std::string prefix = program.shared->prefix();
  GIN_TRY(own.launch->checkExists(config.lane));
  uint64_t most = 0;
  const uint64_t blocks = volume(config.grid);
  const uint64_t threads = volume(config.block);
  if (blocks == 0)
    return fail(GIN_ERR_INVALID_ARGUMENT, prefix + "a grid of no blocks");
  GIN_TRY(countBlocks(program, function, threads, config.shared, config.stream,
                      most));
  if (blocks > most)
    return fail(GIN_ERR_NOT_RESIDENT,
                prefix + std::to_string(blocks) + " blocks of " +
                    std::to_string(threads) + " threads and " +
                    std::to_string(config.shared) +
                    " bytes of shared memory; " + std::to_string(most) +
                    " run at once");
  const Program *given = own.queue->programOf(function, arguments);
  GIN_TRY(checkFirstArgument(program, own, given, config.lane));
  GIN_TRY(own.queue->launch(function, config, arguments));
  if (given->open != 0)
    own.launch->add(config.lane);
  else
    own.launch->end();
  return GIN_SUCCESS;
}

ginResult_t ginLaunch(ginProgram_t program, const void *function,
                      const ginLaunchConfig_t *config, void **arguments) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkHandle(program, "ginLaunch", function));
    if (!config || !arguments)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginLaunch: a null pointer; a kernel takes at least its "
                  "gin::Program");
    return launchPart(*program, config->stream, [&](RankProgram &own) {
      return launchKernel(*program, own, function, *config, arguments);
    });
  });
}

ginResult_t ginLaunchOrder(ginProgram_t program, void *stream, unsigned before,
                           unsigned after) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkHandle(program, "ginLaunchOrder", program));
    return launchPart(*program, stream, [&](RankProgram &own) -> ginResult_t {
      GIN_TRY(own.launch->checkLane(before));
      GIN_TRY(own.launch->checkExists(after));
      if (before == after)
        return GIN_SUCCESS;
      GIN_TRY(own.queue->order(stream, before, after));
      own.launch->order(before, after);
      return GIN_SUCCESS;
    });
  });
}

ginResult_t ginLaunchBreakOff(ginProgram_t program) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkHandle(program, "ginLaunchBreakOff", program));
    SharedProgram &shared = *program->shared;
    shared.ranks[static_cast<size_t>(program->rank)].launch->breakOff();
    return GIN_SUCCESS;
  });
}
