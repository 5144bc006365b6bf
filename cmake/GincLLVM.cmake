#===- GincLLVM.cmake - LLVM and MLIR, and how to build against them --------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===------------------------------------------------------------------------===#

# LLVM 22 is seldom on the default search path; its llvm-config knows where.
find_program(GINC_LLVM_CONFIG llvm-config-22)
if(GINC_LLVM_CONFIG AND NOT MLIR_DIR)
  execute_process(COMMAND ${GINC_LLVM_CONFIG} --cmakedir
                  OUTPUT_VARIABLE llvm_cmake_dir
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  cmake_path(GET llvm_cmake_dir PARENT_PATH llvm_cmake_dir)
endif()
find_package(MLIR 22.1 CONFIG HINTS ${llvm_cmake_dir}/mlir)
if(NOT MLIR_FOUND)
  message(FATAL_ERROR "MLIR 22 was not found. On Debian, scripts/setup.sh "
    "installs it; elsewhere, pass -DMLIR_DIR=<prefix>/lib/cmake/mlir.")
endif()
message(STATUS "LLVM and MLIR ${LLVM_PACKAGE_VERSION}: ${LLVM_INSTALL_PREFIX}")

# Link libMLIR.so: mixing it with the static archives that lie beside it gives
# two copies of every type id at run time.
set(MLIR_LINK_MLIR_DYLIB ON)
set(MLIR_BINARY_DIR ${PROJECT_BINARY_DIR})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(LLVM_EXTERNAL_LIT ${LLVM_TOOLS_BINARY_DIR}/lit CACHE FILEPATH
    "The test driver lit")
set(LLVM_TABLEGEN_EXE ${LLVM_TOOLS_BINARY_DIR}/llvm-tblgen) # option tables
set(LLVM_ENABLE_WERROR ${GINC_ENABLE_WERROR})

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions) # -Wall -Wextra and more; linker; sanitizers

# As system headers, so that upstream's warnings are not ours.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND ${LLVM_DEFINITIONS})
add_definitions(${llvm_definitions})
