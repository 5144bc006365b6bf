#===- GincGpu.cmake - what is compiled for GPUs ----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===------------------------------------------------------------------------===#

# For projects of their own, which a machine builds that has a CUDA toolkit and
# CMake, but no LLVM: the language level, the host runtime, the architecture.

if(NOT TARGET GinHost)
  set(CMAKE_CXX_STANDARD 17)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
  endif()
  add_subdirectory(${CMAKE_CURRENT_LIST_DIR}/../runtime/host host)
endif()

# 52 and 75 are what CMake and nvcc choose where nobody does.
if(NOT CMAKE_CUDA_ARCHITECTURES OR CMAKE_CUDA_ARCHITECTURES STREQUAL 75 OR
   CMAKE_CUDA_ARCHITECTURES STREQUAL 52)
  set(CMAKE_CUDA_ARCHITECTURES 90a)
endif()
