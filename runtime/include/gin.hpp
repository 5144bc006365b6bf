//===- gin.hpp - gin.h for C++ ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernel arguments with their types, and launches with their arguments, the
// same text for GPUs and for the host. Errors stay codes.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_HPP
#define GIN_HPP

#include "runtime/device/Kernel.h"
#include "runtime/device/Types.h"
#include "runtime/include/gin.h"

#include <cstddef>

namespace gin {

inline ginResult_t getDevice(ginWindow_t window, Window &out) {
  return ginWindowGetDevice(window, &out, sizeof out);
}
inline ginResult_t getDevice(ginProgram_t program, Program &out) {
  return ginProgramGetDevice(program, &out, sizeof out);
}
inline ginResult_t getBank(ginProgram_t program, int bank, Bank &out) {
  return ginProgramGetBank(program, bank, &out, sizeof out);
}

/// `blocks` blocks of `threads` threads, in `stream` as lane 0.
inline ginLaunchConfig_t launchConfig(unsigned blocks, unsigned threads,
                                      size_t shared, void *stream) {
  ginLaunchConfig_t config = {};
  config.grid[0] = blocks;
  config.block[0] = threads;
  config.grid[1] = config.grid[2] = config.block[1] = config.block[2] = 1;
  config.shared = shared;
  config.stream = stream;
  return config;
}

/// Keeps a parameter from taking part in the deduction of its type.
template <class T>
struct Given {
  using type = T;
};

/// Launches `kernel`. Its arguments are converted to the types of its
/// parameters. Static, since it is not the same in code that nvcc compiles.
template <class... Parameters>
static ginResult_t launch(ginProgram_t program, void (*kernel)(Parameters...),
                          const ginLaunchConfig_t &config,
                          typename Given<Parameters>::type... arguments) {
  // The kernel itself comes first for the description that serves all kernels
  // with these parameters.
  void *pointers[] = {
      static_cast<void *>(&kernel),
      const_cast<void *>(static_cast<const void *>(&arguments))..., nullptr};
  if constexpr (detail::compiledForHost) {
    ginBackend_t backend;
    if (ginResult_t result = ginProgramBackend(program, &backend))
      return result;
    if (backend == GIN_BACKEND_HOST)
      return ginLaunch(program, &detail::AnyKernel<Parameters...>::description,
                       &config, pointers);
  }
  return ginLaunch(program, reinterpret_cast<const void *>(kernel), &config,
                   pointers + 1);
}

/// The same on `blocks` blocks of `threads` threads, in `stream`, as the only
/// kernel of a launch.
template <class... Parameters>
static ginResult_t launch(ginProgram_t program, void (*kernel)(Parameters...),
                          unsigned blocks, unsigned threads, size_t shared,
                          void *stream,
                          typename Given<Parameters>::type... arguments) {
  return launch(program, kernel, launchConfig(blocks, threads, shared, stream),
                arguments...);
}

} // namespace gin

#endif // GIN_HPP
