# SPDX-License-Identifier: Apache-2.0
# ebb_library(<name> [PUBLIC <libraries>] [PRIVATE <libraries>] [TESTS <libraries>]
#             [LINK <third party>] [PRIVATE_LINK <third party>] [TEST_LINK <third party>] [TEST_ONCE <filter>])
#
# One folder, one static library, one include root `ebb/<name>/`. A library lists its direct
# dependencies and nothing else:
#   PUBLIC   libraries whose headers its own public headers include,
#   PRIVATE  libraries whose headers only its sources include,
#   TESTS    libraries whose headers only its tests include.
# tools/check_layers.py runs before anything is compiled. It refuses an include of a library that is
# not listed and a listed library that nothing includes.
function(ebb_library name)
  cmake_parse_arguments(ARG "" "TEST_ONCE" "PUBLIC;PRIVATE;TESTS;LINK;PRIVATE_LINK;TEST_LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/*.cpp)
  if(sources)
    add_library(ebb_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()  # headers only
    add_library(ebb_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(ebb::${name} ALIAS ebb_${name})
  set_target_properties(ebb_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(ebb_${name} ${scope}
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM ARG_PUBLIC PREPEND ebb_)
  list(TRANSFORM ARG_PRIVATE PREPEND ebb_)
  list(TRANSFORM ARG_TESTS PREPEND ebb_)
  target_link_libraries(ebb_${name} ${scope} ${ARG_PUBLIC} ${ARG_LINK})
  target_compile_features(ebb_${name} ${scope} cxx_std_20)
  if(sources)
    target_include_directories(ebb_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
    target_link_libraries(ebb_${name} PRIVATE $<BUILD_INTERFACE:ebb_flags> ${ARG_PRIVATE} ${ARG_PRIVATE_LINK})
    add_dependencies(ebb_${name} ebb_layers)
    ebb_precompile(ebb_${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY EBB_LIBRARIES ebb_${name})
  install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
  if(EBB_BUILD_TESTS AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/tests)
    ebb_tests(${name} LINK ebb_${name} ${ARG_PRIVATE} ${ARG_TESTS} ${ARG_PRIVATE_LINK} ${ARG_TEST_LINK} DIR ${CMAKE_CURRENT_SOURCE_DIR}/tests
      ONCE ${ARG_TEST_ONCE})
  endif()
endfunction()

# Headers of the standard library and of fmt that most sources read: compiled once for all targets.
# Only for targets whose compiler flags are those of ebb_precompiled_headers.
function(ebb_precompile target)
  if(TARGET ebb_precompiled_headers)
    target_precompile_headers(${target} REUSE_FROM ebb_precompiled_headers)
  endif()
endfunction()
