//===- TensorMap.cpp - descriptions of matrices for tensor copies ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/cuda/Cuda.h"
#include "runtime/include/gin_matmul.h"

#include <cuda.h>

#include <cstring>

using namespace gin::host;

// Hardware asks for an alignment of 64; newer headers say 128.
static_assert(sizeof(ginTensorMap_t) == sizeof(CUtensorMap),
              "a ginTensorMap_t holds a CUtensorMap");

using Encode = decltype(&cuTensorMapEncodeTiled);

/// The driver's function, or null if it has none: libcuda is not linked, so
/// that programs start where there is no driver.
static ginResult_t findEncode(Encode &encode) {
  static void *found = nullptr;
  static const cudaError_t error = [] {
    cudaDriverEntryPointQueryResult result;
#if CUDART_VERSION >= 12050
    return cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found,
                                            12000, cudaEnableDefault, &result);
#else
    return cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found,
                                   cudaEnableDefault, &result);
#endif
  }();
  if (error != cudaSuccess)
    return failCuda(error, "cudaGetDriverEntryPoint");
  encode = reinterpret_cast<Encode>(found);
  return GIN_SUCCESS;
}

static size_t sizeOf(ginElement_t element) {
  return element == GIN_ELEMENT_F32 ? 4 : 2;
}

static bool toSwizzle(unsigned bytes, CUtensorMapSwizzle &swizzle) {
  switch (bytes) {
  case 0:
    swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
    return true;
  case 32:
    swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
    return true;
  case 64:
    swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
    return true;
  case 128:
    swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
    return true;
  default:
    return false;
  }
}

/// Whether the current device copies by tensor maps.
static ginResult_t hasTensorCopies(bool &has) {
  int device = 0, major = 0;
  GIN_TRY_CUDA(cudaGetDevice(&device));
  GIN_TRY_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor,
                                      device));
  has = major >= 9;
  return GIN_SUCCESS;
}

ginResult_t ginTensorMapMake(ginElement_t element, const void *data,
                             int64_t count, int64_t rows, int64_t columns,
                             int64_t stride, unsigned boxRows,
                             unsigned boxColumns, unsigned swizzle,
                             ginTensorMap_t *map, int *made) {
  return guarded([&]() -> ginResult_t {
    if (!map || !made)
      return fail(GIN_ERR_INVALID_ARGUMENT, "ginTensorMapMake: a null pointer");
    *made = 0;
    std::memset(map, 0, sizeof *map);
    CUtensorMapSwizzle pattern;
    const size_t size = sizeOf(element);
    if (!toSwizzle(swizzle, pattern) || boxRows == 0 || boxRows > 256 ||
        boxColumns == 0 || boxColumns > 256 || boxColumns * size % 16 != 0 ||
        (swizzle != 0 && boxColumns * size > swizzle))
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginTensorMapMake: a box of " + std::to_string(boxRows) +
                      " x " + std::to_string(boxColumns) +
                      " elements with a swizzle of " + std::to_string(swizzle) +
                      " bytes");
    // The limits of cuTensorMapEncodeTiled, as the driver API documents them.
    const int64_t most = (int64_t(1) << 32) - 1;
    if (element == GIN_ELEMENT_OTHER || count < 0 || count > most || rows < 1 ||
        rows > most || columns < 1 || columns > most || stride < columns ||
        stride >= (int64_t(1) << 40) / int64_t(size) ||
        (count > 0 &&
         stride > ((int64_t(1) << 40) - 1) / int64_t(size) / rows) ||
        uint64_t(stride) * size % 16 != 0 ||
        reinterpret_cast<uintptr_t>(data) % 16 != 0)
      return GIN_SUCCESS;
    bool has = false;
    GIN_TRY(hasTensorCopies(has));
    if (!has)
      return GIN_SUCCESS;
    Encode encode = nullptr;
    GIN_TRY(findEncode(encode));
    if (!encode)
      return fail(GIN_ERR_NO_BACKEND, "the driver has no tensor maps");
    const CUtensorMapDataType types[] = {CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
                                         CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                                         CU_TENSOR_MAP_DATA_TYPE_FLOAT32};
    const cuuint64_t row = cuuint64_t(stride) * size;
    const cuuint64_t sizes[] = {cuuint64_t(columns), cuuint64_t(rows),
                                cuuint64_t(count)};
    const cuuint64_t strides[] = {row, cuuint64_t(rows) * row};
    const cuuint32_t box[] = {boxColumns, boxRows, 1}, steps[] = {1, 1, 1};
    CUtensorMap result;
    const CUresult error = encode(
        &result, types[element], count > 0 ? 3 : 2, const_cast<void *>(data),
        sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, pattern,
        CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (error != CUDA_SUCCESS)
      return fail(GIN_ERR_CUDA, "cuTensorMapEncodeTiled: error " +
                                    std::to_string(static_cast<int>(error)));
    std::memcpy(map, &result, sizeof result);
    *made = 1;
    return GIN_SUCCESS;
  });
}
