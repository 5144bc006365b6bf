//===- Absent.cpp - a build without fibers --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Backend.h"

using namespace gin::host;

ginResult_t gin::host::createHostBackend(int, std::unique_ptr<Backend> &) {
  return fail(GIN_ERR_NO_BACKEND,
              "this library was built without Boost.Context");
}
