# SPDX-License-Identifier: Apache-2.0
# Tests of the Python package, with the Python that it is built for. A test program is a Python file that is
# given the program ebb. Without numpy, pandas or networkx a test says that it skipped.
set(python_environment PYTHONPATH=${CMAKE_BINARY_DIR}/python PYTHONDONTWRITEBYTECODE=1)
function(ebb_python_test name)
  add_test(NAME python.${name} COMMAND ${Python_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/python/${ARGN})
  set_tests_properties(python.${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300 ENVIRONMENT "${python_environment}")
endfunction()

ebb_python_test(simulate simulate.py $<TARGET_FILE:ebb>)
ebb_python_test(networks networks.py $<TARGET_FILE:ebb>)
ebb_python_test(policies policies.py $<TARGET_FILE:ebb>)
ebb_python_test(examples examples.py $<TARGET_FILE:ebb>)
ebb_python_test(notebooks notebooks.py)
ebb_python_test(package package.py $<TARGET_FILE:ebb> ${PROJECT_BINARY_DIR})
ebb_python_test(policies_large policies.py $<TARGET_FILE:ebb> large)
set_tests_properties(python.simulate python.policies_large PROPERTIES RUN_SERIAL ON)  # they measure time
set_tests_properties(python.policies_large PROPERTIES LABELS long)

# Policies in Python on real switches, as the tests of tests/live.cmake.
if(EBB_LIVE)
  add_test(NAME fabric.python_policy
    COMMAND ${Python_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/fabric/python_policy.py $<TARGET_FILE:ebb> $<TARGET_FILE:ebb-host>
      $<TARGET_FILE:ebb_fabric_traffic>)
  set_tests_properties(fabric.python_policy PROPERTIES LABELS fabric RUN_SERIAL TRUE TIMEOUT 400 SKIP_RETURN_CODE 77
    ENVIRONMENT "${python_environment}")
endif()
