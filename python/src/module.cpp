// SPDX-License-Identifier: Apache-2.0
//
// The extension module `_ebb`. It is private to the package `ebb`, whose Python sources turn what
// users write into what is declared here, and columns into frames of pandas.
#include "bindings.hpp"
#include "live_half.hpp"

#include "ebb/core/process.hpp"

#include <pybind11/pybind11.h>
#include <string>

PYBIND11_MODULE(_ebb, module) {
  module.doc() = "The compiled half of the package ebb";
  module.attr("VERSION") = std::string(ebb::version());
  ebb::python::bind_input(module);
  ebb::python::bind_policy(module);
  ebb::python::bind_simulate(module);
  ebb::python::bind_topology(module);
  ebb::python::bind_plan(module);
  ebb::python::bind_sweep(module);
  ebb::python::bind_lists(module);
  ebb::python::bind_control(module);
}
