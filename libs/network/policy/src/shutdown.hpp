// SPDX-License-Identifier: Apache-2.0
//
// Dynamic link shutdown: each device looks at its forwarding table and closes the channels that it
// does not need to reach every destination, unless they are in use. Section 3.3.2 of "A
// Holistic Approach to Designing Energy-Efficient Cluster Interconnects" (Kim et al., 2005). It
// needs a routing with several outputs for a destination, such as up-down-nonminimal.
//
// Devices decide by themselves: what stays open at one never depends on another, because a row of
// the table that keeps an output keeps a path to the destination whatever others do.
//
// A channel that is to be closed stays up until each row that names it has another one that is up
// and stays; what the device still needs is woken first. A packet that has no other next hop wakes
// a channel, which the next decision may close again. The first sample, with its window of no
// length, only arms these triggers. A device of which a channel is not in the sample is left alone.
//
// ShutdownDecision decides which channels of one device stay open. The rows of the device's
// forwarding table and the utilisation of its channels go in, a choice comes out; there is no
// state.
//
//   usage of a destination   sum of the utilisations of all channels that its rows name
//   D_a                      destinations whose usage is above t_max
//
//   D_a is all destinations  keep the channels that are used for at least t_idle
//   otherwise                keep all channels of D_a (L_high)
//   then, while a row has no channel that is kept (D_off):
//     of the channels in such rows keep the one that most rows of the table name (l_max),
//     the lower number among equals
//
// The text counts a destination as routed when one of its outputs is up. Here it can have several
// rows, and each must have one. The last rule also follows the first case, in which the text closes
// every idle link: so no row is ever left without a channel.
#pragma once

#include "building_blocks.hpp"

#include "ebb/policy/policy.hpp"
#include "ebb/policy/sample.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ebb::policy {

struct ShutdownLimits {
  Ratio t_max;
  Ratio t_idle;
};

class ShutdownDecision {
 public:
  // Of one device, ascending by destination.
  explicit ShutdownDecision(std::span<const NextHopSet> rows);

  // All that the rows name, ascending.
  [[nodiscard]] std::span<const ChannelId> channels() const { return channels_; }
  // Each choice that a row leaves, once: places in channels(), ascending.
  using Choice = std::vector<std::size_t>;
  [[nodiscard]] std::span<const Choice> choices() const { return choices_; }

  // `used`, of kAllBusy, and the answer are by place in channels().
  [[nodiscard]] std::vector<bool> keep(std::span<const std::int64_t> used,
                                       const ShutdownLimits& limits) const;

 private:
  [[nodiscard]] std::size_t place_of(ChannelId channel) const;
  void keep_one_of_each(std::vector<bool>& kept) const;

  std::vector<ChannelId> channels_;
  std::vector<std::size_t> appearances_;  // by place: rows that name the channel
  std::vector<Choice> choices_;
  std::vector<Choice> outputs_;  // all channels of a destination; each such set once
};

}  // namespace ebb::policy

namespace ebb::policy::shutdown {

class Shutdown final : public Policy {
 public:
  explicit Shutdown(const Parameters& parameters);

  [[nodiscard]] Duration sample_period() const override { return window_; }
  [[nodiscard]] Abilities acts_by() const override { return {Ability::sleep}; }
  [[nodiscard]] bool needs_next_hops() const override { return true; }
  // Each switch closes its own outputs, and what comes back by the same link is not asked.
  [[nodiscard]] bool needs_independent_channels() const override { return true; }
  void set_next_hops(std::span<const NextHopSet> next_hops) override;
  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override;
  void on_outcome(const Outcome& outcome) override { wake_on_need_.on_outcome(outcome); }

 private:
  using Channels = std::vector<const ChannelSample*>;  // by place in a decision's channels()

  void decide_for(const ShutdownDecision& device, const Channels& channels,
                  std::vector<Action>& actions);
  void open_or_close(const ChannelSample& channel, bool open, std::vector<Action>& actions);

  ShutdownLimits limits_;
  Duration window_;
  std::vector<ShutdownDecision> devices_;
  WakeOnNeed wake_on_need_;
  struct Asked {
    bool to_close = false;
  };
  ByChannel<Asked> asked_;  // a channel can be drained for a while and still be active
};

// Without the window, which is that of dvs.
[[nodiscard]] std::vector<Parameter> parameters();

}  // namespace ebb::policy::shutdown
