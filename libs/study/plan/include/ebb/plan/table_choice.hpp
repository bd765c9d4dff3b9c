// SPDX-License-Identifier: Apache-2.0
//
// The forwarding memory that a plan asks for, in the part that is to have it.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plan/inputs.hpp"
#include "ebb/power/library.hpp"

namespace ebb::plan {

// Refuses a switch without such a memory, and a CAM for rules that have masks. `inputs.tables` must
// be given.
[[nodiscard]] Result<const power::ForwardingTable*> table_of(const Inputs& inputs,
                                                             const power::Library& library);

}  // namespace ebb::plan
