// SPDX-License-Identifier: Apache-2.0
//
// What a controller says of its fabric, as JSON: the status, which is written to
// STATE/NAME/status.json every second in one step, and the explanation of one link, which an
// operator asks for over the control socket. Both only read the controller.
#pragma once

#include "ebb/controller/controller.hpp"
#include "ebb/controller/watts.hpp"
#include "ebb/core/result.hpp"
#include "ebb/drivers/live_fabric.hpp"
#include "ebb/monitor/energy_objects.hpp"
#include "ebb/monitor/fabric_metrics.hpp"
#include "ebb/testbed/manifest.hpp"

#include <nlohmann/json.hpp>

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace ebb::runtime {

struct FabricView {
  const std::string& name;
  const std::string& policy;
  const drivers::Description& description;
  const controller::Controller& controller;
  const drivers::LiveFabric& live;
  const forwarding::SleepableLinks& sleepable;
  const controller::Watts& watts;
  const controller::Watts& would;             // in a dry run: if what is said were done
  const std::deque<controller::Entry>& last;  // the latest first
  std::size_t ports_down = 0;                 // seen to be down
};

[[nodiscard]] nlohmann::ordered_json status_json(const FabricView& view);

// The status that the controller of a fabric wrote last, with "controller": whether it still runs,
// and how old that is. Nothing is asked of the controller. An error: none has run.
[[nodiscard]] Result<nlohmann::ordered_json> read_status(const std::string& fabric,
                                                         const testbed::StateFolder& state);
// Why the status is not one of the present; nothing: it is.
[[nodiscard]] std::optional<std::string> out_of_date(const nlohmann::ordered_json& status);

// The fabric with what it used since the controller began, and each link between switches, by the
// status. An error: watts are not known.
[[nodiscard]] Result<std::vector<monitor::EnergyObject>> energy_objects(
    const nlohmann::ordered_json& status);

// Why a link is in the state that it is in, and what would have to change. The link is one between
// switches.
[[nodiscard]] nlohmann::ordered_json explain_json(const topology::Graph& graph,
                                                  const controller::Controller& controller,
                                                  const monitor::LinkHistory& history,
                                                  TimePoint now, topology::LinkId link);
// The same of a whole switch.
[[nodiscard]] nlohmann::ordered_json explain_json(const topology::Graph& graph,
                                                  const controller::Controller& controller,
                                                  TimePoint now, std::uint32_t device);

}  // namespace ebb::runtime
