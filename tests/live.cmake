# SPDX-License-Identifier: Apache-2.0
# Tests of the live half, on real switches.
# live_test(<name> <arguments...>): tests/fabric/<name>.py on real switches in network namespaces. They wait
# for time to pass, and losses are counted: nothing else may have the processor. Sanitizers see those that
# lead through all of the controller; the others differ in what they measure. Two of those take minutes together,
# promise the same in both builds, and are short in the sanitized one alone.
set(sanitized_live_tests reach control hostile)
set(long_live_tests diurnal pauses predict rates)
if(NOT EBB_SANITIZE)
  list(APPEND long_live_tests control hostile)
endif()
function(live_test name)
  if(EBB_SANITIZE AND NOT name IN_LIST sanitized_live_tests)
    return()
  endif()
  add_test(NAME fabric.${name}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/fabric/${name}.py $<TARGET_FILE:ebb> ${ARGN})
  set(labels fabric)
  if(name IN_LIST long_live_tests)
    list(APPEND labels long)
  endif()
  set_tests_properties(fabric.${name} PROPERTIES LABELS "${labels}" RUN_SERIAL TRUE TIMEOUT 400 SKIP_RETURN_CODE 77)
endfunction()

add_executable(ebb_fabric_traffic fabric/traffic.cpp)
target_link_libraries(ebb_fabric_traffic PRIVATE CLI11::CLI11 nlohmann_json::nlohmann_json fmt::fmt ebb_flags)
foreach(name reach kill remote takeover mininet doctor published)
  live_test(${name})
endforeach()
set(host_and_traffic $<TARGET_FILE:ebb-host> $<TARGET_FILE:ebb_fabric_traffic>)
foreach(name control faults liveness predict rates regulate standby triggers dry_run diurnal)
  live_test(${name} ${host_and_traffic})
endforeach()
if(EBB_MICROHTTPD)  # what answers Prometheus
  live_test(watch ${host_and_traffic})
  live_test(leaf_spine ${host_and_traffic})
endif()
live_test(hostile ${host_and_traffic} $<$<BOOL:${EBB_MICROHTTPD}>:metrics>)
if(TARGET ebb-agent)
  live_test(agent ${host_and_traffic} $<TARGET_FILE:ebb-agent>)
  live_test(pauses ${host_and_traffic} $<TARGET_FILE:ebb-agent>)
  live_test(chaos ${host_and_traffic} $<TARGET_FILE:ebb-agent> --seed 1 --seconds 60)
endif()
if(EBB_NET_SNMP_AGENT)
  add_executable(ebb_fabric_snmp_order fabric/snmp_order.cpp)
  target_link_libraries(ebb_fabric_snmp_order PRIVATE ebb_snmp fmt::fmt ebb_flags)
  live_test(snmp ${host_and_traffic} $<TARGET_FILE:ebb_fabric_snmp_order> $<TARGET_FILE:ebb-agentx>)
endif()
if(TARGET ebb-gnmi-target)
  add_executable(ebb_fabric_gnmi_order fabric/gnmi_order.cpp)
  target_link_libraries(ebb_fabric_gnmi_order PRIVATE ebb_gnmi fmt::fmt ebb_flags)
  live_test(gnmi ${host_and_traffic} $<TARGET_FILE:ebb_fabric_gnmi_order>)
endif()

# Whole switches, whose power the programs of this build switch.
set(power_drivers testbed)
set(beside)
if(EBB_NET_SNMP_AGENT)
  string(APPEND power_drivers ",snmp")
  set(beside --beside $<TARGET_FILE:ebb-agentx>)
endif()
if(TARGET ebb-gnmi-target)
  string(APPEND power_drivers ",gnmi")
endif()
live_test(switches ${host_and_traffic} --drivers ${power_drivers} ${beside})
live_test(switches_by_policy ${host_and_traffic})

# Units of systemd, and that programs need no more than units give them.
set(services $<TARGET_FILE:ebb-host>)
if(TARGET ebb-agent)
  list(APPEND services $<TARGET_FILE:ebb-agent>)
endif()
add_test(NAME systemd.units
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/systemd/units.py ${PROJECT_BINARY_DIR}/systemd $<TARGET_FILE:ebb> ${services})
set_tests_properties(systemd.units PROPERTIES SKIP_RETURN_CODE 77)
live_test(privileges ${services})


# The tutorial from its first command to its last. Its policy is compiled and linked, so it takes a minute.
if(NOT EBB_SANITIZE)
  add_test(NAME tutorial
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/tutorial.py $<TARGET_FILE:ebb> ${PROJECT_BINARY_DIR})
  set_tests_properties(tutorial PROPERTIES LABELS slow RUN_SERIAL ON TIMEOUT 600 SKIP_RETURN_CODE 77)
endif()

# `ebb replay` beside what keeps counters: servers and collectors on free ports of 127.0.0.1.
foreach(name prometheus nfdump green)
  add_test(NAME replay.${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/replay/${name}.py $<TARGET_FILE:ebb>)
  set_tests_properties(replay.${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endforeach()
