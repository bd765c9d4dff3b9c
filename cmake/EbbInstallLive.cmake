# SPDX-License-Identifier: Apache-2.0
# What an operator of a live fabric needs beside the programs: a dashboard and units of systemd.
install(DIRECTORY share/grafana DESTINATION ${CMAKE_INSTALL_DATADIR}/ebb COMPONENT fabric)

# systemd looks into lib/systemd and lib/sysusers.d of any prefix that it knows: /usr and /usr/local.
foreach(unit ebb-fabric@ ebb-wake@ ebb-agent@ ebb-host@)
  configure_file(share/systemd/${unit}.service.in ${CMAKE_CURRENT_BINARY_DIR}/systemd/${unit}.service @ONLY)
endforeach()
install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/systemd/ DESTINATION lib/systemd/system COMPONENT fabric
  FILES_MATCHING PATTERN "*.service")
install(FILES share/systemd/ebb.sysusers DESTINATION lib/sysusers.d RENAME ebb.conf COMPONENT fabric)
