#===- GincCuda.cmake - is there a CUDA toolkit? ----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===------------------------------------------------------------------------===#
#
# CUDA is optional: GINC_HAVE_CUDA only adds what is compiled for GPUs.

find_package(CUDAToolkit QUIET)
set(GINC_HAVE_CUDA ${CUDAToolkit_FOUND})
if(GINC_HAVE_CUDA)
  message(STATUS "CUDA ${CUDAToolkit_VERSION}: ${CUDAToolkit_NVCC_EXECUTABLE}")
else()
  set(GINC_HAVE_CUDA OFF)
  message(STATUS "CUDA: absent (optional; programs run on the CPU)")
endif()
