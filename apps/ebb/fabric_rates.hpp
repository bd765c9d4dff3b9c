// SPDX-License-Identifier: Apache-2.0
//
// Rates of links under ebb fabric run: who sets them on a test fabric, and what slow ones save.
#pragma once

#include "ebb/config/fabric_file.hpp"
#include "ebb/drivers/rate_setter.hpp"
#include "ebb/fabric/controller.hpp"
#include "ebb/fabric/watts.hpp"
#include "ebb/testbed/manifest.hpp"

namespace ebb::cli {

// By the token buckets of the fabric of that file; empty when it is not up.
[[nodiscard]] drivers::RateSetter rates_of(const config::FabricFile& file,
                                           const testbed::StateFolder& state);

// What active links between switches draw less than at their full rates.
[[nodiscard]] Power saved_by_rates(const topology::Graph& graph,
                                   const fabric::Controller& controller,
                                   const fabric::PortWatts& port);

}  // namespace ebb::cli
