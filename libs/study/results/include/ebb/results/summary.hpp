// SPDX-License-Identifier: Apache-2.0
//
// What a run means: the shares, means and rankings that people and programs read, formed from the
// exact integers of the report.
#pragma once

#include "ebb/config/simulation.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/results/run.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::results {

// How much of the channels' time was spent in a state.
struct StateShare {
  std::string state;  // "asleep", "changing" or a rate
  double share = 0;
};

// One direction of a link.
struct BusyChannel {
  std::string from;
  std::string to;
  double busy = 0;     // share of the time, at whatever rate
  double carried = 0;  // share of what it carries at full rate
};

// Components of all switches, or of all network cards.
struct ComponentUse {
  std::string name;  // as the ledger calls them
  Energy energy;     // while measured
  Power power;       // mean
};

// A power group of all switches, or what they draw beside their groups.
struct GroupUse {
  std::string name;
  Power power;        // mean, of all switches
  double asleep = 0;  // share of the time, over all of them
};

// All switches, outputs included, before and behind their power supplies. `wall` is that of the
// mean power of each switch; the mean of its wall power differs by `differs_by` at most, all
// together.
struct WallUse {
  Power switches;        // mean
  Power always_on;       // had all outputs run at full rate and nothing slept
  Power wall;            // of `switches`
  Power wall_always_on;  // of `always_on`, which does not change: exact
  Power differs_by;
};

// Of a run that measured something; nothing where no supply is named. A run gives the mean power of
// each switch: what its meters took over the measured time. The wall power of that is not the mean
// of the wall power, because the efficiency of a supply follows the load; `differs_by` bounds the
// difference by the least and the most that a switch can draw. Components are taken at their mean.
[[nodiscard]] std::optional<WallUse> wall_use(const config::Simulation& simulation,
                                              const netsim::Report& report);

struct Summary {
  Summary(const config::Simulation& of, const netsim::Report& report);

  const config::Simulation& simulation;
  const netsim::Report& report;
  bool measured = false;  // false: the network stalled before anything could be
  double offered_load = 0;
  double accepted_load = 0;
  double missed_share = 0;  // of the messages, the deadline; 0 without one
  Power channels;
  Power cores;
  Energy core_energy;
  std::vector<GroupUse> groups;          // that the cores are made of, where they sleep by groups
  std::vector<ComponentUse> components;  // where they are metered
  std::optional<WallUse> wall;           // where the switch part names a power supply
  double energy_per_bit = 0;             // J, of all that is metered, over what was delivered
  Power always_on;                       // of the channels
  Power ideal;
  std::vector<StateShare> states;  // asleep, changing, then rates ascending
  std::vector<BusyChannel> busiest;
  std::uint64_t changes = 0;
};

// Why a run at flow fidelity should not be trusted, a sentence for each reason; none at packet
// fidelity. docs/models/flows.md has the comparison that they stand on.
[[nodiscard]] std::vector<std::string> outside_validity(const Summary& result);

inline constexpr std::size_t kBusiestShown = 5;

// How much longer a job took than with links that are always on; none where nobody knows.
// Where the power of hosts is known: the network's share of the energy of network and hosts, and
// that energy over what it is with links that are always on.
[[nodiscard]] std::optional<double> network_share(const netsim::JobReport& job);
[[nodiscard]] std::optional<double> cluster_relative_energy(const netsim::JobReport& job);
[[nodiscard]] std::optional<double> slowdown(const netsim::JobReport& job);
// Energy times time, in J s.
[[nodiscard]] double energy_delay(const netsim::JobReport& job);
// What a rank did not compute, send or receive.
[[nodiscard]] Duration waiting(const netsim::JobReport& job, const program::RankTimes& rank);

// A part of a critical path with its name: "computing", "waking of links of hosts" ...
struct PathPart {
  std::string key;   // "waking_level_1_ps"
  std::string name;  // for people
  Duration time{};
};
[[nodiscard]] std::vector<PathPart> parts_of(const netsim::CriticalPath& path);

// The numbers that are kept of a run, each declared once: name, unit, meaning.
struct MetricKind {
  std::string_view name;
  std::string_view unit;  // "1" for shares and counts
  std::string_view meaning;
};

[[nodiscard]] std::span<const MetricKind> metric_kinds();

// In that order. Latencies of which there were none are left out.
[[nodiscard]] std::vector<Metric> metrics_of(const Summary& summary);

// The document of `ebb sim --json` (docs/sim.md), with its line end. Equal runs have equal bytes.
[[nodiscard]] std::string to_json(const Summary& summary);

}  // namespace ebb::results
