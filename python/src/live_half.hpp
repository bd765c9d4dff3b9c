// SPDX-License-Identifier: Apache-2.0
//
// What the package has of the live half of ebb. The folder live defines it; in builds without the
// live half no_live does, which has nothing to give.
#pragma once

#include "ebb/config/simulation.hpp"
#include "ebb/power/library.hpp"

#include <pybind11/pybind11.h>

namespace ebb::python {

// The controller of a simulated fabric, for config::prepare. Empty: this build has none. The
// library outlives it.
[[nodiscard]] config::PrepareControl fabric_control(const power::Library& parts);

// The controller of live fabrics, in the process of Python.
void bind_control(pybind11::module_& module);

}  // namespace ebb::python
