#===- TestApps.cmake - build an application, and run it ---------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===------------------------------------------------------------------------===#

cmake_minimum_required(VERSION 3.25)

function(run wanted)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result IN_LIST wanted)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${result}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${SCRATCH}/build)
if(NVCC)
  set(cuda -DCMAKE_CUDA_COMPILER=${NVCC})
endif()
run(0 ${CMAKE_COMMAND} -G ${GENERATOR} -S ${APPLICATION} -B ${SCRATCH}/build
    -DCMAKE_PREFIX_PATH=${PREFIX} -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${CXX_FLAGS} ${cuda})
run(0 ${CMAKE_COMMAND} --build ${SCRATCH}/build)
foreach(ranks 1 2 3 8)
  run(0 ${SCRATCH}/build/exchange ${ranks})
  message(STATUS "${output}")
endforeach()

# An error ends it with the runtime's words.
run(1 ${SCRATCH}/build/exchange 65)
if(NOT output MATCHES "cannot start the ranks: GIN_ERR_INVALID_ARGUMENT.*65 ranks, of at most 64")
  message(FATAL_ERROR "of 65 ranks the application says:\n${output}")
endif()

# On GPUs, if there are two: else it says so.
if(EXISTS ${SCRATCH}/build/exchange-cuda)
  run("0;77" ${SCRATCH}/build/exchange-cuda)
  message(STATUS "${output}")
endif()
