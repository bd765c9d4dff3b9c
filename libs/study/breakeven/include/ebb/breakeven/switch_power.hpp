// SPDX-License-Identifier: Apache-2.0
//
// A whole switch: how much of its power sits in its links, where channels in a low-power state can
// save it, and how much in the chassis, where they cannot.
//   chassis  base of a box, core of a chip: drawn whatever the links do
//   links    all ports up with their modules, without traffic; the links of a chip at full rate
//   traffic  energy per bit and per packet, of boxes for which it was measured
// Every port that takes the setup is in use, others are not, and each carries the same load in each
// direction. Half of a link's power is counted for each direction.
#pragma once

#include "ebb/breakeven/low_power.hpp"
#include "ebb/power/library.hpp"
#include "ebb/power/part.hpp"

#include <chrono>
#include <optional>
#include <vector>

namespace ebb::breakeven {

struct SwitchPower {
  Power chassis;
  Power links;
  Power traffic;

  [[nodiscard]] Power total() const { return chassis + links + traffic; }
};

[[nodiscard]] double share_of(Power part, Power whole);

// Points into the library that it came from.
struct SwitchSetup {
  const power::Part* part = nullptr;
  const power::PortSetup* setup = nullptr;       // of a box; of a chip none
  const power::RateTable* rate_table = nullptr;  // of a chip that has one

  [[nodiscard]] int ports() const;
  [[nodiscard]] DataRate rate() const;
  // False for a box of which only one figure for everything is known.
  [[nodiscard]] bool links_known() const;
  // Ports of a box that are shut down with their module in place; none for a chip.
  [[nodiscard]] std::optional<Power> saved_by_shutdown_of_a_port() const;
  [[nodiscard]] SwitchPower power_at(Ratio load) const;
  [[nodiscard]] Power full_load() const;
};

// One for each setup of a box, one for a chip, none for other parts.
[[nodiscard]] std::vector<SwitchSetup> setups_of(const power::Part& part,
                                                 const power::Library& library);

// Power that channels in a low-power state would save, by the rule `timeout`, which needs no
// foresight.
struct SwitchSavings {
  Ratio load;
  SwitchPower drawn;                 // at that load, always on
  std::optional<Power> own;          // by the states that the part itself has; none: it has none
  std::optional<Power> quick_sleep;  // were there ports that wake in kQuickWake from 0 W; none:
                                     // the power of the links is not known
  Power ideal;                       // were the power of full load in proportion to the load

  // Of the power drawn.
  [[nodiscard]] double share(Power saved) const;
};

inline constexpr Duration kQuickWake = std::chrono::microseconds(1);

[[nodiscard]] SwitchSavings savings(const SwitchSetup& setup, const HostChannels& channels,
                                    Ratio load);

}  // namespace ebb::breakeven
