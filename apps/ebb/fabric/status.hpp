// SPDX-License-Identifier: Apache-2.0
//
// What a controller says of its fabric: written to STATE/NAME/status.json every second, in one
// step, and read by ebb fabric status.
#pragma once

#include "ebb/controller/controller.hpp"
#include "ebb/controller/watts.hpp"
#include "ebb/drivers/live_fabric.hpp"

#include <nlohmann/json.hpp>

#include <deque>
#include <string>

namespace ebb::cli {

struct FabricView {
  const std::string& name;
  const std::string& policy;
  const drivers::Description& description;
  const controller::Controller& controller;
  const drivers::LiveFabric& live;
  const controller::Sleepers& sleepers;
  const controller::Watts& watts;
  const std::deque<controller::Entry>& last;  // the latest first
};

[[nodiscard]] nlohmann::ordered_json status_json(const FabricView& view);
// For people, from what status_json gave.
[[nodiscard]] std::string status_text(const nlohmann::ordered_json& status);
// And not of a host.
[[nodiscard]] bool between_switches(const topology::Graph& graph, topology::LinkId link);
// "s1-s2", and with its number where links are parallel.
[[nodiscard]] std::string link_name(const topology::Graph& graph, topology::LinkId link);

}  // namespace ebb::cli
