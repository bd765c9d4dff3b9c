// SPDX-License-Identifier: Apache-2.0
//
// The leaves of OpenConfig that ebb reads and sets: openconfig-interfaces, -if-ethernet, -vlan and
// -platform-transceiver. Each belongs to an interface or, for modules, to a component.
#pragma once

#include "ebb/gnmi/path.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace ebb::gnmi {

enum class Leaf : std::uint8_t {
  enabled,         // may the interface be up
  admin_status,    // UP, DOWN
  oper_status,     // UP, DOWN, LOWER_LAYER_DOWN
  in_octets,       //
  out_octets,      //
  out_pkts,        //
  port_speed,      // SPEED_10GB
  access_vlan,     // of frames without a tag
  module_enabled,  // power of the transceiver
};

inline constexpr std::array kLeaves = {Leaf::enabled,    Leaf::admin_status, Leaf::oper_status,
                                       Leaf::in_octets,  Leaf::out_octets,   Leaf::out_pkts,
                                       Leaf::port_speed, Leaf::access_vlan,  Leaf::module_enabled};

struct LeafOf {
  Leaf leaf;
  std::string name;  // of the interface; of the component for module_enabled

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

}  // namespace ebb::gnmi
