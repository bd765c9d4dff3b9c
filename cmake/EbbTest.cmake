# SPDX-License-Identifier: Apache-2.0
include(GoogleTest)

# RapidCheck has no CMake package in Debian: a header and a static library.
find_library(EBB_RAPIDCHECK rapidcheck REQUIRED)

# ebb_tests(<name> LINK <targets...> DIR <folder>): every *_test.cpp of the folder in one binary.
function(ebb_tests name)
  cmake_parse_arguments(ARG "" "DIR" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${ARG_DIR}/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(ebb_${name}_test ${sources})
  target_link_libraries(ebb_${name}_test PRIVATE ${ARG_LINK} ebb_flags ${EBB_RAPIDCHECK} GTest::gtest_main)
  target_compile_definitions(ebb_${name}_test PRIVATE EBB_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(ebb_${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()
