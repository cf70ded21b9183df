# The files that `cmake --install` installs: the libraries and their headers, the schemas, and the files for find_package and
# pkg-config. Internal headers are not installed.
include(CMakePackageConfigHelpers)

set(STOWAGE_INSTALL_SCHEMADIR ${CMAKE_INSTALL_DATADIR}/stowage/schema)
set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/stowage)

install(TARGETS stowage_shared stowage_static EXPORT stowage-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# The optional libraries: what each is for, and which others the static one needs.
set(parts "")
if(TARGET stowage_text_shared)
  set(parts text k8s)
endif()
set(what_text "instances and plans as JSON, explanations in words")
set(what_k8s "questions about Kubernetes clusters")
set(needs_k8s "stowage-text = ${PROJECT_VERSION}")
foreach(part ${parts})
  install(TARGETS stowage_${part}_shared stowage_${part}_static EXPORT stowage-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/capi/include/stowage_${part}.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/capi/include/stowage.h ${PROJECT_SOURCE_DIR}/capi/include/stowage.hpp
  ${PROJECT_SOURCE_DIR}/capi/include/stowage_wire.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/capi/schema/ DESTINATION ${STOWAGE_INSTALL_SCHEMADIR} FILES_MATCHING PATTERN *.fbs)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT stowage-targets NAMESPACE stowage:: DESTINATION ${cmake_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/stowage-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/stowage-config.cmake INSTALL_DESTINATION ${cmake_dir}
  PATH_VARS STOWAGE_INSTALL_SCHEMADIR)
# Before 1.0, a minor version may break compatibility; from 1.0 on, only a major version may.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/stowage-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/stowage-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/stowage-config-version.cmake
  DESTINATION ${cmake_dir})

# If the installation folders are relative, the .pc file derives its prefix from its own location, so that an installed tree can
# be moved.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(STOWAGE_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
  set(STOWAGE_PC_INCLUDEDIR ${CMAKE_INSTALL_FULL_INCLUDEDIR})
  set(STOWAGE_PC_LIBDIR ${CMAKE_INSTALL_FULL_LIBDIR})
else()
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" up "${up}")
  set(STOWAGE_PC_PREFIX "\${pcfiledir}/${up}")
  set(STOWAGE_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
  set(STOWAGE_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
# To link the static library, a C compiler needs the C++ runtime by name.
set(STOWAGE_PC_LIBS_PRIVATE "${CMAKE_THREAD_LIBS_INIT}")
foreach(library ${STOWAGE_CXX_RUNTIME})
  string(APPEND STOWAGE_PC_LIBS_PRIVATE " -l${library}")
endforeach()
string(STRIP "${STOWAGE_PC_LIBS_PRIVATE}" STOWAGE_PC_LIBS_PRIVATE)
configure_file(${PROJECT_SOURCE_DIR}/cmake/stowage.pc.in ${CMAKE_CURRENT_BINARY_DIR}/stowage.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/stowage.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
foreach(part ${parts})
  set(what ${what_${part}})
  set(needs ${needs_${part}})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/stowage-part.pc.in ${CMAKE_CURRENT_BINARY_DIR}/stowage-${part}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/stowage-${part}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
