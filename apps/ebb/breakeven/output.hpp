// SPDX-License-Identifier: Apache-2.0
//
// What `ebb breakeven` prints; docs/breakeven.md explains it.
#pragma once

#include "breakeven/study.hpp"

#include <string>

namespace ebb::cli {

[[nodiscard]] std::string breakeven_text(const BreakevenStudy& study);
// Its part on switches: a table, and in words what can be banked today and what cannot.
[[nodiscard]] std::string switches_text(const BreakevenStudy& study);
[[nodiscard]] std::string breakeven_json(const BreakevenStudy& study);
// The curves of the channels, a row per part, rest, workload and time of a change.
[[nodiscard]] std::string breakeven_csv(const BreakevenStudy& study);

}  // namespace ebb::cli
