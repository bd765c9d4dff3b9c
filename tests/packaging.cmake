# SPDX-License-Identifier: Apache-2.0
# Debian packages and the image, built, compared, installed and run: about an hour, as root, with packages/packaging.txt and the
# Debian archive. `ctest --preset packaging` runs these tests; the other presets leave them out.
set(packages ${PROJECT_BINARY_DIR}/packaging/packages)
set(image ${PROJECT_BINARY_DIR}/packaging/image)

# ebb_packaging_test(<name> <tool> <arguments...>): one of tools/, in the order in which they stand here.
function(ebb_packaging_test name tool)
  add_test(NAME packaging.${name} COMMAND ${PROJECT_SOURCE_DIR}/tools/${tool} ${ARGN})
  set_tests_properties(packaging.${name} PROPERTIES LABELS packaging TIMEOUT 5400 RUN_SERIAL ON)
endfunction()

add_test(NAME packaging.empty COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/packaging)
set_tests_properties(packaging.empty PROPERTIES LABELS packaging FIXTURES_SETUP packaging_folder)
ebb_packaging_test(build build_packages ${packages})
set_tests_properties(packaging.build PROPERTIES FIXTURES_REQUIRED packaging_folder FIXTURES_SETUP packages)
ebb_packaging_test(same_bits build_packages ${packages} --again)
ebb_packaging_test(install test_packages ${packages} ${PROJECT_BINARY_DIR}/packaging/root)
ebb_packaging_test(image build_image ${packages} ${image})
set_tests_properties(packaging.same_bits packaging.install packaging.image PROPERTIES FIXTURES_REQUIRED packages)
set_tests_properties(packaging.image PROPERTIES FIXTURES_SETUP image)
ebb_packaging_test(image_runs test_image ${image} ${PROJECT_BINARY_DIR}/packaging/containers)
set_tests_properties(packaging.image_runs PROPERTIES FIXTURES_REQUIRED image)
