// SPDX-License-Identifier: Apache-2.0
#include "errors.hpp"

#include "ebb/files/topology_file.hpp"

#include <pybind11/gil.h>

namespace ebb::python {
namespace {

namespace py = pybind11;

// Positions inside the text that a dict or a graph was turned into say nothing to the caller.
Location shown(const Location& where) {
  if (where.file != kDictionary && where.file != files::kInlineGraph) return where;
  return {.path = where.path};
}

py::object or_none(const std::string& text) {
  return text.empty() ? py::object(py::none()) : py::object(py::str(text));
}

py::object or_none(int number) {
  return number > 0 ? py::object(py::int_(number)) : py::object(py::none());
}

}  // namespace

void raise_input_error(const Errors& errors) {
  const py::gil_scoped_acquire gil;
  const py::module_ module = py::module_::import("ebb._errors");
  py::list problems;
  for (const Error& error : errors) {
    const Error placed{error.message, shown(error.where)};
    problems.append(module.attr("Problem")(placed.message, or_none(placed.where.file),
                                           or_none(placed.where.line), or_none(placed.where.column),
                                           or_none(placed.where.path), to_string(placed)));
  }
  const py::object type = module.attr("InputError");
  PyErr_SetObject(type.ptr(), type(problems).ptr());
  throw py::error_already_set();
}

void raise_os_error(const std::string& message) {
  const py::gil_scoped_acquire gil;
  PyErr_SetString(PyExc_OSError, message.c_str());
  throw py::error_already_set();
}

}  // namespace ebb::python
