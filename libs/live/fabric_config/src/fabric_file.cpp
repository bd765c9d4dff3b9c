// SPDX-License-Identifier: Apache-2.0
#include "ebb/fabric_config/fabric_file.hpp"

#include "access.hpp"

#include "ebb/files/document.hpp"
#include "ebb/files/sections.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/testbed/layout.hpp"
#include "ebb/units/quantity.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace ebb::fabric_config {
namespace {

constexpr std::size_t kLargestFabricFile = 1 << 20;

void read_name(files::Section& fabric, std::string& name) {
  const auto value = fabric.require("name");
  const auto text = value ? value->text(fabric.errors()) : std::nullopt;
  if (!text) return;
  if (!testbed::is_fabric_name(*text)) {
    value->report(fabric.errors(),
                  fmt::format("'{}' is no name of a fabric: 1 to {} letters, digits, - and _, not "
                              "beginning with -",
                              files::shown(*text), testbed::kLongestFabricName));
  }
  name = *text;
}

// Errors of a graph file say where they are in it.
void report_all(const Errors& found, const files::Value& place, files::Diagnostics& errors) {
  for (const Error& one : found) {
    place.report(errors, one.where.file.empty() ? one.message : to_string(one));
  }
}

Errors validate_size(std::int64_t switches, std::int64_t hosts, Site site) {
  if (site == Site::test_fabric) return testbed::validate_size(switches, hosts);
  if (hosts <= kMostHosts) return {};
  return {{fmt::format("{} hosts; a controller has at most {}", hosts, kMostHosts), {}}};
}

Errors validate_family(const files::TopologySpec& spec, Site site) {
  if (spec.family.empty()) return {};
  const auto properties = topology::properties(spec.family, spec.parameters);
  return properties ? validate_size(properties->switches, properties->hosts, site)
                    : properties.error();
}

Errors validate_graph(const topology::Graph& graph, Site site) {
  return site == Site::test_fabric ? testbed::validate_graph(graph)
                                   : validate_size(graph.switch_count(), graph.host_count(), site);
}

void read_network(files::Section& fabric, FabricFile& file, Site site) {
  const auto value = fabric.require("topology");
  if (value) file.lines.topology = value->line();
  auto spec = value ? files::read_topology_spec(*value, fabric.errors(), files::fabric_rates())
                    : std::nullopt;
  if (!spec) return;
  if (const Errors large = validate_family(*spec, site); !large.empty())
    return report_all(large, *value, fabric.errors());
  auto graph = build(*spec);
  if (!graph) return report_all(graph.error(), *value, fabric.errors());
  report_all(validate_graph(*graph, site), *value, fabric.errors());
  file.topology = std::move(*spec);
  file.graph = std::move(*graph);
}

Result<std::span<const Parameter>> of_policy(std::string_view name) {
  const auto found = policy::find_policy(name);
  if (!found) return fail(found.error());
  return std::span<const Parameter>((*found)->parameters);
}

void read_policy(files::Section& fabric, FabricFile& file) {
  file.policy.name = "always-on";
  const auto value = fabric.find("policy");
  if (!value) return;
  file.lines.policy = value->line();
  if (auto named = files::read_named(*value, of_policy, fabric.errors()))
    file.policy = std::move(*named);
}

void read_parts(files::Section& fabric, FabricFile& file) {
  const auto value = fabric.find("parts");
  if (!value) return;
  file.lines.parts = value->line();
  files::Section parts(*value, fabric.errors());
  file.switch_part = parts.require_text("switch").value_or("");
  file.setup = parts.find_text("setup").value_or("");
  parts.finish();
}

void read_time(files::Section& section, std::string_view key, Duration& target) {
  const auto value = section.find(key);
  const auto time = value ? value->quantity<Duration>(section.errors()) : std::nullopt;
  if (!time) return;
  if (*time < Duration{} || *time > std::chrono::hours(24))
    return value->report(section.errors(), "must be between 0 and 24 h");
  target = *time;
}

void read_count(files::Section& section, std::string_view key, std::uint32_t& target) {
  constexpr std::int64_t kMost = 1'000'000;
  if (const auto number = section.find_integer(key, 1, kMost))
    target = static_cast<std::uint32_t>(*number);
}

// A link that would wake by the load with which it may go to sleep would do both in turn.
void read_detour_limits(files::Section& section, controller::Safety& safety) {
  const auto read = [&](const char* key) -> std::optional<double> {
    const auto node = section.find(key);
    const auto share = node ? node->quantity<Ratio>(section.errors()) : std::nullopt;
    return share ? std::optional(share->to_double()) : std::nullopt;
  };
  safety.max_detour_utilisation =
      read("max_detour_utilisation").value_or(safety.max_detour_utilisation);
  const double half_way = (1 + safety.max_detour_utilisation) / 2;
  safety.wake_detour_utilisation = read("wake_detour_utilisation").value_or(half_way);
  if (safety.wake_detour_utilisation < safety.max_detour_utilisation) {
    section.find("wake_detour_utilisation")
        ->report(section.errors(), "must be at least max_detour_utilisation, by default 50 %");
  }
}

// Frames that were on their way when a link was diverted show in the first reading after it, so it
// takes a second one, and `drain_idle`, to see that none comes any more.
void check_drain_time(files::Section& section, const controller::Safety& safety) {
  const Duration needed = 2 * safety.counter_interval + safety.times.drain_idle;
  if (safety.times.drain_limit > needed) return;
  for (const char* key : {"drain_limit", "counter_interval", "drain_idle"}) {
    if (const auto value = section.find(key)) {
      return value->report(section.errors(),
                           fmt::format("no link could go to sleep: drain_limit must be more than "
                                       "two counter_intervals and drain_idle, {}",
                                       to_text(needed)));
    }
  }
}

void read_safety(files::Section section, controller::Safety& safety) {
  read_time(section, "drain_idle", safety.times.drain_idle);
  read_time(section, "drain_limit", safety.times.drain_limit);
  read_time(section, "link_up_hold", safety.times.link_up_hold);
  read_time(section, "wake_limit", safety.times.wake_limit);
  read_time(section, "min_awake_time", safety.min_awake_time);
  read_time(section, "min_sleep_time", safety.min_sleep_time);
  read_time(section, "failure_holdoff", safety.failure_holdoff);
  read_time(section, "min_rate_time", safety.min_rate_time);
  read_time(section, "min_decision_interval", safety.min_decision_interval);
  read_time(section, "max_counter_age", safety.max_counter_age);
  read_time(section, "counter_interval", safety.counter_interval);
  if (safety.counter_interval < std::chrono::milliseconds(10) ||
      safety.counter_interval > safety.max_counter_age) {
    section.find(section.find("counter_interval") ? "counter_interval" : "max_counter_age")
        ->report(section.errors(),
                 "counters must be read every 10 ms or less often, and within "
                 "max_counter_age");
  }
  check_drain_time(section, safety);
  read_time(section, "probe_interval", safety.probe_interval);
  // A software switch hands probes over within milliseconds, but not on a busy machine.
  if (safety.probe_interval < std::chrono::milliseconds(50))
    section.find("probe_interval")->report(section.errors(), "must be at least 50 ms");
  read_count(section, "transitions_per_hour", safety.transitions_per_hour);
  read_count(section, "max_concurrent", safety.max_concurrent);
  read_detour_limits(section, safety);
  if (section.find("single_points_of_failure")) {
    safety.accept_single_points =
        section.require_one_of("single_points_of_failure", {"refuse", "accept"}) == "accept";
  }
  section.finish();
}

}  // namespace

Result<FabricFile> read_fabric_text(std::string_view text, const std::string& file, Site site) {
  files::Diagnostics errors(file);
  const auto root = files::read_yaml(text, errors);
  if (!root) return fail(errors.take());
  files::Section section(*root, errors);
  FabricFile fabric{.path = file};
  section.require_schema_version(1);
  read_name(section, fabric.name);
  read_network(section, fabric, site);
  read_policy(section, fabric);
  read_parts(section, fabric);
  if (const auto safety = section.find("safety"))
    read_safety(files::Section(*safety, errors), fabric.safety);
  if (const auto power = section.find("switch_power"))
    fabric.switch_power = read_switch_power(*power, fabric.graph, errors);
  section.finish();
  if (!errors.empty()) return fail(errors.take());
  return fabric;
}

Result<controller::Safety> read_safety_text(std::string_view text) {
  files::Diagnostics errors("");
  controller::Safety safety;
  const auto root = files::read_yaml(text, errors);
  if (root) read_safety(files::Section(*root, errors), safety);
  if (!errors.empty()) return fail(errors.take());
  return safety;
}

Result<FabricFile> read_fabric(const std::string& path, Site site) {
  const auto text = files::read_file(path, kLargestFabricFile);
  if (!text) return fail(text.error());
  return read_fabric_text(*text, path, site);
}

}  // namespace ebb::fabric_config
