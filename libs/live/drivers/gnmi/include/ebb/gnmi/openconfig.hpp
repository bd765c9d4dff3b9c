// SPDX-License-Identifier: Apache-2.0
//
// The part of OpenConfig that ebb uses: paths, leaves and the names of rates.
//
// A path is a place in the tree of a gNMI target: /interfaces/interface[name=p1]/state/oper-status.
#pragma once

#include "ebb/units/data.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ebb::gnmi {

struct Element {
  std::string name;
  std::map<std::string, std::string> keys;

  bool operator==(const Element&) const = default;
};

struct Path {
  std::vector<Element> elements;

  bool operator==(const Path&) const = default;
};

[[nodiscard]] std::string to_text(const Path& path);

// Whether whoever asks for `asked` gets `leaf`: it is the place itself or one below it. A name or
// the value of a key may be "*", and a key that is not mentioned may have any value.
[[nodiscard]] bool covers(const Path& asked, const Path& leaf);

// The leaves of OpenConfig that ebb reads and sets: openconfig-interfaces, -if-ethernet, -vlan and
// -platform-transceiver, -platform-linecard. Each belongs to an interface or to a component.
enum class Leaf : std::uint8_t {
  enabled,            // may the interface be up
  admin_status,       // UP, DOWN
  oper_status,        // UP, DOWN, LOWER_LAYER_DOWN
  in_octets,          //
  out_octets,         //
  out_pkts,           //
  port_speed,         // SPEED_10GB
  access_vlan,        // of frames without a tag
  module_enabled,     // power of the transceiver
  power_admin_state,  // of a component: POWER_ENABLED, POWER_DISABLED
};

inline constexpr std::string_view kPowerEnabled = "POWER_ENABLED";
inline constexpr std::string_view kPowerDisabled = "POWER_DISABLED";

// Those of an interface; the last one is of components.
inline constexpr std::array kLeaves = {Leaf::enabled,    Leaf::admin_status, Leaf::oper_status,
                                       Leaf::in_octets,  Leaf::out_octets,   Leaf::out_pkts,
                                       Leaf::port_speed, Leaf::access_vlan,  Leaf::module_enabled};

struct LeafOf {
  Leaf leaf;
  std::string name;  // of the interface; of the component for the last two

  bool operator==(const LeafOf&) const = default;
};

using Value = std::variant<bool, std::uint64_t, std::string>;

[[nodiscard]] Path path_of(const LeafOf& leaf);
// Of exactly this leaf; nothing for other places.
[[nodiscard]] std::optional<LeafOf> leaf_at(const Path& path);
// Orders; the others are what was found.
[[nodiscard]] bool can_be_set(Leaf leaf);

// The component of an interface's transceiver, in targets of ours.
[[nodiscard]] std::string module_of(const std::string& interface);

// Rates as OpenConfig's identities: SPEED_100MB, SPEED_2500MB, SPEED_25GB (B is for bits there).
// OpenConfig lists those of Ethernet; others, as SPEED_1MB, have the same form, and a target that
// does not know them refuses them.
//
// Whole megabits a second; nothing for other rates.
[[nodiscard]] std::optional<std::string> speed_name(DataRate rate);
// Also with the name of the model before it: openconfig-if-ethernet:SPEED_10GB.
[[nodiscard]] std::optional<DataRate> read_speed(std::string_view name);

}  // namespace ebb::gnmi
