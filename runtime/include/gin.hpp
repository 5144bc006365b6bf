//===- gin.hpp - gin.h for C++ ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernel arguments with their types, and launches with their arguments. Errors
// stay codes.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_HPP
#define GIN_HPP

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

/// Keeps a parameter from taking part in the deduction of its type.
template <class T>
struct Given {
  using type = T;
};

/// Launches `kernel` on `blocks` blocks of `threads` threads, in `stream`. Its
/// arguments are converted to the types of its parameters.
template <class... Parameters>
ginResult_t launch(ginProgram_t program, void (*kernel)(Parameters...),
                   unsigned blocks, unsigned threads, size_t shared,
                   void *stream,
                   typename Given<Parameters>::type... arguments) {
  void *pointers[] = {
      const_cast<void *>(static_cast<const void *>(&arguments))..., nullptr};
  ginLaunchConfig_t config = {{blocks, 1, 1}, {threads, 1, 1}, shared, stream};
  return ginLaunch(program, reinterpret_cast<const void *>(kernel), &config,
                   pointers);
}

} // namespace gin

#endif // GIN_HPP
