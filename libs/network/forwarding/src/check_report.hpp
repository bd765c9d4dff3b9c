// SPDX-License-Identifier: Apache-2.0
//
// What both ways of checking tell in the same words.
#pragma once

#include "dependencies.hpp"

#include "ebb/forwarding/check.hpp"

#include <span>
#include <vector>

namespace ebb::forwarding {

[[nodiscard]] Alternatives alternatives_of(std::span<const Table> tables);
// With what is known before looking.
[[nodiscard]] CheckReport report_for(const topology::Graph& graph, std::span<const Table> tables);
void add_error(CheckReport& report, Error error);
void add_ambiguities(const topology::Graph& graph, const AddressPlan& plan,
                     std::span<const Table> tables, CheckReport& report);
// `lost`: links that some frames have no alternative to.
void add_alternatives(const topology::Graph& graph, const std::vector<bool>& lost,
                      const Dependencies& dependencies, CheckReport& report);

}  // namespace ebb::forwarding
