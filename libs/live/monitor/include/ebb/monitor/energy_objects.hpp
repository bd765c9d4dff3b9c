// SPDX-License-Identifier: Apache-2.0
//
// Watts and watt-hours in the IETF's power-and-energy model, as JSON (RFC 7951): the module
// ietf-power-and-energy of draft-ietf-green-power-and-energy-yang, revision 2026-07-02. The key of
// an entry has had other names in other revisions.
//
//   energy_objects_text({{{.id = "tour", .power = watts(155), .accuracy = port.accuracy}}});
//
// What a figure rests on is told of each: modelled is accuracy-estimated, static accuracy-static.
// power-state-oper is left out: its type takes what derives from the identity power-state-oper, and
// power-state-on, -off and -sleep derive from power-state, so that validators refuse them.
#pragma once

#include "ebb/power/port_watts.hpp"
#include "ebb/units/energy.hpp"

#include <optional>
#include <span>
#include <string>

namespace ebb::monitor {

struct EnergyObject {
  std::string id;  // unique
  Power power;     // now, or when the data ends
  std::optional<Energy> consumed = std::nullopt;
  power::Accuracy accuracy = power::Accuracy::unknown;
};

// With a line end. Figures are whole numbers of the smallest of thousandths, ones, thousands ...
// for which they are in the range of their type. An energy below zero has no place there and is
// left out.
[[nodiscard]] std::string energy_objects_text(std::span<const EnergyObject> objects);

}  // namespace ebb::monitor
