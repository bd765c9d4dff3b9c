// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/floor_section.hpp"

#include <fmt/format.h>

namespace ebb::files {
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
  keys.finish();
}

}  // namespace ebb::files
