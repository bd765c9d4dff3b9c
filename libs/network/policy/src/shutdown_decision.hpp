// SPDX-License-Identifier: Apache-2.0
//
// Which channels of one device stay open: the decision of dynamic link shutdown (shutdown.hpp has
// the source). The rows of the device's forwarding table and the utilisation of its channels go in,
// a choice comes out; there is no state.
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
// rows, and each must have one. The last step also follows the first case, in which the text closes
// every idle link: so no row is ever left without a channel.
#pragma once

#include "ebb/policy/ways.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
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
  explicit ShutdownDecision(std::span<const Way> rows);

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
