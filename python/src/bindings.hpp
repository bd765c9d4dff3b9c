// SPDX-License-Identifier: Apache-2.0
//
// What each source of this folder adds to the extension module.
#pragma once

#include <pybind11/pybind11.h>

namespace ebb::python {

void bind_input(pybind11::module_& module);     // documents, places of data
void bind_policy(pybind11::module_& module);    // policies that are written in Python
void bind_simulate(pybind11::module_& module);  // simulations and what they measured
void bind_topology(pybind11::module_& module);  // networks
void bind_plan(pybind11::module_& module);      // designs
void bind_sweep(pybind11::module_& module);     // many simulations, results files
void bind_lists(pybind11::module_& module);     // what there is to choose from

}  // namespace ebb::python
