// SPDX-License-Identifier: Apache-2.0
//
// The break-even study: parts of the library against workloads. A part is a rate table, of which
// channels are made, or a chip or box, which is a whole switch. Every channel and switch is looked
// at under every workload, at its own rate or at one rate for all.
//
//   const auto found = study(std::move(library), {.parts = {"infiniband-link"},
//                                                 .workloads = usual_workloads()});
//   for (const ChannelStudy& channel : found->channels) ... channel.seen[0].own->timeout ...
//
// Invariant: `seen` of every channel and switch has one entry for each workload, in that order.
#pragma once

#include "ebb/breakeven/low_power.hpp"
#include "ebb/breakeven/switch_power.hpp"
#include "ebb/core/result.hpp"
#include "ebb/power/library.hpp"
#include "ebb/units/parameters.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ebb::breakeven {

struct NamedWorkload {
  std::string label;
  std::string name;  // a workload or injection of `ebb list`
  ParameterTexts parameters;
};

// The workload of the ISCA 2010 evaluation, and its two services.
[[nodiscard]] std::vector<NamedWorkload> usual_workloads();
// Of words NAME key=value ... NAME ...; a name that comes again gets a number in its label.
[[nodiscard]] std::vector<NamedWorkload> workloads_of(std::span<const std::string> words);

struct StudyInput {
  // For `overview`: the bound is studied too, and channels get no curve.
  enum class Curves : std::uint8_t { overview, decades, thirds_of_decades };

  std::vector<std::string> parts;  // none: all rate tables with a low-power state, all switches
  std::vector<NamedWorkload> workloads;
  std::optional<DataRate> rate;  // none: that of each part
  std::optional<Duration> time;  // none: as long as a link takes to carry 1 GB, at most an hour
  std::uint32_t hosts = 64;
  std::uint64_t seed = 1;
  Curves curves = Curves::decades;
};

// One workload on links of one rate.
struct Look {
  std::string workload;  // with every parameter
  DataRate rate;
  Duration time{};
  std::int64_t messages = 0;
  Gaps gaps;
};

struct ChannelSeen {
  Look look;
  std::optional<Point> own;  // with the part's own times; none: not published
  std::vector<Point> curve;  // empty in an overview
};

// A channel with one of its low-power states.
struct ChannelStudy {
  const power::Part* part = nullptr;  // of the library; null for the bound
  DataRate rate;
  LowPowerState state;
  std::vector<ChannelSeen> seen;  // by workloads
};

struct SwitchSeen {
  Look look;
  SwitchSavings savings;
};

struct SwitchStudy {
  SwitchSetup setup;
  DataRate rate;
  std::vector<SwitchSeen> seen;  // by workloads
};

struct Study {
  power::Library library;              // what channels and setups of switches point into
  std::vector<std::string> workloads;  // labels
  std::uint32_t hosts = 0;
  std::uint64_t seed = 0;
  std::optional<ChannelStudy> bound;  // a channel that draws nothing asleep, in an overview
  std::vector<ChannelStudy> channels;
  std::vector<SwitchStudy> switches;
};

[[nodiscard]] Result<Study> study(power::Library library, const StudyInput& input);

// From the least to the most of several shares.
struct ShareRange {
  double least = 1;
  double most = 0;

  void add(double share);
};

// What the boxes of a study have in common, over all setups and workloads.
struct SwitchSummary {
  std::size_t boxes = 0;
  std::size_t boxes_with_sleep = 0;
  std::size_t setups = 0;
  ShareRange links;        // power of the links without traffic, of that at full load
  ShareRange shutdown;     // saved by one port that is shut down, of the idle box
  ShareRange quick_sleep;  // saved by ports that wake in kQuickWake
  ShareRange beyond;       // what an ideal switch saves more than that
};

// Of the switches that `included` takes and of which the power of the links is known.
[[nodiscard]] SwitchSummary summary_of(const Study& study,
                                       const std::function<bool(const power::Part&)>& included);

}  // namespace ebb::breakeven
