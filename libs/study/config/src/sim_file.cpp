// SPDX-License-Identifier: Apache-2.0
#include "ebb/config/sim_file.hpp"

#include "day.hpp"
#include "jobs.hpp"
#include "messages.hpp"
#include "overrides.hpp"
#include "quantities.hpp"
#include "sim_hardware.hpp"

#include "ebb/core/names.hpp"
#include "ebb/files/document.hpp"
#include "ebb/files/sections.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/power/model.hpp"
#include "ebb/power/port_watts.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/traffic/injection.hpp"
#include "ebb/traffic/message.hpp"
#include "ebb/traffic/pattern.hpp"
#include "ebb/traffic/workload_kind.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ebb::config {
namespace {

constexpr std::size_t kLargestSimFile = 64 << 20;  // a list of messages may stand in it

template <class Kind>
Result<std::span<const Parameter>> declared_by(const Result<const Kind*>& kind) {
  if (!kind) return fail(kind.error());
  return std::span<const Parameter>((*kind)->parameters);
}

Result<std::span<const Parameter>> of_pattern(std::string_view name) {
  return declared_by(traffic::find_pattern_kind(name));
}
Result<std::span<const Parameter>> of_injection(std::string_view name) {
  return declared_by(traffic::find_injection_kind(name));
}
Result<std::span<const Parameter>> of_workload(std::string_view name) {
  return declared_by(traffic::find_workload_kind(name));
}
Result<std::span<const Parameter>> of_policy(std::string_view name) {
  return declared_by(policy::find_policy(name));
}

void read_kind(files::Section& section, std::string_view key, files::Declared declared,
               files::Named& target) {
  const auto value = section.require(key);
  if (!value) return;
  if (auto named = files::read_named(*value, declared, section.errors()))
    target = std::move(*named);
}

// Jobs, or a workload by its name, with its parameters beside, or a list of messages, or a pattern
// and an injection.
void read_traffic(files::Section& sim, SimSpec& spec) {
  const auto value = sim.require("traffic");
  if (!value) return;
  files::Section section(*value, sim.errors());
  if (read_jobs(section, spec.jobs)) return;
  if (section.find("workload")) {
    if (auto named = files::read_named(*value, of_workload, sim.errors(), "workload"))
      spec.workload = std::move(*named);
    return;
  }
  if (const auto messages = section.find("messages")) {
    read_messages_key(*messages, sim.errors(), spec.messages);
    return section.finish();
  }
  read_kind(section, "pattern", of_pattern, spec.pattern);
  read_kind(section, "injection", of_injection, spec.injection);
  const auto services = section.find_integer("services", 1, traffic::kMostServices);
  if (services) spec.services = static_cast<std::uint8_t>(*services);
  section.finish();
}

void read_routing(files::Section& sim, SimSpec& spec) {
  const auto value = sim.require("routing");
  const auto name = value ? value->text(sim.errors()) : std::nullopt;
  if (!name) return;
  const auto scheme = routing::find_scheme(files::shown(*name));
  if (!scheme) return value->report(sim.errors(), scheme.error().front().message);
  spec.routing = *name;
}

// Which links there are is known when the graph is made.
void read_failed_links(files::Section& sim, SimSpec& spec) {
  const auto value = sim.find("failed_links");
  const auto names = value ? value->list(sim.errors()) : std::nullopt;
  if (!names) return;
  for (const files::Value& one : *names) {
    if (auto name = one.text(sim.errors())) spec.failed_links.push_back(std::move(*name));
  }
}

std::string no_chip(const power::Part& part) {
  if (std::holds_alternative<power::Box>(part.body)) {
    return fmt::format(
        "'{}' is a box, measured as a whole: nothing is known of its links at lower rates or "
        "asleep, so it cannot be simulated; name a chip (ebb parts list)",
        part.name);
  }
  return fmt::format("'{}' is a {}, not a chip", part.name, power::kind_of(part));
}

std::optional<power::Chip> read_chip(files::Section& parts, const power::Library& library,
                                     SimSpec& spec) {
  const auto value = parts.require("switch");
  const auto name = value ? value->text(parts.errors()) : std::nullopt;
  if (!name) return std::nullopt;
  const auto part = library.find(files::shown(*name));
  if (!part) {
    value->report(parts.errors(), part.error().front().message);
    return std::nullopt;
  }
  auto chip = power::as_chip(**part, library);
  if (!chip) value->report(parts.errors(), no_chip(**part));
  spec.switch_part = *name;
  return chip;
}

// "800Gb/s", and what the ports may be broken out to.
std::string rates_of_ports(const power::Chip& chip) {
  std::string rates = to_text(chip.port_rate);
  for (const power::Breakout& split : chip.breakout) rates += ", " + to_text(split.rate);
  return rates;
}

// Rate tables of the library that fit a port of the chip, whole or broken out.
std::string fitting_rate_tables(const power::Chip& chip, const power::Library& library) {
  return power::names_text(
      library.parts_where<power::RateTable>([&](const power::RateTable& table) {
        const DataRate full = table.steps.back().rate;
        return power::at_rate(chip, full).port_rate == full;
      }));
}

std::string no_rate_table(const power::Chip& chip, const power::Library& library,
                          const std::string& name) {
  const std::string fitting = fitting_rate_tables(chip, library);
  return fmt::format("'{}' has no rate table; name one with 'rate_table'{}{}", name,
                     fitting.empty() ? "" : ": ", fitting);
}

// The rate table that the file names, else the chip's own.
const power::RateTable* read_rate_table_part(files::Section& parts,
                                             const std::optional<power::Chip>& chip,
                                             const power::Library& library, SimSpec& spec) {
  const auto value = parts.find("rate_table");
  auto name = value ? value->text(parts.errors()) : std::nullopt;
  if (!value && chip) name = chip->rate_table;
  if (!name) {
    if (!value && chip)
      parts.value().report(parts.errors(), no_rate_table(*chip, library, spec.switch_part));
    return nullptr;
  }
  const files::Value& place = value ? *value : parts.value();
  const auto rate_table = library.find_as<power::RateTable>(files::shown(*name));
  if (!rate_table) {
    place.report(parts.errors(), rate_table.error().front().message);
    return nullptr;
  }
  const DataRate full = (*rate_table)->steps.back().rate;
  if (chip && power::at_rate(*chip, full).port_rate != full) {
    place.report(parts.errors(),
                 fmt::format("'{}' ends at {}, but the ports of '{}' run at {}", *name,
                             to_text(full), spec.switch_part, rates_of_ports(*chip)));
  }
  spec.rate_table = *name;
  return *rate_table;
}

void read_components(files::Section& parts, const power::Library& library, SimSpec& spec) {
  const auto value = parts.find("components");
  const auto name = value ? value->text(parts.errors()) : std::nullopt;
  if (!name) return;
  const auto found = library.find_as<power::Components>(files::shown(*name));
  if (!found) return value->report(parts.errors(), found.error().front().message);
  spec.components = *name;
}

// 'groups' stands for the power groups of the part. Of the other form both keys are needed: nobody
// has published either for a part of the library.
void read_switch_sleep(files::Section& parts, SimSpec& spec) {
  const auto value = parts.find("switch_sleep");
  if (!value) return;
  if (value->is_scalar()) {
    const auto written = value->text(parts.errors());
    spec.switch_groups_sleep = written == "groups";
    if (written && !spec.switch_groups_sleep) {
      value->report(parts.errors(),
                    unknown_name("form", *written, std::vector<std::string>{"groups"}));
    }
    return;
  }
  files::Section section(*value, parts.errors());
  netsim::SwitchSleep sleep;
  const bool has_power = section.require("power").has_value();
  const bool has_wake = section.require("wake").has_value();
  if (has_power) read_quantity(section, "power", Power{}, watts(1'000'000), sleep.power);
  if (has_wake)
    read_quantity(section, "wake", Duration{}, Duration(std::chrono::hours(1)), sleep.wake);
  section.finish();
  spec.switch_sleep = sleep;
}

// The rates of the rate table, which links have unless the file says otherwise.
topology::RateTable read_sim_parts(files::Section& sim, const power::Library& library,
                                   SimSpec& spec) {
  topology::RateTable rates;
  if (const auto value = sim.require("parts")) {
    files::Section section(*value, sim.errors());
    const auto chip = read_chip(section, library, spec);
    const auto* rate_table = read_rate_table_part(section, chip, library, spec);
    read_components(section, library, spec);
    spec.rate_change = read_change_time(section, "rate_change");
    read_switch_sleep(section, spec);
    section.finish();
    if (rate_table != nullptr) {
      for (const power::RateTableEntry& step : rate_table->steps) rates.push_back(step.rate);
    }
  }
  if (rates.empty()) rates = {gigabits_per_second(40)};  // an error was reported
  return rates;
}

void read_topology(files::Section& sim, const std::optional<files::Value>& value,
                   const topology::RateTable& rates, SimSpec& spec) {
  if (!value) return;
  auto topology = files::read_topology_spec(*value, sim.errors(), rates);
  if (!topology) return;
  spec.topology = std::move(*topology);
  if (spec.topology.family.empty()) return;
  const auto family = topology::find_family(spec.topology.family);
  spec.topology.parameters = topology::with_defaults(**family, spec.topology.parameters);
}

// What a fabric file says and a simulation file does not.
void read_fabric(files::Section& sim, SimSpec& spec) {
  const auto name = sim.find_text("name");
  const auto safety = sim.find("safety");
  if (!name && !safety) return;
  spec.fabric.emplace();
  spec.fabric->name = name.value_or("");
  if (safety) spec.fabric->safety = safety->flow_text();
}

// What a simulation needs and a fabric file leaves open.
void complete_fabric(YAML::Node& document) {
  if (!document.IsMap() || (!document["name"] && !document["safety"])) return;
  const auto add = [&](const char* key, const char* value) {
    if (!document[key]) document[key] = YAML::Load(value);
  };
  add("routing", "tables");
  add("policy", "always-on");
  add("traffic", "{pattern: uniform, injection: {name: poisson, load: 5%, size: 1500B}}");
  if (document["traffic"]["program"] || document["traffic"]["jobs"]) return;
  add("schedule", "{warm_up: 10s, measure: 60s, tail_limit: 5s}");
}

// Jobs are measured from the beginning to their end.
void check_schedule_of_jobs(files::Section& sim, const SimSpec& spec) {
  const auto value = spec.jobs.jobs.empty() ? std::nullopt : sim.find("schedule");
  if (!value) return;
  files::Section section(*value, sim.errors());
  for (const auto& [key, given] : section.entries()) {
    if (key == "measure") continue;
    given.report(sim.errors(),
                 fmt::format("'{}' has no effect: jobs are measured from the beginning to their "
                             "end, for at most 'measure'",
                             key));
  }
}

// A box, of which is known what its ports draw.
topology::RateTable read_fabric_parts(files::Section& sim, const power::Library& library,
                                      SimSpec& spec) {
  const auto value = sim.find("parts");
  if (!value) {
    sim.value().report(sim.errors(),
                       "the fabric names no switch, so that nothing is known of its power: add "
                       "'parts', as --set 'parts={switch: dell-powerconnect-6248}'");
    return files::fabric_rates();
  }
  files::Section parts(*value, sim.errors());
  spec.switch_part = parts.require_text("switch").value_or("");
  spec.fabric->setup = parts.find_text("setup").value_or("");
  if (const auto wake = read_change_time(parts, "wake")) spec.fabric->wake = *wake;
  parts.finish();
  const auto port = power::port_watts(library, spec.switch_part, spec.fabric->setup);
  if (!port && !spec.switch_part.empty()) value->report(sim.errors(), port.error().front().message);
  return files::fabric_rates();
}

SimSpec read_spec(files::Section& sim, const power::Library& library) {
  SimSpec spec;
  sim.require_schema_version(1);
  read_fabric(sim, spec);
  const auto topology = sim.require("topology");
  const topology::RateTable rates =
      spec.fabric ? read_fabric_parts(sim, library, spec) : read_sim_parts(sim, library, spec);
  read_topology(sim, topology, rates, spec);
  read_routing(sim, spec);
  read_failed_links(sim, spec);
  read_traffic(sim, spec);
  read_kind(sim, "policy", of_policy, spec.policy);
  read_hardware(sim, spec.hardware);
  read_schedule(sim, spec);
  check_schedule_of_jobs(sim, spec);
  const auto seed = sim.find_integer("seed", 0, std::numeric_limits<std::int64_t>::max());
  if (seed) spec.seed = static_cast<std::uint64_t>(*seed);
  if (sim.find("fidelity") && sim.require_one_of("fidelity", {"packet", "flow"}) == "flow")
    spec.fidelity = netsim::Fidelity::flow;
  read_series(sim, spec.series_every);
  if (sim.find("per_channel"))
    spec.per_channel = sim.require_one_of("per_channel", {"true", "false"}) == "true";
  check_day_keys(sim, spec);
  sim.finish();
  return spec;
}

// The nearest key above that has a place: "topology.rates" may have been left out.
Location place_of(const std::map<std::string, Location>& places, std::string path) {
  for (;;) {
    if (const auto at = places.find(path); at != places.end()) return at->second;
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos) return {.path = path};
    path.resize(dot);
  }
}

// Where keys stand, two levels deep: enough for every error that comes later.
std::map<std::string, Location> places_of(const files::Value& root, const Overrides& overrides,
                                          const std::string& file) {
  std::map<std::string, Location> places;
  files::Diagnostics unused(file);
  const auto keep = [&](const files::Value& value) {
    places[value.path()] = overrides.placed({file, value.line(), value.column(), value.path()});
  };
  for (const auto& [name, value] : files::Section(root, unused).entries()) {
    keep(value);
    if (!value.is_map()) continue;
    for (const auto& entry : files::Section(value, unused).entries()) keep(entry.second);
  }
  return places;
}

}  // namespace

Errors placed(Errors errors, const SimFile& file) {
  for (Error& error : errors) {
    if (error.where.file.empty()) error.where = place_of(file.places, error.where.path);
  }
  return errors;
}

Result<SimFile> read_sim_text(std::string_view text, const std::string& file,
                              const power::Library& library,
                              std::span<const std::string> overrides) {
  files::Diagnostics errors(file);
  auto document = load_document(text, errors);
  if (!document) return fail(errors.take());
  complete_fabric(*document);
  Overrides settings(overrides, {"traffic.pattern", "traffic.injection", "policy"});
  Errors problems = settings.apply(*document);
  give_load_of_day(*document, errors);
  const files::Value root(*document, "");
  files::Section section(root, errors);
  SimSpec spec = read_spec(section, library);
  for (Error& error : settings.placed(errors.take())) problems.push_back(std::move(error));
  if (!problems.empty()) return fail(std::move(problems));
  return SimFile{std::move(spec), places_of(root, settings, file)};
}

Result<SimFile> read_sim(const std::string& path, const power::Library& library,
                         std::span<const std::string> overrides) {
  const auto text = files::read_file(path, kLargestSimFile);
  if (!text) return fail(text.error());
  return read_sim_text(*text, path, library, overrides);
}

}  // namespace ebb::config
