#===- GincInstall.cmake - what cmake --install installs ---------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===------------------------------------------------------------------------===#

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Includes are spelled "dialect/Gin.h", so they get a folder of their own.
set(include_dir ${CMAKE_INSTALL_INCLUDEDIR}/ginc)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Ginc)

set(libraries GinDialect GinPasses GinTarget GinFiber GinHost GinSim)
foreach(library IN LISTS libraries)
  target_compile_features(${library} INTERFACE cxx_std_17)
  target_include_directories(${library} INTERFACE
                             $<INSTALL_INTERFACE:${include_dir}>)
endforeach()

install(TARGETS ${libraries} EXPORT GincTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ginc gin-opt gin-lsp-server gin-translate EXPORT GincTargets
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS GinPlugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})

# What other folders may include, and what mlir-tblgen reads.
foreach(folder dialect passes)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}
                    ${PROJECT_BINARY_DIR}/${folder}
          DESTINATION ${include_dir}
          FILES_MATCHING
          PATTERN "*.h" PATTERN "*.td" PATTERN "*.h.inc"
          PATTERN "Internal*.h" EXCLUDE
          PATTERN "target/Text.h" EXCLUDE
          PATTERN conversion EXCLUDE
          PATTERN CMakeFiles EXCLUDE)
endforeach()
foreach(folder device include)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/${folder}
          DESTINATION ${include_dir}/runtime
          FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/runtime/sim/Simulator.h
        DESTINATION ${include_dir}/runtime/sim)

install(EXPORT GincTargets NAMESPACE Ginc:: DESTINATION ${package_dir})
configure_package_config_file(
  cmake/GincConfig.cmake.in ${PROJECT_BINARY_DIR}/GincConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/GincConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/GincConfig.cmake
              ${PROJECT_BINARY_DIR}/GincConfigVersion.cmake
        DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/ginc)
