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

ginResult_t gin::host::checkLanes(const ginProgram &program,
                                  std::initializer_list<unsigned> lanes) {
  const SharedProgram &shared = *program.shared;
  ginError_t error;
  if (firstError(*shared.group, program.rank, error))
    return fail(error.result, error.message);
  for (const unsigned lane : lanes)
    if (lane >= shared.lanes)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  shared.prefix() + "there is no lane " + std::to_string(lane) +
                      ", but " + std::to_string(shared.lanes) +
                      "; the program's configuration says how many");
  return GIN_SUCCESS;
}

LaunchQueue &gin::host::queueOf(const ginProgram &program) {
  return *program.shared->ranks[static_cast<size_t>(program.rank)].queue;
}

/// The product of three extents; what is too much for 64 bits is their most.
static uint64_t volume(const unsigned (&extents)[3]) {
  uint64_t product = 1;
  bool overflows = false;
  for (const unsigned extent : extents)
    overflows |= __builtin_mul_overflow(product, extent, &product);
  return overflows && product != 0 ? UINT64_MAX : product;
}

ginResult_t ginLaunch(ginProgram_t program, const void *function,
                      const ginLaunchConfig_t *config, void **arguments) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkHandle(program, "ginLaunch", function));
    if (!config || !arguments)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginLaunch: a null pointer; a kernel takes at least its "
                  "gin::Program");
    const SharedProgram &shared = *program->shared;
    GIN_TRY(checkLanes(*program, {config->lane}));
    uint64_t most = 0;
    const uint64_t blocks = volume(config->grid);
    const uint64_t threads = volume(config->block);
    if (blocks == 0)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  shared.prefix() + "a grid of no blocks");
    GIN_TRY(countBlocks(*program, function, threads, config->shared,
                        config->stream, most));
    if (blocks > most)
      return fail(GIN_ERR_NOT_RESIDENT,
                  shared.prefix() + std::to_string(blocks) + " blocks of " +
                      std::to_string(threads) + " threads and " +
                      std::to_string(config->shared) +
                      " bytes of shared memory; " + std::to_string(most) +
                      " run at once");
    return queueOf(*program).launch(function, *config, arguments);
  });
}

ginResult_t ginLaunchOrder(ginProgram_t program, void *stream, unsigned before,
                           unsigned after) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkHandle(program, "ginLaunchOrder", program));
    GIN_TRY(checkLanes(*program, {before, after}));
    if (before == after)
      return GIN_SUCCESS;
    return queueOf(*program).order(stream, before, after);
  });
}
