// SPDX-License-Identifier: Apache-2.0
//
// The two power models as pure functions of parts; docs/models/power.md has sources and validity.
//
// Chip (Abts et al., ISCA 2010), every link at relative power r of its rate table, s = link share:
//   P = P_full * (1 - s) + P_full * s * r
// Traffic does not appear: a link draws the power of its rate whether it carries packets or not.
//
// Box (NetPowerBench, ETH Zurich), summed over the ports in use:
//   P = P_base + sum( P_port + P_plugged + P_up + E_bit * b + E_packet * b / size )
// with b = rate * load, the bits per second of one direction. Bits per second and energies are
// rounded down per port (to 1 bit/s and 1 aJ), the sum is exact, and only the total is rounded to a
// microwatt. So the result depends neither on the order of the ports nor on how they are grouped.
//
//   const PortUse uses[] = {{&box.setups[0], 36, Ratio(1, 1), bytes(1500)}};
//   const Power power = box_power(box, uses);
#pragma once

#include "ebb/power/library.hpp"
#include "ebb/power/part.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ebb::power {

inline constexpr Ratio kFullPower(1, 1);

// The step of that rate, or nullptr when the rate table has none.
[[nodiscard]] const RateTableEntry* step_at(const RateTable& rate_table, DataRate rate);
// Relative power in the slowest step. The rate table must have steps, as every one that was read
// has.
[[nodiscard]] Ratio slowest(const RateTable& rate_table);

// The breakout with the least rate that carries `rate`; nullptr when ports have to run whole.
[[nodiscard]] const Breakout* breakout_for(std::span<const Breakout> breakout, DataRate rate);

// The chip as it is when all of its ports carry `rate`: broken out into as many ports as its lanes
// make, where it can be. It draws what it did before, and a port that was broken out draws its
// share of the lanes. The rate table of whole ports does not hold for broken-out ones.
[[nodiscard]] Chip at_rate(const Chip& chip, DataRate rate);

// How many ports of `rate` the box has.
[[nodiscard]] int ports_at(const Box& box, DataRate rate);
// A port of the box that carries `rate` by that medium with the least to spare. Where a port is
// broken out and only the whole port is known, it is that port's share by lanes.
[[nodiscard]] std::optional<PortSetup> setup_at(const Box& box, std::string_view medium,
                                                DataRate rate);

// The part as a chip, its links told from the rest: a chip as it is, or a box that names the chip
// inside. All of the box's base but the links of that chip is then core; libraries that were read
// have no box with less. A box has no supply: it was measured at the wall. Nothing for other parts.
[[nodiscard]] std::optional<Chip> as_chip(const Part& part, const Library& library);

// How long a channel carries nothing when it goes from one step to another: its `rate_change`, or
// `lane_change` where lanes differ and one is given, and at least as long as its supply takes to
// follow. Nothing when the rate table knows no time.
[[nodiscard]] std::optional<Duration> change_time(const RateTable& rate_table,
                                                  const RateTableEntry& from,
                                                  const RateTableEntry& to);

// The whole chip with all links at the same relative power; always-on without the argument.
[[nodiscard]] Power chip_power(const Chip& chip, Ratio relative = kFullPower);
// What stays when all links are off.
[[nodiscard]] Power core_power(const Chip& chip);
// What one port's link adds at that relative power, rounded down: the ports of a chip together may
// fall short of the chip's links by less than a microwatt per port.
[[nodiscard]] Power link_power(const Chip& chip, Ratio relative = kFullPower);

enum class PortState : std::uint8_t {
  unused,   // nothing plugged in, or the module's power cut
  plugged,  // module inserted, port shut down
  up
};

// `count` equal ports.
struct PortUse {
  const PortSetup* setup = nullptr;
  int count = 1;
  Ratio load;                     // mean load of one direction, 0 to 1
  DataSize packet = bytes(1500);  // mean size, needed where energy per packet is known
  PortState state = PortState::up;
};

// How often a bit that passes the box is charged. The measured energies come from traffic that
// enters one port and leaves another, and the publication of the numbers does not settle which of
// the two is charged, so both readings are here; they differ by a factor of two in traffic power.
enum class Counting : std::uint8_t {
  once,  // at the port where the bit leaves: the default
  twice  // at the port where it enters and again where it leaves
};

// One of the ports of `use`.
[[nodiscard]] Power port_power(const PortUse& use, Counting counting = Counting::once);
[[nodiscard]] Power box_power(const Box& box, std::span<const PortUse> uses,
                              Counting counting = Counting::once);

// What asks a table: one search for each packet that arrives.
struct Searches {
  DataRate arriving;
  DataSize packet;
};

// E = entries * (width * E_bit + E_encode): every entry takes part in every search.
[[nodiscard]] Energy search_energy(const ForwardingTable& table, std::int64_t entries);
// P = entries * width * P_leak, whatever is asked, rounded down.
[[nodiscard]] Power table_leakage(const ForwardingTable& table, std::int64_t entries);
// P = E * arriving / packet, rounded to the nearest microwatt.
[[nodiscard]] Power search_power(const ForwardingTable& table, std::int64_t entries,
                                 const Searches& searches);
// Both together.
[[nodiscard]] Power table_power(const ForwardingTable& table, std::int64_t entries,
                                const Searches& searches);

}  // namespace ebb::power
