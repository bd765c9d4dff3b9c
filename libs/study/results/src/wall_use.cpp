// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/power_supply.hpp"
#include "ebb/results/summary.hpp"
#include "ebb/topology/graph.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ebb::results {
namespace {

using netsim::ChannelModel;

struct MeteredSwitch {
  Energy metered;     // of its outputs and of what it draws beside them
  Energy components;  // where they are metered
  Power least;        // of outputs and the rest: all asleep that can be
  Power most;
};

Power least_of(const ChannelModel& model) {
  const Power slowest = model.rate_levels.front().power;
  return model.sleep ? std::min(slowest, model.sleep->power) : slowest;
}

// What a switch of the run draws beside its outputs with all of its groups asleep.
Power core_asleep(const config::Simulation& simulation) {
  Power core = simulation.switch_core;
  for (const netsim::SwitchGroup& group : simulation.switch_groups) {
    if (group.wake) core -= (group.awake - group.asleep) * std::int64_t{group.count};
  }
  return core;
}

std::vector<MeteredSwitch> limits_of(const config::Simulation& simulation) {
  const topology::Graph& graph = *simulation.graph;
  std::vector<MeteredSwitch> switches(
      graph.switch_count(), {.least = core_asleep(simulation), .most = simulation.switch_core});
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    for (const topology::ChannelId output : graph.outputs(graph.switch_node(s))) {
      const std::uint8_t rates = graph.link(topology::link_of(output)).rate_table;
      const ChannelModel& model = simulation.models[rates];
      switches[s].least += least_of(model);
      switches[s].most += model.rate_levels.back().power;
    }
  }
  return switches;
}

// Meters of a power group are numbered switch by switch.
std::uint32_t meters_of_a_switch(std::string_view name, const config::Simulation& simulation) {
  name.remove_prefix(std::string_view(netsim::kSwitchClasses).size());
  for (const netsim::SwitchGroup& group : simulation.switch_groups) {
    if (group.name == name) return group.count;
  }
  return 1;
}

// Adds what each meter took to its switch. Meters of hosts and of their cards have none.
class MeterReader {
 public:
  MeterReader(const config::Simulation& simulation, const power::Ledger& ledger,
              std::vector<MeteredSwitch>& switches)
      : simulation_(simulation),
        ledger_(ledger),
        channel_classes_(netsim::channel_classes(ledger)),
        switch_classes_(netsim::switch_classes(ledger)),
        switches_(switches) {}

  void read(power::MeterIndex meter) {
    const auto own = static_cast<std::size_t>(ledger_.class_of(meter));
    const std::uint32_t number = ledger_.number(meter);
    const std::string& name = ledger_.classes()[own].name;
    if (own < channel_classes_) return read_channel(topology::ChannelId{number}, meter);
    if (own < channel_classes_ + switch_classes_) {
      switches_[number / meters_of_a_switch(name, simulation_)].metered += ledger_.energy(meter);
    } else if (name != "nic") {
      switches_[number].components += ledger_.energy(meter);
    }
  }

 private:
  void read_channel(topology::ChannelId channel, power::MeterIndex meter) {
    const topology::NodeId source = simulation_.graph->source(channel);
    if (simulation_.graph->is_host(source)) return;
    switches_[index(source)].metered += ledger_.energy(meter);
  }

  const config::Simulation& simulation_;
  const power::Ledger& ledger_;
  std::size_t channel_classes_;
  std::size_t switch_classes_;
  std::vector<MeteredSwitch>& switches_;
};

}  // namespace

std::optional<WallUse> wall_use(const config::Simulation& simulation,
                                const netsim::Report& report) {
  if (!simulation.supply) return std::nullopt;
  const power::SwitchSupply& supply = *simulation.supply;
  std::vector<MeteredSwitch> switches = limits_of(simulation);
  MeterReader reader(simulation, report.ledger, switches);
  for (std::size_t i = 0; i < report.ledger.meters(); ++i)
    reader.read(power::MeterIndex{static_cast<std::uint32_t>(i)});
  WallUse use;
  for (const MeteredSwitch& one : switches) {
    const Power components = mean_power(one.components, report.to - report.from);
    const Power mean = mean_power(one.metered, report.to - report.from) + components;
    use.switches += mean;
    use.always_on += one.most + components;
    use.wall += supply.at_wall(mean);
    use.wall_always_on += supply.at_wall(one.most + components);
    use.differs_by += supply.mean_differs_by({one.least + components, mean, one.most + components});
  }
  return use;
}

}  // namespace ebb::results
