# SPDX-License-Identifier: Apache-2.0
# One set of flags for every target: warnings are errors, and floating point gives the same bits
# whatever the optimiser does (no fused multiply-add, no reassociation).
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(EBB_CCACHE ccache)
if(EBB_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${EBB_CCACHE})
endif()

set(EBB_SANITIZE "" CACHE STRING "Sanitizers for every target, e.g. address,undefined or thread")
add_library(ebb_flags INTERFACE)
target_compile_options(ebb_flags INTERFACE 
  -Wall -Wextra -Wpedantic -Werror -Wshadow
  -Wno-missing-field-initializers  # designated initialisers leave the rest at their defaults on purpose
  -ffp-contract=off
  -fno-semantic-interposition)  # nobody replaces our functions at load time: they may be inlined
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 warns about "text" + std::string (GCC bug 105651, fixed in 13).
  target_compile_options(ebb_flags INTERFACE -Wno-restrict)
endif()
if(EBB_SANITIZE)
  target_compile_options(ebb_flags INTERFACE -fsanitize=${EBB_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(ebb_flags INTERFACE -fsanitize=${EBB_SANITIZE})
endif()
