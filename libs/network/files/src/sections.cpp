// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/sections.hpp"

#include "ebb/files/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace ebb::files {
namespace {

std::optional<std::string> parameter_text(const Value& value, Diagnostics& errors) {
  if (!value.is_list()) return value.text(errors);
  const auto entries = value.list(errors);
  std::string joined;
  for (const Value& entry : *entries) {
    const auto text = entry.text(errors);
    if (!text) return std::nullopt;
    joined += (joined.empty() ? "" : "x") + *text;
  }
  return joined;
}

}  // namespace

std::optional<topology::RateTable> read_rate_table(const Value& value, Diagnostics& errors) {
  constexpr std::size_t kMostRates = 255;  // a step of a rate table is kept in a byte
  const auto entries = value.list(errors);
  if (!entries) return std::nullopt;
  if (entries->empty() || entries->size() > kMostRates) {
    value.report(errors, fmt::format("a rate table has 1 to {} rates, this one has {}", kMostRates,
                                     entries->size()));
    return std::nullopt;
  }
  topology::RateTable rate_table;
  bool sound = true;
  for (const Value& entry : *entries) {
    const auto rate = entry.quantity<DataRate>(errors);
    if (rate && rate->count() <= 0) entry.report(errors, "a rate must be positive");
    if (rate && !rate_table.empty() && *rate <= rate_table.back()) {
      entry.report(errors, fmt::format("rates must ascend, but {} follows {}", to_text(*rate),
                                       to_text(rate_table.back())));
    }
    sound = sound && rate && rate->count() > 0 && (rate_table.empty() || *rate > rate_table.back());
    if (rate) rate_table.push_back(*rate);
  }
  if (!sound) return std::nullopt;
  return rate_table;
}

ParameterTexts parameter_texts(const KeyValues& given, Diagnostics& errors) {
  ParameterTexts texts;
  for (const auto& [name, value] : given) {
    // A value that is no text at all has been reported; the empty text keeps it from being missed.
    texts.emplace_back(name, parameter_text(value, errors).value_or(""));
  }
  return texts;
}

void report_parameters(Errors found, const KeyValues& given, const Value& section,
                       Diagnostics& errors) {
  for (Error& error : found) {
    const auto at = std::find_if(given.begin(), given.end(),
                                 [&](const auto& key) { return key.first == error.where.path; });
    const Value& place = at == given.end() ? section : at->second;
    const bool already_reported = at != given.end() && !place.is_scalar() && !place.is_list();
    if (!already_reported) place.report(errors, std::move(error.message));
  }
}

std::optional<topology::Properties> checked_properties(const std::string& family,
                                                       const ParameterTexts& texts,
                                                       const KeyValues& given, const Value& section,
                                                       Diagnostics& errors) {
  auto known = topology::properties(family, texts);
  if (known) return *known;
  report_parameters(std::move(known.error()), given, section, errors);
  return std::nullopt;
}

namespace {

struct Parts {
  Value name;
  KeyValues parameters;
};

std::optional<Parts> parts_of(const Value& value, std::string_view name_key, Diagnostics& errors) {
  if (!value.is_map()) return Parts{value, {}};
  Section section(value, errors);
  const auto name = section.require(name_key);
  if (!name) return std::nullopt;
  Parts parts{*name, section.entries()};
  std::erase_if(parts.parameters, [&](const auto& entry) { return entry.first == name_key; });
  return parts;
}

}  // namespace

std::optional<Named> read_named(const Value& value, Declared declared, Diagnostics& errors,
                                std::string_view name_key) {
  const auto parts = parts_of(value, name_key, errors);
  const auto name = parts ? parts->name.text(errors) : std::nullopt;
  if (!name) return std::nullopt;
  const auto known = declared(shown(*name));
  if (!known) {
    parts->name.report(errors, known.error().front().message);
    return std::nullopt;
  }
  auto resolved = Parameters::resolve(*known, parameter_texts(parts->parameters, errors));
  if (resolved) return Named{*name, resolved->texts()};
  report_parameters(std::move(resolved.error()), parts->parameters, value, errors);
  return std::nullopt;
}

namespace {

void read_length(Section& section, std::string_view key, Length& target) {
  constexpr Length kLongest = metres(1'000);
  const auto value = section.find(key);
  const auto length = value ? value->quantity<Length>(section.errors()) : std::nullopt;
  if (!length) return;
  if (*length < Length{} || *length > kLongest) {
    return value->report(section.errors(), fmt::format("'{}' must be between 0 and 1000 m", key));
  }
  target = *length;
}

void read_floor_count(Section& section, std::string_view key, std::uint32_t& target) {
  constexpr std::int64_t kMost = 100'000;
  target = static_cast<std::uint32_t>(section.find_integer(key, 1, kMost).value_or(target));
}

// Three keys that only mean something together: what a rack has, and what a host and a switch take.
template <class T, class Read>
void read_budget(Section& section, std::string_view of, Read read,
                 std::optional<topology::RackBudget<T>>& target) {
  const std::string keys[] = {fmt::format("rack_{}", of), fmt::format("host_{}", of),
                              fmt::format("switch_{}", of)};
  const bool given = std::any_of(std::begin(keys), std::end(keys), [&](const std::string& key) {
    return section.find(key).has_value();
  });
  if (!given) return;
  const auto rack = read(keys[0]);
  const auto host = read(keys[1]);
  const auto of_switch = read(keys[2]);
  if (!rack || !host || !of_switch) return;
  for (const auto& [key, size] : {std::pair(keys[1], *host), std::pair(keys[2], *of_switch)}) {
    if (*rack < size)
      section.find(key)->report(section.errors(), fmt::format("more than '{}'", keys[0]));
  }
  target = topology::RackBudget<T>{*rack, *host, *of_switch};
}

void read_rack_limits(Section& section, topology::FloorPlan& floor) {
  constexpr std::int64_t kMostHosts = 100'000;
  constexpr std::int64_t kMostUnits = 1'000;
  constexpr Power kMostPower = watts(10'000'000);
  if (const auto hosts = section.find_integer("hosts_per_rack", 1, kMostHosts))
    floor.hosts_per_rack = static_cast<std::uint32_t>(*hosts);
  read_budget<std::uint32_t>(
      section, "units",
      [&](const std::string& key) -> std::optional<std::uint32_t> {
        const auto units = section.require_integer(key, 1, kMostUnits);
        if (!units) return std::nullopt;
        return static_cast<std::uint32_t>(*units);
      },
      floor.units);
  read_budget<Power>(
      section, "power",
      [&](const std::string& key) -> std::optional<Power> {
        const auto value = section.require(key);
        const auto power = value ? value->quantity<Power>(section.errors()) : std::nullopt;
        if (!power || (*power > Power{} && *power <= kMostPower)) return power;
        value->report(section.errors(), fmt::format("'{}' must be above 0 and at most 10 MW", key));
        return std::nullopt;
      },
      floor.power);
}

}  // namespace

void read_floor(Section& section, topology::FloorPlan& floor) {
  const auto value = section.find("floor");
  if (!value) return;
  Section keys(*value, section.errors());
  read_floor_count(keys, "switches_per_rack", floor.switches_per_rack);
  read_floor_count(keys, "racks_per_row", floor.racks_per_row);
  read_length(keys, "rack_pitch", floor.rack_pitch);
  read_length(keys, "row_pitch", floor.row_pitch);
  read_length(keys, "in_rack", floor.in_rack);
  read_length(keys, "rack_overhead", floor.rack_overhead);
  read_length(keys, "electrical_limit", floor.electrical_limit);
  read_rack_limits(keys, floor);
  keys.finish();
}

}  // namespace ebb::files
