//===- NoTensorMap.cpp - without the CUDA toolkit -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Result.h"
#include "runtime/include/gin_matmul.h"

// As on a GPU that has no tensor copies: matrices are not mapped.
ginResult_t ginTensorMapMake(ginElement_t, const void *, int64_t, int64_t,
                             int64_t, int64_t, unsigned, unsigned, unsigned,
                             ginTensorMap_t *map, int *made) {
  if (!map || !made)
    return gin::host::fail(GIN_ERR_INVALID_ARGUMENT,
                           "ginTensorMapMake: a null pointer");
  *map = {};
  *made = 0;
  return GIN_SUCCESS;
}
