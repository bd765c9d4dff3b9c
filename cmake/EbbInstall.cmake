# SPDX-License-Identifier: Apache-2.0
# What is installed, in components, each of which is a package of Debian (debian/rules): `programs` is ebb with its
# data, `fabric` what runs beside switches and hosts, `development` the libraries, `python` the package of Python (python/).
#
# `find_package(ebb)` for other projects: ebb::units, ebb::topology, ...
include(CMakePackageConfigHelpers)

get_property(ebb_libraries GLOBAL PROPERTY EBB_LIBRARIES)
install(TARGETS ${ebb_libraries} EXPORT ebbTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT ebbTargets NAMESPACE ebb:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ebb COMPONENT development)
configure_package_config_file(cmake/ebbConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/ebbConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ebb)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/ebbConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ebbConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/ebbConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ebb COMPONENT development)
install(TARGETS ebb RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
install(DIRECTORY parts peers repro examples DESTINATION ${CMAKE_INSTALL_DATADIR}/ebb COMPONENT programs)
# Models are part of the programs; the files are there to be copied.
install(DIRECTORY share/models DESTINATION ${CMAKE_INSTALL_DATADIR}/ebb/share COMPONENT programs)
# Parts, models and examples name their schema by its place beside them.
install(DIRECTORY docs/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/ebb/docs COMPONENT programs)

if(EBB_LIVE)
  include(EbbInstallLive)
endif()
