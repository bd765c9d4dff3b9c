// SPDX-License-Identifier: Apache-2.0
//
// The section `switch_power` of a fabric file: what switches whole switches on and off.
#include "access.hpp"

#include "ebb/core/names.hpp"
#include "ebb/files/sections.hpp"
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>

#include <vector>

namespace ebb::fabric_config {
namespace {

// An object identifier, as 1.3.6.1.4.1.318.1.1.4.4.2.1.3.5; empty: it is none.
std::vector<std::uint32_t> read_object(const std::string& text) {
  std::vector<std::uint32_t> parts;
  std::uint64_t part = 0;
  bool has_digit = false;
  constexpr std::uint64_t kMost = 0xffffffff;
  constexpr std::size_t kMostParts = 128;
  for (const char letter : text + ".") {
    if (letter >= '0' && letter <= '9') {
      part = 10 * part + static_cast<std::uint64_t>(letter - '0');
      has_digit = true;
      if (part > kMost) return {};
    } else if (letter == '.' && has_digit && parts.size() < kMostParts) {
      parts.push_back(static_cast<std::uint32_t>(part));
      part = 0;
      has_digit = false;
    } else {
      return {};
    }
  }
  return parts.size() < 2 ? std::vector<std::uint32_t>{} : parts;
}

SwitchPowerSpec::Outlet read_outlet(const files::Value& value, const std::string& driver,
                                    files::Diagnostics& errors) {
  files::Section section(value, errors);
  SwitchPowerSpec::Outlet outlet{.address = section.require_text("address").value_or("")};
  if (driver == "gnmi") {
    outlet.component = section.require_text("component").value_or("");
  } else {
    const auto place = section.require("object");
    const auto object = place ? place->text(errors) : std::nullopt;
    if (object) outlet.object = read_object(*object);
    if (object && outlet.object.empty())
      place->report(errors, fmt::format("'{}' is no object identifier, as 1.3.6.1.2", *object));
    constexpr std::int64_t kLargest = 0x7fffffff;
    outlet.on = section.find_integer("on", 0, kLargest).value_or(outlet.on);
    outlet.off = section.find_integer("off", 0, kLargest).value_or(outlet.off);
    if (outlet.on == outlet.off) value.report(errors, "'on' and 'off' must differ");
  }
  section.finish();
  return outlet;
}

void read_outlets(const files::Value& value, const topology::Graph& graph, SwitchPowerSpec& spec,
                  files::Diagnostics& errors) {
  std::vector<std::string> names;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
    names.push_back(graph.name(graph.switch_node(s)));
  for (const auto& [name, place] : files::Section(value, errors).entries()) {
    const auto found = find_switch(names, std::string(name));
    if (!found) {
      place.report(errors, unknown_name("switch", name, names));
      continue;
    }
    const auto device = static_cast<std::uint32_t>(*found);
    if (!spec.outlets.emplace(device, read_outlet(place, spec.driver, errors)).second)
      place.report(errors, fmt::format("{} has an outlet already", names[*found]));
  }
  if (spec.outlets.empty()) value.report(errors, "no switch has an outlet");
}

struct Limits {
  Duration least;
  Duration most;
  std::string_view text;
};

void read_time(files::Section& section, std::string_view key, const Limits& limits, Duration& time,
               files::Diagnostics& errors) {
  const auto value = section.find(key);
  if (!value) return;
  const auto read = value->quantity<Duration>(errors);
  if (read && (*read < limits.least || *read > limits.most)) {
    value->report(errors, fmt::format("must be {}", limits.text));
  } else if (read) {
    time = *read;
  }
}

// What the policy may drain has an outlet and no hosts.
void read_drained_by(files::Section& section, const topology::Graph& graph, SwitchPowerSpec& spec,
                     files::Diagnostics& errors) {
  constexpr Limits kToADay{Duration{}, std::chrono::hours(24), "at most 24 h"};
  read_time(section, "min_off_time", kToADay, spec.min_off_time, errors);
  read_time(section, "min_use_time", kToADay, spec.min_use_time, errors);
  const auto place = section.find("drained_by");
  if (!place) return;
  spec.by_policy = section.require_one_of("drained_by", {"operators", "policy"}) == "policy";
  if (!spec.by_policy) return;
  for (std::uint32_t device = 0; device < graph.switch_count(); ++device) {
    const bool has_outlet = spec.driver == "testbed" || spec.outlets.contains(device);
    if (has_outlet && !topology::has_hosts(graph, device)) return;
  }
  place->report(errors, "no switch without hosts has an outlet: the policy could drain none");
}

}  // namespace

SwitchPowerSpec read_switch_power(const files::Value& value, const topology::Graph& graph,
                                  files::Diagnostics& errors) {
  files::Section section(value, errors);
  SwitchPowerSpec spec{.line = value.line()};
  spec.driver = section.require_one_of("driver", {"testbed", "snmp", "gnmi"}).value_or("");
  read_time(section, "start_limit",
            {std::chrono::seconds(1), std::chrono::hours(1), "between 1 s and 1 h"},
            spec.start_limit, errors);
  // With the daemons of a test fabric everything is known.
  if (spec.driver == "snmp" || spec.driver == "gnmi") {
    if (const auto outlets = section.require("outlets"))
      read_outlets(*outlets, graph, spec, errors);
  }
  if (spec.driver == "snmp") {
    if (const auto access = section.require("snmp")) spec.snmp = read_snmp(*access, errors);
  } else if (spec.driver == "gnmi") {
    if (const auto access = section.find("gnmi")) spec.gnmi = read_gnmi(*access, errors);
  }
  read_drained_by(section, graph, spec, errors);
  section.finish();
  return spec;
}

}  // namespace ebb::fabric_config
