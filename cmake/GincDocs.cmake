#===- GincDocs.cmake - reference pages generated from TableGen -------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===------------------------------------------------------------------------===#

# ginc_reference_page(NAME FILE.td GENERATOR-FLAG...)
#
# Generates docs/reference/NAME.md in the build tree from FILE.td (relative to
# the project's root). The target `docs` copies all such pages into the source
# tree, where they are checked in; the test `docs-fresh` compares the two.
function(ginc_reference_page name td)
  set(LLVM_TARGET_DEFINITIONS ${PROJECT_SOURCE_DIR}/${td})
  tablegen(MLIR ${name}.md ${ARGN})
  set_property(GLOBAL APPEND PROPERTY GINC_REFERENCE_PAGES
               ${CMAKE_CURRENT_BINARY_DIR}/${name}.md)
endfunction()
