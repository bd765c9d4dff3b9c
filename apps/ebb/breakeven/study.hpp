// SPDX-License-Identifier: Apache-2.0
//
// What `ebb breakeven` looks at and what it found: channels of ladders, whole switches, workloads.
#pragma once

#include "ebb/breakeven/curve.hpp"
#include "ebb/breakeven/switch_power.hpp"
#include "ebb/core/result.hpp"
#include "ebb/power/library.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ebb::cli {

struct BreakevenOptions {
  std::vector<std::string> parts;       // none: all ladders that can rest, all switches
  std::vector<std::string> workloads;   // NAME key=value ... NAME ...; none: the usual three
  std::vector<std::string> part_files;  // besides the shipped ones
  std::string rate;                     // none: that of each part
  std::string time;                     // none: as long as a link takes to carry kLookedAt
  std::string hosts = "64";
  std::string seed = "1";
  bool json = false;
  bool csv = false;
};

// One workload on links of one rate.
struct Look {
  std::string workload;  // with every parameter
  DataRate rate;
  Duration time{};
  std::int64_t messages = 0;
  breakeven::Gaps gaps;
};

struct ChannelSeen {
  Look look;
  std::optional<breakeven::Point> own;  // with the part's own times; none: not published
  std::vector<breakeven::Point> curve;  // empty where only the own times were asked for
};

// A channel that rests in one way.
struct ChannelStudy {
  std::string part;
  std::string evidence;  // of the part's numbers
  DataRate rate;
  breakeven::Rest rest;
  std::vector<ChannelSeen> seen;  // by workloads
};

struct SwitchSeen {
  Look look;
  breakeven::Banked banked;
};

struct SwitchStudy {
  breakeven::SwitchSetup setup;
  std::string evidence;
  DataRate rate;
  std::vector<SwitchSeen> seen;  // by workloads
};

struct BreakevenStudy {
  power::Library library;              // what the setups of switches point into
  std::vector<std::string> workloads;  // short names
  std::uint32_t hosts = 0;
  std::uint64_t seed = 0;
  // Where no part is named: a channel that draws nothing asleep.
  std::optional<ChannelStudy> bound;
  std::vector<ChannelStudy> channels;
  std::vector<SwitchStudy> switches;
};

[[nodiscard]] Result<BreakevenStudy> study(const BreakevenOptions& options);

}  // namespace ebb::cli
