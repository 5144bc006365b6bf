//===- Launch.cpp - launches ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

using namespace gin;
using namespace gin::host;

static ginResult_t checkHandle(ginProgram_t program, const void *function,
                               const char *name) {
  if (!program || !function)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                std::string(name) + ": a null pointer");
  if (program->shared->missing != 0)
    return fail(GIN_ERR_INCOMPLETE, std::to_string(program->shared->missing) +
                                        " ranks have not created the program");
  return GIN_SUCCESS;
}

/// How many blocks run at once; at least 1 if all is well.
static ginResult_t countBlocks(const ginProgram &program, const void *function,
                               uint64_t threads, size_t shared,
                               uint64_t &blocks) {
  if (threads == 0 || threads > 1024)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                "blocks of " + std::to_string(threads) + " threads");
  Backend &backend = *program.shared->group->backend;
  GIN_TRY(backend.preload(function, shared));
  GIN_TRY(backend.maxBlocks(program.rank, function,
                            static_cast<unsigned>(threads), shared, blocks));
  if (blocks == 0)
    return fail(GIN_ERR_NOT_RESIDENT,
                "not even one block of " + std::to_string(threads) +
                    " threads and " + std::to_string(shared) +
                    " bytes of shared memory");
  return GIN_SUCCESS;
}

ginResult_t ginProgramPreload(ginProgram_t program, const void *function,
                              size_t shared) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkHandle(program, function, "ginProgramPreload"));
    return program->shared->group->backend->preload(function, shared);
  });
}

ginResult_t ginProgramMaxBlocks(ginProgram_t program, const void *function,
                                unsigned threads, size_t shared,
                                unsigned *blocks) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkHandle(program, function, "ginProgramMaxBlocks"));
    if (!blocks)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginProgramMaxBlocks: blocks is null");
    uint64_t most = 0;
    GIN_TRY(countBlocks(*program, function, threads, shared, most));
    *blocks = static_cast<unsigned>(most);
    return GIN_SUCCESS;
  });
}

ginResult_t ginLaunch(ginProgram_t program, const void *function,
                      const ginLaunchConfig_t *config, void **arguments) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkHandle(program, function, "ginLaunch"));
    if (!config)
      return fail(GIN_ERR_INVALID_ARGUMENT, "ginLaunch: config is null");
    SharedProgram &shared = *program->shared;
    ginError_t error;
    if (firstError(*shared.group, program->rank, error))
      return fail(error.result, error.message);
    uint64_t blocks = 1, threads = 1, most = 0;
    for (int i = 0; i < 3; ++i) {
      blocks *= config->grid[i];
      threads *= config->block[i];
    }
    if (blocks == 0)
      return fail(GIN_ERR_INVALID_ARGUMENT, "ginLaunch: a grid of no blocks");
    GIN_TRY(countBlocks(*program, function, threads, config->shared, most));
    if (blocks > most)
      return fail(GIN_ERR_NOT_RESIDENT,
                  std::to_string(blocks) + " blocks of " +
                      std::to_string(threads) + " threads and " +
                      std::to_string(config->shared) +
                      " bytes of shared memory; " + std::to_string(most) +
                      " run at once");
    return shared.ranks[static_cast<size_t>(program->rank)].queue->launch(
        function, *config, arguments);
  });
}
