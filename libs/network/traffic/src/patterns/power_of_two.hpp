// SPDX-License-Identifier: Apache-2.0
//
// The host counts on which patterns over the bits of a host number exist.
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <string_view>

namespace ebb::traffic {

// b when hosts = 2^b, or the refusal, which names the nearest power of two.
[[nodiscard]] Result<unsigned> host_bits(std::string_view pattern, std::uint32_t hosts);

}  // namespace ebb::traffic
