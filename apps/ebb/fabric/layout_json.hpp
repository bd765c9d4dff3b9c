// SPDX-License-Identifier: Apache-2.0
//
// What a fabric would consist of, for other tools that make networks: nodes, addresses, cables.
#pragma once

#include "ebb/testbed/layout.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace ebb::cli {

[[nodiscard]] std::string ipv4_text(std::uint32_t address);

// Ports are numbered as OpenFlow numbers them, from 1.
[[nodiscard]] nlohmann::ordered_json layout_json(const testbed::Layout& layout);

}  // namespace ebb::cli
