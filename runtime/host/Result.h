//===- Result.h - results with details --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How functions of the host runtime fail: they return a code, and leave a text
// for ginGetLastError. Nothing throws beyond the C interface.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_HOST_RESULT_H
#define GIN_HOST_RESULT_H

#include "runtime/include/gin.h"

#include <exception>
#include <new>
#include <string>

namespace gin::host {

/// Keeps `detail` for ginGetLastError, and returns `result`.
ginResult_t fail(ginResult_t result, std::string detail) noexcept;

/// Runs the body of a function of the C interface.
template <class Body>
ginResult_t guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return fail(GIN_ERR_OUT_OF_MEMORY, "host memory");
  } catch (const std::exception &error) {
    return fail(GIN_ERR_INTERNAL, error.what());
  }
}

} // namespace gin::host

#define GIN_TRY(call)                                                          \
  do {                                                                         \
    if (ginResult_t result_ = (call))                                          \
      return result_;                                                          \
  } while (false)

#endif // GIN_HOST_RESULT_H
