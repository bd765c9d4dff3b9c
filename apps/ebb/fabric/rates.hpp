// SPDX-License-Identifier: Apache-2.0
//
// Rates of links under ebb fabric run: who sets them on a test fabric, and what slow ones save.
#pragma once

#include "ebb/controller/controller.hpp"
#include "ebb/controller/watts.hpp"
#include "ebb/drivers/rate_setter.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/testbed/manifest.hpp"

namespace ebb::cli {

// By the token buckets of the fabric of that file; empty when it is not up.
[[nodiscard]] drivers::RateSetter rates_of(const fabric_config::FabricFile& file,
                                           const testbed::StateFolder& state);

// What active links between switches draw less than at their full rates.
[[nodiscard]] Power saved_by_rates(const topology::Graph& graph,
                                   const controller::Controller& controller,
                                   const controller::PortWatts& port);

}  // namespace ebb::cli
