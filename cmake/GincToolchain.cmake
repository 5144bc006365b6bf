#===- GincToolchain.cmake - compilers and where their output goes ----------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===------------------------------------------------------------------------===#

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

# Installed tools find libMLIR.so where the build found it.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# Debian's own interpreter comes first: it has NumPy, on which the references
# of the examples depend, and one of another origin may shadow it in the PATH.
if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# Paths below the base folder are hashed relative to the build folder, so that the
# cache serves every clone, and every build folder beside or below the sources.
find_program(GINC_CCACHE ccache)
if(GINC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(cache_base ${PROJECT_SOURCE_DIR})
  cmake_path(IS_PREFIX cache_base ${PROJECT_BINARY_DIR} build_is_inside)
  if(NOT build_is_inside)
    set(cache_base /)
  endif()
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${cache_base}
      CCACHE_NOHASHDIR=1 ${GINC_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
