// SPDX-License-Identifier: Apache-2.0
//
// Sections that several files have: how devices are reached, and the names of switches. Mistakes
// are told with their lines, and reading goes on: all of a file are told at once.
//
//   const SwitchPowerSpec power = read_switch_power(*value, graph, errors);
#pragma once

#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/files/document.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace ebb::fabric_config {

[[nodiscard]] SnmpAccess read_snmp(const files::Value& value, files::Diagnostics& errors);
[[nodiscard]] GnmiAccess read_gnmi(const files::Value& value, files::Diagnostics& errors);

// By its name, else by its number: "s3" is the fourth switch of the graph.
[[nodiscard]] std::optional<std::size_t> find_switch(std::span<const std::string> names,
                                                     const std::string& name);

// The section `switch_power` of a fabric file whose graph has been read.
[[nodiscard]] SwitchPowerSpec read_switch_power(const files::Value& value,
                                                const topology::Graph& graph,
                                                files::Diagnostics& errors);

}  // namespace ebb::fabric_config
