// SPDX-License-Identifier: Apache-2.0
//
// The break-even study for people; docs/breakeven.md explains each column. It has the workloads,
// then channels with their low-power states, then switches: a table, and in words what can be saved
// today and what cannot.
#pragma once

#include "ebb/breakeven/study.hpp"

#include <string>

namespace ebb::cli {

[[nodiscard]] std::string breakeven_text(const breakeven::Study& study);

}  // namespace ebb::cli
