// SPDX-License-Identifier: Apache-2.0
//
// What a test fabric of a fabric file would consist of, for the testbed and for other tools that
// make networks: nodes, addresses, cables.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/testbed/layout.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace ebb::runtime {

// Reads the fabric file.
[[nodiscard]] Result<testbed::Layout> layout_of(const std::string& path);
// Ports are numbered as OpenFlow numbers them, from 1.
[[nodiscard]] nlohmann::ordered_json layout_json(const testbed::Layout& layout);
[[nodiscard]] std::string ipv4_text(std::uint32_t address);

}  // namespace ebb::runtime
