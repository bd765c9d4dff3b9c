// SPDX-License-Identifier: Apache-2.0
//
// Parts that a network is built from, with the power they draw in each state. Every number carries
// where it comes from: `Sourced<T>` is a value and the index of a Source in the library.
//
// Two kinds of switch stand side by side because they disagree about what can be saved:
//   Chip  per-SerDes proportional: the power sits in the links and follows their rates (the papers)
//   Box   measured whole box: base + port + module + energy per bit and per packet (the laboratory)
// Components stand beside a chip: what its buffers, crossbar and tables add by what they do.
#pragma once

#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ebb::power {

// A number with the place it comes from.
template <class T>
struct Sourced {
  T value{};
  std::uint32_t source = 0;  // index into Library::sources()

  bool operator==(const Sourced&) const = default;
};

// What the components of a switch and of a network card take, by what they do: per bit, per packet,
// and by the time for which they leak. docs/models/components.md has the equations.

// A FIFO is made of cells, each powered as a whole.
struct BufferCells {
  DataSize cell;
  Sourced<Energy> write;                // per bit
  Sourced<Energy> read;                 // per bit
  Sourced<Power> leakage;               // of a powered cell
  std::optional<Sourced<Ratio>> gated;  // of that, what a gated cell still leaks; none: no gating

  bool operator==(const BufferCells&) const = default;
};

struct Components {
  BufferCells buffers;
  Sourced<Energy> crossbar_bit;
  Sourced<Energy> crossbar_setup;  // per packet
  Sourced<Energy> arbitration;     // per packet
  Sourced<Energy> lookup;          // per packet, in the tables of the switch
  Sourced<Power> logic;            // of a switch, whatever it does
  Sourced<Energy> nic_bit;         // sent or received: DMA and memory
  Sourced<Energy> nic_packet;      // sent or received: processor and doorbell
  Sourced<Power> nic_idle;         // of a network card, whatever it does

  bool operator==(const Components&) const = default;
};

enum class Evidence : std::uint8_t { measured, datasheet, published, assumed };
[[nodiscard]] std::string_view to_text(Evidence evidence);

struct Source {
  std::string id;
  std::string title;  // paper, data sheet or data set, as one would cite it
  std::string date;   // year, or year-month
  Evidence evidence = Evidence::assumed;
  std::string note;  // for assumed values: how the value was derived

  bool operator==(const Source&) const = default;
};

// How the power of one channel follows its rate, relative to the highest rate.
struct RateTableEntry {
  DataRate rate;
  int lanes = 1;
  Sourced<Ratio> relative_power;
  std::optional<Sourced<Voltage>> supply;  // that the rate needs, where it is scaled with it

  bool operator==(const RateTableEntry&) const = default;
};

struct RateTable {
  std::vector<RateTableEntry> steps;    // ascending by rate; the last is full rate, power 1
  std::optional<Sourced<Ratio>> sleep;  // relative power asleep; none: cannot sleep
  std::optional<Sourced<Duration>> rate_change;
  std::optional<Sourced<Duration>> lane_change;
  std::optional<Sourced<Duration>> wake;
  // How far the supply moves in a microsecond: a change of rate takes as long as its supply needs,
  // and `rate_change` at least. None: `rate_change` is all.
  std::optional<Sourced<Voltage>> supply_per_us;
  // The rate of a channel that has been woken, until its supply has come up from nothing to that of
  // its step. None: it wakes at its step.
  std::optional<Sourced<DataRate>> wake_rate;

  bool operator==(const RateTable&) const = default;
};

// One way to break a port out into several slower ones: `ports` of them, each at `rate` and on its
// share of the port's lanes.
struct Breakout {
  int ports = 2;
  DataRate rate;

  bool operator==(const Breakout&) const = default;
};

// A piece of a switch that is powered as a whole, beside its ports: the chip, a line card, a fan
// tray, a power supply. power_groups.hpp says how they depend on each other.
struct PowerGroup {
  std::string name;
  std::optional<int> ports;  // that one of them serves, so that there are several; none: all ports
  Sourced<Power> power;      // of one of them, awake
  std::optional<Sourced<Power>> asleep;   // of one of them; none: it never sleeps
  std::optional<Sourced<Duration>> wake;  // with `asleep`
  std::optional<std::string> after;       // the group that has to be awake before this one wakes

  bool operator==(const PowerGroup&) const = default;
};

// How much of what a power supply takes from the wall it gives, at a share of its rated output.
struct EfficiencyPoint {
  Ratio load;
  Sourced<Ratio> efficiency;

  bool operator==(const EfficiencyPoint&) const = default;
};

// power_supply.hpp has what it takes from the wall.
struct PowerSupply {
  std::vector<EfficiencyPoint> efficiency;  // ascending by load; the last is full load
  std::optional<Sourced<Power>> rated;      // its output; none: a class of supplies of any size

  bool operator==(const PowerSupply&) const = default;
};

// The supplies of one switch, which share its load evenly.
struct SupplyChoice {
  std::string part;
  int count = 1;                        // spare ones that carry load included
  std::optional<Sourced<Power>> rated;  // of one of them, where the part does not say

  bool operator==(const SupplyChoice&) const = default;
};

struct Chip {
  int ports = 0;
  DataRate port_rate;
  Sourced<Power> power;       // all ports on at full rate, whatever the traffic
  Sourced<Ratio> link_share;  // the share of `power` that follows the states of the links
  std::optional<std::string> rate_table;
  int lanes = 1;                       // of a port
  std::vector<Breakout> breakout;      // rates descending; none: ports run whole
  std::vector<PowerGroup> groups;      // beside the links
  std::optional<SupplyChoice> supply;  // none: its losses are not looked at

  bool operator==(const Chip&) const = default;
};

// A port with a given module or cable in it.
struct PortSetup {
  std::string name;    // "100G LR"
  std::string medium;  // "electrical" or "optical"
  DataRate rate;
  Sourced<Power> port;                            // port enabled
  Sourced<Power> plugged;                         // module inserted, link down
  Sourced<Power> up;                              // added when the link comes up
  std::optional<Sourced<Energy>> energy_per_bit;  // none: not measured
  std::optional<Sourced<Energy>> energy_per_packet;
  std::optional<int> ports;  // how many of the box take it; none: all

  bool operator==(const PortSetup&) const = default;
};

// Forwarding memory that compares all of its entries at once; docs/models/tables.md.
struct ForwardingTable {
  std::string kind;                    // "CAM" (exact match) or "TCAM" (masked)
  Sourced<DataSize> width;             // of an entry
  Sourced<Energy> search_per_bit;      // of every stored bit, at each search: match, search lines
  Sourced<Energy> encode_per_entry;    // at each search: priority encoder
  Sourced<Power> leakage_per_megabit;  // of 10^6 stored bits

  bool operator==(const ForwardingTable&) const = default;
};

struct Box {
  int ports = 0;
  Sourced<Power> base;
  std::vector<PortSetup> setups;
  std::vector<ForwardingTable> tables;
  int lanes = 1;  // of a port
  std::vector<Breakout> breakout;
  std::optional<std::string> chip;  // that is inside; the power of its links is part of `base`
  std::vector<PowerGroup> groups;   // of `base`

  bool operator==(const Box&) const = default;
};

// A pluggable module, or a cable end. Power is for one end.
struct ModuleStep {
  DataRate rate;
  Sourced<Power> power;

  bool operator==(const ModuleStep&) const = default;
};

struct Module {
  std::string medium;
  std::optional<Length> reach;
  std::vector<ModuleStep> steps;  // ascending by rate
  std::optional<Sourced<Duration>> wake;

  bool operator==(const Module&) const = default;
};

struct Nic {
  DataRate rate;
  Sourced<Power> power;

  bool operator==(const Nic&) const = default;
};

struct Part {
  std::string name;
  std::string summary;
  std::variant<RateTable, Chip, Box, Module, Nic, Components, PowerSupply> body;
  // Of a chip, a box, one end of a cable or a card.
  std::optional<Sourced<Money>> price = std::nullopt;

  bool operator==(const Part&) const = default;
};

[[nodiscard]] std::string_view kind_of(const Part& part);

}  // namespace ebb::power
