# SPDX-License-Identifier: Apache-2.0
# ebb_library(<name> DEPENDS <lower layers...> LINK <third party...>)
# One folder, one target, one include root: a header of a folder that is not listed in DEPENDS is
# not on the include path, so a forbidden include does not compile.
function(ebb_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK;PRIVATE_LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/*.cpp)
  add_library(ebb_${name} STATIC ${sources})
  add_library(ebb::${name} ALIAS ebb_${name})
  set_target_properties(ebb_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(ebb_${name}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  list(TRANSFORM ARG_DEPENDS PREPEND ebb_)
  target_link_libraries(ebb_${name} PUBLIC ${ARG_DEPENDS} ${ARG_LINK})
  target_link_libraries(ebb_${name} PRIVATE $<BUILD_INTERFACE:ebb_flags> ${ARG_PRIVATE_LINK})
  target_compile_features(ebb_${name} PUBLIC cxx_std_20)
  set_property(GLOBAL APPEND PROPERTY EBB_LIBRARIES ebb_${name})
  install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  if(EBB_BUILD_TESTS AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/tests)
    ebb_tests(${name} LINK ebb_${name} DIR ${CMAKE_CURRENT_SOURCE_DIR}/tests)
  endif()
endfunction()
