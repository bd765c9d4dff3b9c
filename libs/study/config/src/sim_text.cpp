// SPDX-License-Identifier: Apache-2.0
#include "day.hpp"
#include "jobs.hpp"
#include "sim_hardware.hpp"

#include "ebb/config/sim_file.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace ebb::config {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return out + "\"";
}

namespace {

std::string pairs(const ParameterTexts& parameters) {
  std::string text;
  for (const auto& [key, value] : parameters) text += fmt::format(", {}: {}", key, value);
  return text;
}

}  // namespace

std::string to_yaml(const files::Named& named) {
  return fmt::format("{{name: {}{}}}", named.name, pairs(named.parameters));
}

namespace {

std::string traffic_yaml(const SimSpec& spec) {
  if (!spec.jobs.jobs.empty()) return jobs_yaml(spec.jobs);
  if (!spec.messages.text.empty())
    return fmt::format(" {{messages: {}}}", quoted(spec.messages.text));
  if (!spec.workload.name.empty()) {
    return fmt::format(" {{workload: {}{}}}", spec.workload.name, pairs(spec.workload.parameters));
  }
  // One level is none, and then nothing is said.
  const std::string services =
      spec.services > 1 ? fmt::format("\n  services: {}", spec.services) : "";
  return fmt::format("\n  pattern: {}\n  injection: {}{}", to_yaml(spec.pattern),
                     to_yaml(spec.injection), services);
}

// Limits of racks are said only where there are some.
std::string rack_limits_yaml(const topology::FloorPlan& floor) {
  std::string text;
  if (floor.hosts_per_rack) text += fmt::format(", hosts_per_rack: {}", *floor.hosts_per_rack);
  if (const auto& units = floor.units) {
    text += fmt::format(",\n                   rack_units: {}, host_units: {}, switch_units: {}",
                        units->rack, units->host, units->of_switch);
  }
  if (const auto& power = floor.power) {
    text += fmt::format(",\n                   rack_power: {}, host_power: {}, switch_power: {}",
                        ebb::to_text(power->rack), ebb::to_text(power->host),
                        ebb::to_text(power->of_switch));
  }
  return text;
}

std::string to_yaml(const topology::FloorPlan& floor) {
  return fmt::format(
      "{{switches_per_rack: {}, racks_per_row: {}, rack_pitch: {}, row_pitch: {},\n"
      "                   in_rack: {}, rack_overhead: {}, electrical_limit: {}{}}}",
      floor.switches_per_rack, floor.racks_per_row, ebb::to_text(floor.rack_pitch),
      ebb::to_text(floor.row_pitch), ebb::to_text(floor.in_rack), ebb::to_text(floor.rack_overhead),
      ebb::to_text(floor.electrical_limit), rack_limits_yaml(floor));
}

std::string to_yaml(const files::TopologySpec& topology) {
  if (!topology.graph.empty()) return fmt::format("{{graph: {}}}", quoted(topology.graph));
  std::string rates;
  for (const DataRate rate : topology.rates)
    rates += (rates.empty() ? "" : ", ") + ebb::to_text(rate);
  return fmt::format("{{family: {}{},\n           rates: [{}],\n           floor: {}}}",
                     topology.family, pairs(topology.parameters), rates, to_yaml(topology.floor));
}

std::string lanes_yaml(const netsim::Hardware& hardware) {
  std::string lanes;
  for (const netsim::VirtualLane& lane : hardware.virtual_lanes) {
    lanes += fmt::format("{}{{priority: {}, weight: {}}}", lanes.empty() ? "" : ", ",
                         lane.high ? "high" : "low", lane.weight);
  }
  return fmt::format(",\n           virtual_lanes: [{}], service_lanes: [{}], high_limit: {}",
                     lanes, fmt::join(hardware.service_lanes, ", "),
                     ebb::to_text(hardware.high_limit));
}

std::string nic_yaml(const netsim::NicHardware& nic) {
  const std::string rate =
      nic.dma_rate > DataRate{} ? ", dma_rate: " + ebb::to_text(nic.dma_rate) : "";
  return fmt::format(",\n           nic: {{doorbell: {}, dma_setup: {}{}}}",
                     ebb::to_text(nic.doorbell), ebb::to_text(nic.dma_setup), rate);
}

// What most networks do not have is said only where it is.
std::string special_yaml(const netsim::Hardware& hardware) {
  const netsim::Hardware plain;
  std::string text;
  if (hardware.flit != plain.flit) text += ", flit: " + ebb::to_text(hardware.flit);
  if (hardware.gated_buffers) text += ", gated_buffers: true";
  if (hardware.credits != plain.credits)
    text += fmt::format(", credits: {}", to_text(hardware.credits));
  if (hardware.flow_control != plain.flow_control)
    text += fmt::format(",\n           flow_control: {}", to_text(hardware.flow_control));
  if (hardware.xoff) text += ", xoff: " + ebb::to_text(*hardware.xoff);
  if (hardware.xon) text += ", xon: " + ebb::to_text(*hardware.xon);
  if (hardware.nic.takes_time()) text += nic_yaml(hardware.nic);
  const bool has_lanes = hardware.virtual_lanes != plain.virtual_lanes ||
                         !hardware.service_lanes.empty() || hardware.high_limit > DataSize{};
  if (has_lanes) text += lanes_yaml(hardware);
  return text;
}

std::string to_yaml(const netsim::Hardware& hardware) {
  return fmt::format(
      "{{switching: {}, packet: {}, input_buffer: {}, output_buffer: {},\n"
      "           output_selection: {}, low_power_penalty: {}, drain_from: {}, switch_latency: "
      "{},\n"
      "           link_latency: {}, delay_per_metre: {}, open_messages: {}{}}}",
      to_text(hardware.switching), ebb::to_text(hardware.packet),
      ebb::to_text(hardware.input_buffer), ebb::to_text(hardware.output_buffer),
      to_text(hardware.output_selection), ebb::to_text(hardware.low_power_penalty),
      hardware.drain_from ? ebb::to_text(*hardware.drain_from) : std::string(kNever),
      ebb::to_text(hardware.switch_latency), ebb::to_text(hardware.link_latency),
      ebb::to_text(hardware.delay_per_metre), hardware.open_messages, special_yaml(hardware));
}

std::string schedule_yaml(const SimSpec& spec) {
  const netsim::Schedule& schedule = spec.schedule;
  const auto text = [](bool automatic, Duration time) {
    return automatic ? std::string(kAuto) : ebb::to_text(time);
  };
  if (!spec.jobs.jobs.empty())
    return fmt::format("{{measure: {}}}", text(spec.automatic.measure, schedule.measure));
  return fmt::format("{{warm_up: {}, warm_up_limit: {}, measure: {}, tail_limit: {}{}}}",
                     text(!schedule.warm_up, schedule.warm_up.value_or(Duration{})),
                     text(spec.automatic.warm_up_limit, schedule.warm_up_limit),
                     text(spec.automatic.measure, schedule.measure),
                     text(spec.automatic.tail_limit, schedule.tail_limit), day_yaml(spec.day));
}

std::string fabric_yaml(const SimSpec& spec) {
  if (!spec.fabric) return "";
  std::string text = fmt::format("name: {}\n", quoted(spec.fabric->name));
  if (!spec.fabric->safety.empty()) text += fmt::format("safety: {}\n", spec.fabric->safety);
  return text;
}

std::string fabric_parts_yaml(const SimSpec& spec) {
  const FabricSpec& fabric = *spec.fabric;
  const std::string setup = fabric.setup.empty() ? "" : ", setup: " + quoted(fabric.setup);
  return fmt::format("{{switch: {}{}, wake: {}}}", spec.switch_part, setup,
                     ebb::to_text(fabric.wake));
}

std::string switch_sleep_yaml(const SimSpec& spec) {
  if (spec.switch_groups_sleep) return ", switch_sleep: groups";
  if (!spec.switch_sleep) return "";
  return fmt::format(", switch_sleep: {{power: {}, wake: {}}}",
                     ebb::to_text(spec.switch_sleep->power), ebb::to_text(spec.switch_sleep->wake));
}

// The rate table's own times are not said.
std::string parts_yaml(const SimSpec& spec) {
  if (spec.fabric) return fabric_parts_yaml(spec);
  const std::string rate_change =
      spec.rate_change ? ", rate_change: " + ebb::to_text(*spec.rate_change) : "";
  const std::string components = spec.components.empty() ? "" : ", components: " + spec.components;
  return fmt::format("{{switch: {}, rate_table: {}{}{}{}}}", spec.switch_part, spec.rate_table,
                     components, rate_change, switch_sleep_yaml(spec));
}

// Nothing is said of none.
std::string failed_links_yaml(const SimSpec& spec) {
  std::string names;
  for (const std::string& name : spec.failed_links)
    names += (names.empty() ? "" : ", ") + quoted(name);
  return names.empty() ? "" : fmt::format("failed_links: [{}]\n", names);
}

// What is kept beside the summary. Nothing by default, and then nothing is said.
std::string kept(const SimSpec& spec) {
  std::string text;
  if (spec.series_every) {
    text += fmt::format("series: {{every: {}}}\n", ebb::to_text(*spec.series_every));
  }
  if (spec.per_channel) text += "per_channel: true\n";
  return text;
}

}  // namespace

std::string resolved_text(const SimSpec& spec) {
  return fmt::format(
      "schema_version: 1\n"
      "{}{}"
      "topology: {}\n"
      "routing: {}\n"
      "{}"
      "traffic:{}\n"
      "policy: {}\n"
      "parts: {}\n"
      "hardware: {}\n"
      "schedule: {}\n"
      "{}"
      "seed: {}\n",
      fabric_yaml(spec), spec.fidelity == netsim::Fidelity::flow ? "fidelity: flow\n" : "",
      to_yaml(spec.topology), spec.routing, failed_links_yaml(spec), traffic_yaml(spec),
      to_yaml(spec.policy), parts_yaml(spec), to_yaml(spec.hardware), schedule_yaml(spec),
      kept(spec), spec.seed);
}

}  // namespace ebb::config
