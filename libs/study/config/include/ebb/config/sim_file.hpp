// SPDX-License-Identifier: Apache-2.0
//
// One simulation as a file; docs/sim.md lists the keys.
//
//   schema_version: 1
//   topology: {family: fbfly, hosts: 8, dims: 8}
//   routing: minimal-adaptive
//   traffic:
//     pattern: uniform
//     injection: {name: poisson, load: 23%, size: 64KiB}   # or: traffic: {workload: search}
//   policy: {name: epoch, target: 50%, epoch: 10us, channels: independent}
//   parts: {switch: isca10-chip-ideal}
//
// A fabric file (docs/fabric/reference.md) is one, too: its `name` and `safety` say that the
// network is run by the controller of live fabrics. Routing, traffic and schedule then have
// defaults.
//
// What was read is complete: every default is filled in. Whether the parts fit each other (routing
// and family, pattern and shape) is known when they are made; see simulation.hpp.
#pragma once

#include "ebb/config/day_spec.hpp"
#include "ebb/config/jobs_spec.hpp"
#include "ebb/core/result.hpp"
#include "ebb/files/sections.hpp"
#include "ebb/files/topology_file.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/netsim/hardware.hpp"
#include "ebb/power/library.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::config {

// What a fabric file says beyond a simulation file.
struct FabricSpec {
  std::string name;
  std::string safety;  // as the file has it, in one line; empty: not in the file
  std::string setup;   // of the ports of the box; empty: its first
  // From port up to a link that carries packets; that of a test fabric.
  Duration wake = std::chrono::milliseconds(3);

  bool operator==(const FabricSpec&) const = default;
};

// Messages that somebody listed, as CSV. The text is a part of the configuration, wherever it came
// from; the file is named in errors alone.
struct MessagesSpec {
  std::string text;  // empty: none
  std::string file;  // empty: the text stands in the key itself

  bool operator==(const MessagesSpec& other) const { return text == other.text; }
};

struct SimSpec {
  files::TopologySpec topology;
  std::string routing;
  std::vector<std::string>
      failed_links;       // down for the whole run; the routing 'tables' bypasses them
  files::Named workload;  // without a name: the hosts send by pattern and injection
  MessagesSpec messages;  // in the place of all three
  JobsSpec jobs;          // in the place of all of them
  files::Named pattern;
  files::Named injection;
  std::uint8_t services = 1;  // levels that the messages of a host take in turn; not of workloads
  files::Named policy;
  std::string switch_part;  // a chip; of a fabric a box
  std::string rate_table;
  std::string components;               // of switches and network cards; empty: not metered
  std::optional<Duration> rate_change;  // between any two rates; none: the times of the rate table
  std::optional<netsim::SwitchSleep> switch_sleep;  // of switches with all outputs asleep
  bool switch_groups_sleep = false;                 // those of the part, in the place of it
  netsim::Hardware hardware;
  netsim::Schedule schedule;
  DaySpec day;  // of loads; then injection or workload have none of their own
  // Times of the schedule that the file leaves to the messages of the run: `prepare` makes them as
  // long as these need, and at least what `schedule` says.
  struct Automatic {
    bool warm_up_limit = true;
    bool measure = true;
    bool tail_limit = true;

    bool operator==(const Automatic&) const = default;
  } automatic;
  std::uint64_t seed = 1;
  netsim::Fidelity fidelity = netsim::Fidelity::packet;
  // Of a fabric; none: the policy acts on channels without a controller.
  std::optional<FabricSpec> fabric;
  // What is kept of the run beside its summary.
  std::optional<Duration> series_every;  // frames of this length; none: no series
  bool per_channel = false;              // what each channel did

  bool operator==(const SimSpec&) const = default;
};

// A spec, and where its keys stand ("traffic.pattern" -> file:line:column).
struct SimFile {
  SimSpec spec;
  std::map<std::string, Location> places;
};

// Errors that know the path of their key, with its place in the file. A key that was left out has
// the place of the nearest one above.
[[nodiscard]] Errors placed(Errors errors, const SimFile& file);

// `overrides` are texts `a.b=value` that replace or add values before the file is read; errors
// about them are placed at "--set". Part names are looked up in `library`.
[[nodiscard]] Result<SimFile> read_sim(const std::string& path, const power::Library& library,
                                       std::span<const std::string> overrides = {});
[[nodiscard]] Result<SimFile> read_sim_text(std::string_view text, const std::string& file,
                                            const power::Library& library,
                                            std::span<const std::string> overrides = {});

// The complete file, defaults included: reading it gives an equal spec.
[[nodiscard]] std::string resolved_text(const SimSpec& spec);

}  // namespace ebb::config
