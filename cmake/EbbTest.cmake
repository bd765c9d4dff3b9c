# SPDX-License-Identifier: Apache-2.0
include(GoogleTest)

# RapidCheck has no CMake package in Debian: a header and a static library.
find_library(EBB_RAPIDCHECK rapidcheck REQUIRED)

# Tests are compiled for a short build: only what they test is optimised fully.
add_library(ebb_test_flags INTERFACE)
target_link_libraries(ebb_test_flags INTERFACE ebb_flags)
if(CMAKE_BUILD_TYPE STREQUAL Release)
  target_compile_options(ebb_test_flags INTERFACE -O1)
endif()

# The headers of GoogleTest, compiled once for all test programs.
if(EBB_PRECOMPILED_HEADERS)
  add_executable(ebb_test_precompiled_headers EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/precompiled_headers.cpp)
  target_link_libraries(ebb_test_precompiled_headers PRIVATE ebb_test_flags fmt::fmt tl::expected GTest::gtest_main)
  target_precompile_headers(ebb_test_precompiled_headers PRIVATE ${ebb_common_headers} <gtest/gtest.h>)
endif()

# ebb_tests(<name> LINK <targets...> DIR <folder> [ONCE <filter>]): every source of the folder in one binary. Tests that the filter of
# GoogleTest names have the label `once` (tests/CMakeLists.txt).
option(EBB_UNIT_TESTS "The tests of libraries; without them only programs are tested" ON)
set(EBB_TEST_SHARDS 4 CACHE STRING "Into how many tests of ctest the tests of a library are divided in sanitized builds")
function(ebb_tests name)
  cmake_parse_arguments(ARG "" "DIR;ONCE" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${ARG_DIR}/*.cpp)
  if(NOT sources OR NOT EBB_UNIT_TESTS)
    return()
  endif()
  add_executable(ebb_${name}_test ${sources})
  set_target_properties(ebb_${name}_test PROPERTIES UNITY_BUILD OFF)  # names in tests are their own
  target_link_libraries(ebb_${name}_test PRIVATE ${ARG_LINK} ebb_test_flags ${EBB_RAPIDCHECK} GTest::gtest_main)
  target_include_directories(ebb_${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(ebb_${name}_test PRIVATE EBB_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(EBB_PRECOMPILED_HEADERS)
    target_precompile_headers(ebb_${name}_test REUSE_FROM ebb_test_precompiled_headers)
  endif()
  if(EBB_SANITIZE)  # sanitized programs take long to start: a start for many tests instead of one each
    math(EXPR last "${EBB_TEST_SHARDS} - 1")
    foreach(shard RANGE ${last})
      add_test(NAME ${name}.${shard} COMMAND ebb_${name}_test --gtest_brief=1 --gtest_filter=-${ARG_ONCE})
      set_tests_properties(${name}.${shard} PROPERTIES TIMEOUT 900
        ENVIRONMENT "GTEST_TOTAL_SHARDS=${EBB_TEST_SHARDS};GTEST_SHARD_INDEX=${shard}")
    endforeach()
    return()
  endif()
  set(properties TIMEOUT 300)
  if(ARG_ONCE)
    gtest_discover_tests(ebb_${name}_test TEST_PREFIX ${name}. TEST_FILTER ${ARG_ONCE} DISCOVERY_TIMEOUT 60
      PROPERTIES ${properties} LABELS once)
    set(others TEST_FILTER -${ARG_ONCE})
  endif()
  gtest_discover_tests(ebb_${name}_test TEST_PREFIX ${name}. ${others} DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()

# Lets mpirun start more ranks than there are cores, and as root, as in a container.
set(EBB_MPIRUN ${CMAKE_COMMAND} -E env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  # MPI leaves memory behind when it ends; that is not ours to find.
  ASAN_OPTIONS=detect_leaks=0
  ${MPIEXEC_EXECUTABLE} --oversubscribe)

# ebb_together_test(<name> <source> LINK <targets...> RANKS <counts...>): a test program with its own
# main, run by mpirun on each number of ranks.
function(ebb_together_test name source)
  cmake_parse_arguments(ARG "" "" "LINK;RANKS" ${ARGN})
  add_executable(ebb_${name}_together ${source})
  set_target_properties(ebb_${name}_together PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(ebb_${name}_together PRIVATE ${ARG_LINK} ebb_flags GTest::gtest)
  foreach(ranks ${ARG_RANKS})
    add_test(NAME ${name}.together.${ranks}
      COMMAND ${EBB_MPIRUN} -n ${ranks} $<TARGET_FILE:ebb_${name}_together> --gtest_brief=1)
    set_tests_properties(${name}.together.${ranks} PROPERTIES TIMEOUT 300 RUN_SERIAL ON)
    if(NOT ranks EQUAL 2 OR NOT EBB_SANITIZE)  # short are two ranks, sanitized: they share two processors
      set_tests_properties(${name}.together.${ranks} PROPERTIES LABELS long)
    endif()
  endforeach()
endfunction()
