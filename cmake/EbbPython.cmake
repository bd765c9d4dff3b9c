# SPDX-License-Identifier: Apache-2.0
# The Python package `ebb` is built where pybind11 and the headers of Python are found. The interpreter
# is that of the system when there is one, because Debian's numpy and pandas belong to it;
# -DPython_EXECUTABLE=... names another.
if(NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "The Python that the package `ebb` is built for")
endif()
set(PYBIND11_FINDPYTHON ON)
find_package(Python COMPONENTS Interpreter Development.Module QUIET)
if(Python_FOUND)
  find_package(pybind11 2.10 CONFIG QUIET)
endif()
set(python_by_default OFF)
if(pybind11_FOUND AND NOT EBB_SANITIZE)  # an interpreter that is not sanitized cannot load what is
  set(python_by_default ON)
endif()
option(EBB_PYTHON "Build the Python package `ebb`; needs pybind11" ${python_by_default})
if(EBB_PYTHON AND NOT pybind11_FOUND)
  message(FATAL_ERROR "EBB_PYTHON needs pybind11 and the headers of Python (Debian: pybind11-dev, python3-dev)")
elseif(EBB_PYTHON)
  message(STATUS "Python package: for ${Python_EXECUTABLE} (${Python_VERSION})")
else()
  message(STATUS "Python package: not built (EBB_PYTHON is off, or pybind11 or the headers of Python are missing)")
endif()
