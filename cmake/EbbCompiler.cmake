# SPDX-License-Identifier: Apache-2.0
# One set of flags for every target: warnings are errors, and floating point gives the same bits
# whatever the optimiser does (no fused multiply-add, no reassociation).
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)

find_program(EBB_CCACHE ccache)
if(EBB_CCACHE)
  # Without this, ccache does not cache a source that reads a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${EBB_CCACHE})
endif()

set(EBB_SANITIZE "" CACHE STRING "Sanitizers for every target, e.g. address,undefined or thread")
option(EBB_WERROR "Warnings are errors" ON)  # not for users: their compiler may know warnings that ours does not
add_library(ebb_flags INTERFACE)
target_compile_options(ebb_flags INTERFACE
  -Wall -Wextra -Wpedantic $<$<BOOL:${EBB_WERROR}>:-Werror> -Wshadow
  -Wno-missing-field-initializers  # designated initialisers leave the rest at their defaults on purpose
  -ffp-contract=off
  -fno-semantic-interposition)  # nobody replaces our functions at load time: they may be inlined
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(ebb_flags INTERFACE
    -fpch-preprocess           # ccache needs it to cache a source that reads a precompiled header
    -Wno-subobject-linkage)    # a unity build includes sources, which g++ takes for headers
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 warns about "text" + std::string (GCC bug 105651, fixed in 13), in one of these ways.
    target_compile_options(ebb_flags INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
  endif()
else()
  target_compile_options(ebb_flags INTERFACE "SHELL:-Xclang -fno-pch-timestamp")  # for ccache
endif()
if(EBB_SANITIZE)
  target_compile_options(ebb_flags INTERFACE -fsanitize=${EBB_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(ebb_flags INTERFACE -fsanitize=${EBB_SANITIZE})
endif()

# Headers that most sources read, compiled once for all libraries. Only the standard library and fmt:
# a source still includes what it uses, and builds the same with EBB_PRECOMPILED_HEADERS off.
option(EBB_PRECOMPILED_HEADERS "Compile common headers once" ON)
set(ebb_common_headers <algorithm> <array> <chrono> <cstdint> <functional> <map> <memory> <optional> <span>
  <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h> <tl/expected.hpp>)
if(EBB_PRECOMPILED_HEADERS)
  file(WRITE ${CMAKE_BINARY_DIR}/precompiled_headers.cpp "")
  add_library(ebb_precompiled_headers OBJECT ${CMAKE_BINARY_DIR}/precompiled_headers.cpp)
  target_link_libraries(ebb_precompiled_headers PRIVATE ebb_flags fmt::fmt tl::expected)
  target_precompile_headers(ebb_precompiled_headers PRIVATE ${ebb_common_headers})
endif()

# tools/check_layers.py runs before anything is compiled.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_custom_target(ebb_layers COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/check_layers.py
  COMMENT "Checking that libraries list what they include" VERBATIM)
