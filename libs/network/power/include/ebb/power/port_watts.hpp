// SPDX-License-Identifier: Apache-2.0
//
// What a port of a measured box draws: awake its own power, its module's and what the link adds, at
// a slower rate that of the box's setup for it where it has one; a port that is down keeps the
// module plugged.
//
//   const auto port = port_watts(library, "cisco-nexus-9336c-fx2", "100G LR");
//   const std::vector<Power> by_level = port->at(rate_table);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/power/library.hpp"
#include "ebb/power/part.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::power {

// What watts rest on.
enum class Accuracy : std::uint8_t {
  unknown,
  modelled,     // states of ports, by a model whose numbers were measured on such a box or assumed
  static_data,  // states of ports, by numbers of data sheets and publications alone
  measured,     // a meter
};
[[nodiscard]] std::string_view to_text(Accuracy accuracy);  // "static" for static_data
[[nodiscard]] std::optional<Accuracy> accuracy_named(std::string_view text);

struct PortWatts {
  Power awake;
  Power asleep;
  // By step of a rate table; none: a port draws the same at every rate.
  std::function<std::vector<Power>(std::span<const DataRate>)> by_step = nullptr;
  Accuracy accuracy = Accuracy::unknown;

  [[nodiscard]] std::vector<Power> at(std::span<const DataRate> rate_table) const {
    return by_step ? by_step(rate_table) : std::vector<Power>(rate_table.size(), awake);
  }
};

// Of a box of the library; without a name its first setup. Modules keep their power when ports
// sleep, unless they sleep too.
[[nodiscard]] Result<PortWatts> port_watts(const Library& library, const std::string& box,
                                           const std::string& setup, bool modules_sleep = false);

// Of the ports of a box with the modules of `full`, at that rate and at slower ones.
[[nodiscard]] Accuracy accuracy_of(const Library& library, const Box& box, const PortSetup& full);

// What a port draws at each rate of a rate table. A box that was measured at several rates has a
// setup for each; rates of a fabric may be scaled (100 Mb/s for 100 Gb/s), so a setup stands for
// the step that is the same share of the full rate. A step without a setup draws what the full rate
// does: then only sleep saves.
//
// Port enabled, module plugged, link up.
[[nodiscard]] Power awake_watts(const PortSetup& setup);

// By step, slowest first. `full` is the setup of the full rate, and of the box.
[[nodiscard]] std::vector<Power> step_watts(const Box& box, const PortSetup& full,
                                            std::span<const DataRate> rate_table);

}  // namespace ebb::power
