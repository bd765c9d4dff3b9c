// SPDX-License-Identifier: Apache-2.0
#include "parts_file_supply.hpp"

#include "ebb/power/power_supply.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

namespace ebb::files::parts {
namespace {

using power::EfficiencyPoint;
using power::PowerSupply;
using power::Sourced;
using power::SupplyChoice;

constexpr std::size_t kFewestPoints = 2;  // between which there is a line
constexpr std::int64_t kMostSupplies = 64;
// The arithmetic of power_supply.cpp holds for these.
constexpr Range<Power> kRatedPowers{watts(1), watts(100'000)};
constexpr Range<Ratio> kLoads{Ratio(1, 1000), Ratio(1, 1)};
constexpr Range<Ratio> kEfficiencies{Ratio(1, 100), Ratio(1, 1)};

std::vector<Value> read_points(Section& part) {
  const auto value = part.require("efficiency");
  const auto list = value ? value->list(part.errors()) : std::nullopt;
  if (!list) return {};
  if (list->size() < kFewestPoints) {
    value->report(part.errors(), "an efficiency over load needs two points or more");
  }
  return *list;
}

// Nothing when one of its numbers could not be read, which was reported.
std::optional<EfficiencyPoint> read_point(const Value& entry, const Numbers& numbers,
                                          Diagnostics& errors) {
  Section section(entry, errors);
  const auto load = require_in_range(section, "load", kLoads);
  const auto efficiency = numbers.require(section, "efficiency", kEfficiencies);
  section.finish();
  if (!load || !efficiency) return std::nullopt;
  return EfficiencyPoint{*load, *efficiency};
}

}  // namespace

Body read_power_supply(Section& part, const Numbers& numbers) {
  PowerSupply supply;
  supply.rated = numbers.find(part, "rated", kRatedPowers);
  const std::vector<Value> entries = read_points(part);
  for (const Value& entry : entries) {
    if (const auto point = read_point(entry, numbers, part.errors()))
      supply.efficiency.push_back(*point);
  }
  if (supply.efficiency.size() < entries.size()) return supply;
  for (const power::EfficiencyMistake& mistake : power::validate(supply.efficiency))
    entries[mistake.point].report(part.errors(), mistake.message);
  return supply;
}

std::optional<SupplyChoice> read_supply(Section& part, const Numbers& numbers) {
  const auto value = part.find("supply");
  if (!value) return std::nullopt;
  Section section(*value, part.errors());
  SupplyChoice choice;
  choice.part = section.require_text("part").value_or("");
  choice.count = static_cast<int>(section.find_integer("count", 1, kMostSupplies).value_or(1));
  choice.rated = numbers.find(section, "rated", kRatedPowers);
  section.finish();
  return choice;
}

void refuse_supply(Section& box) {
  const auto value = box.find("supply");
  if (!value) return;
  value->report(box.errors(),
                "a box is measured at the wall, so the losses of its supplies would count twice: "
                "only a chip names a supply");
}

void check_supply(const Value& key, const SupplyChoice& choice, const PowerSupply& supply,
                  Power chip, Diagnostics& errors) {
  if (supply.rated && choice.rated) {
    key.report(errors, fmt::format("'{}' is rated for {}: leave out 'rated'", choice.part,
                                   to_text(supply.rated->value)));
    return;
  }
  const auto& rated = supply.rated ? supply.rated : choice.rated;
  if (!rated) {
    key.report(errors, fmt::format("needs 'rated', the output of one supply: '{}' is of any size",
                                   choice.part));
    return;
  }
  const Power all = rated->value * choice.count;
  if (all >= chip) return;
  key.report(errors, fmt::format("the chip draws {}, more than the {} that {} of {} are rated for",
                                 to_text(chip), to_text(all), choice.count, to_text(rated->value)));
}

}  // namespace ebb::files::parts
