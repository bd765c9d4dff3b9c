// SPDX-License-Identifier: Apache-2.0
//
// The package without the live half (-DEBB_LIVE=OFF): ebb.control says what is missing, and
// config::prepare refuses fabric files.
#include "live_half.hpp"

namespace ebb::python {

config::PrepareControl fabric_control(const power::Library& /*parts*/) { return nullptr; }

void bind_control(pybind11::module_& /*module*/) {}

}  // namespace ebb::python
