// SPDX-License-Identifier: Apache-2.0
//
// A few switches joined to each other, a host each, and a controller for them that wants nothing.
#pragma once

#include "ebb/drivers/live_fabric.hpp"
#include "ebb/topology/family.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace ebb::drivers {

class IdlePolicy final : public policy::Policy {
 public:
  [[nodiscard]] Duration sample_period() const override { return std::chrono::seconds(1); }
  [[nodiscard]] std::vector<policy::Action> decide(const policy::Sample&) override { return {}; }
};

inline Description describe_complete(int switches) {
  topology::Graph graph =
      *topology::build("complete", {{"switches", std::to_string(switches)}, {"hosts", "1"}},
                       {megabits_per_second(100)});
  auto plan = *forwarding::AddressPlan::make(graph);
  Description made{std::move(graph), std::move(plan), {}};
  const auto maker = forwarding::TableMaker::make(made.graph, made.plan);
  for (std::uint32_t s = 0; s < made.graph.switch_count(); ++s)
    made.tables.push_back(
        maker->table(s, forwarding::Detail::compact, forwarding::BackupPaths::none));
  return made;
}

struct SmallFabric {
  explicit SmallFabric(int switches) : description(describe_complete(switches)) {}

  Description description;
  forwarding::TableWalker reach{description.graph, description.plan, description.tables};
  IdlePolicy policy;
  controller::Controller controller{
      description.graph,
      reach,
      forwarding::sleepable_links(description.graph, description.plan, description.tables),
      std::vector<controller::ChannelFacts>(2 * description.graph.link_count(),
                                            {.tier = 0, .level_power = {milliwatts(800)}}),
      {},
      policy};
};

}  // namespace ebb::drivers
