// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/energy_objects.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace ebb::monitor {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 6> kMultipliers = {"multiplier-milli", "multiplier-units",
                                                          "multiplier-kilo",  "multiplier-mega",
                                                          "multiplier-giga",  "multiplier-tera"};
constexpr Int128 kBetweenMultipliers = 1000;
constexpr Int128 kMilliwatt = 1000;                                   // uW
constexpr Int128 kMilliwattHour = Int128{3'600'000'000'000'000'000};  // aJ

// A whole number of a multiple of a unit.
struct Scaled {
  Int128 value = 0;
  std::string_view multiplier;
};

// Half away from zero.
Int128 divided(Int128 count, Int128 by) {
  return (count < 0 ? count - by / 2 : count + by / 2) / by;
}

// By the smallest multiplier with which it is at most `most`.
Scaled scaled(Int128 count, Int128 thousandth, Int128 most) {
  Scaled result;
  for (const std::string_view multiplier : kMultipliers) {
    result = {divided(count, thousandth), multiplier};
    if (result.value <= most && result.value >= -most) break;
    thousandth *= kBetweenMultipliers;
  }
  return result;
}

std::string_view identity_of(power::Accuracy accuracy) {
  switch (accuracy) {
    case power::Accuracy::unknown:
      break;
    case power::Accuracy::modelled:
      return "accuracy-estimated";
    case power::Accuracy::static_data:
      return "accuracy-static";
    case power::Accuracy::measured:
      return "accuracy-measured";
  }
  return "accuracy-unknown";
}

Json entry_of(const EnergyObject& object) {
  const std::string_view accuracy = identity_of(object.accuracy);
  const Scaled power =
      scaled(object.power.count(), kMilliwatt, std::numeric_limits<std::int32_t>::max());
  Json entry = {{"energy-object-id", object.id},
                {"power",
                 {{"instantaneous-power", static_cast<std::int32_t>(power.value)},
                  {"unit-multiplier", power.multiplier},
                  {"data-source-accuracy", accuracy}}}};
  if (object.consumed && object.consumed->count() >= 0) {
    const Scaled energy =
        scaled(object.consumed->count(), kMilliwattHour, std::numeric_limits<std::uint64_t>::max());
    // A uint64 is a string in this JSON.
    entry["energy"] = {
        {"total-energy-consumed", std::to_string(static_cast<std::uint64_t>(energy.value))},
        {"unit-multiplier", energy.multiplier},
        {"data-source-accuracy", accuracy}};
  }
  return entry;
}

}  // namespace

std::string energy_objects_text(std::span<const EnergyObject> objects) {
  Json entries = Json::array();
  for (const EnergyObject& object : objects) entries.push_back(entry_of(object));
  const Json document = {{"ietf-power-and-energy:energy-objects", {{"energy-entry", entries}}}};
  return document.dump(2) + "\n";
}

}  // namespace ebb::monitor
