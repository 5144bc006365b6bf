#===- TestInstall.cmake - install, then build against what was installed ----===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===------------------------------------------------------------------------===#

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(prefix ${SCRATCH}/prefix)
set(consumer ${SCRATCH}/consumer)
file(REMOVE_RECURSE ${prefix} ${consumer})

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CONSUMER} -B ${consumer}
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${CXX_FLAGS}
    -DGINC_VERSION_WANTED=${VERSION})
run(${CMAKE_COMMAND} --build ${consumer})
foreach(program compile simulate ring)
  run(${consumer}/${program})
  message(STATUS "${program}: ${output}")
endforeach()

# What is installed suffices for a library of a compiled program.
run(${prefix}/bin/ginc build ${EXAMPLE} -o ${SCRATCH}/built --shared --arch host)
if(NOT EXISTS ${SCRATCH}/built/libhello.so)
  message(FATAL_ERROR "ginc build made no library:\n${output}")
endif()

# The installed tools run from where they are.
foreach(tool gin-opt gin-lsp-server gin-translate ginc)
  run(${prefix}/bin/${tool} --version)
  if(NOT output MATCHES "ginc (version )?${VERSION}")
    message(FATAL_ERROR "${tool} --version does not tell ${VERSION}:\n${output}")
  endif()
endforeach()
