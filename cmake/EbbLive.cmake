# SPDX-License-Identifier: Apache-2.0
# Libraries that only the live half needs. Each is optional: what it serves is left out, and the
# program that would have used it says so.
if(EBB_SNMP)
  find_library(EBB_NET_SNMP netsnmp)
  find_library(EBB_NET_SNMP_AGENT netsnmpagent)
endif()
if(EBB_GNMI)
  find_package(PkgConfig)
  if(PkgConfig_FOUND)
    pkg_check_modules(GRPC grpc++ protobuf)
  endif()
  find_program(EBB_PROTOC protoc)
  find_program(EBB_GRPC_PLUGIN grpc_cpp_plugin)
  if(GRPC_FOUND AND EBB_PROTOC AND EBB_GRPC_PLUGIN)
    set(EBB_HAVE_GNMI ON)
  endif()
endif()
