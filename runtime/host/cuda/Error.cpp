//===- Error.cpp - results for errors of CUDA -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/cuda/Cuda.h"

using namespace gin::host;

ginResult_t gin::host::failCuda(cudaError_t error, const char *what) noexcept {
  // Not sticky: the next call shall not report it again.
  cudaGetLastError();
  ginResult_t result = GIN_ERR_CUDA;
  const char *before = "";
  switch (error) {
  case cudaErrorNoDevice:
  case cudaErrorInsufficientDriver:
  case cudaErrorInitializationError:
  case cudaErrorNoKernelImageForDevice:
    result = GIN_ERR_NO_BACKEND;
    break;
  case cudaErrorMemoryAllocation:
    result = GIN_ERR_OUT_OF_MEMORY;
    break;
  case cudaErrorCooperativeLaunchTooLarge:
    result = GIN_ERR_NOT_RESIDENT;
    break;
  case cudaErrorPeerAccessUnsupported:
    result = GIN_ERR_NO_PEER_ACCESS;
    break;
  case cudaErrorStreamCaptureUnsupported:
  case cudaErrorStreamCaptureInvalidated:
  case cudaErrorStreamCaptureImplicit:
    result = GIN_ERR_IN_CAPTURE;
    before = "a stream is being captured into a graph: ";
    break;
  default:
    break;
  }
  try {
    std::string call(what);
    return fail(result, before + std::string(cudaGetErrorName(error)) + " (" +
                            cudaGetErrorString(error) + ") from " +
                            call.substr(0, call.find('(')));
  } catch (...) {
    return result;
  }
}
