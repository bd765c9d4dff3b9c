# SPDX-License-Identifier: Apache-2.0
# `cpack -G DEB` in a build folder that was configured with -DCMAKE_INSTALL_PREFIX=/usr: programs, their
# data and units, without libraries and headers. Dependencies are those that the programs are linked to.
set(CPACK_PACKAGE_NAME ebb)
set(CPACK_PACKAGE_CONTACT "The ebb developers <ebb@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL programs)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME ebb)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openvswitch-switch, iproute2")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gnuplot-nox, fping, openssl, prometheus")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/share/debian/postinst)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
