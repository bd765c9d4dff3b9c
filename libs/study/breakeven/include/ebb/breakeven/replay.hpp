// SPDX-License-Identifier: Apache-2.0
//
// Channels that rest in their idle gaps, by three rules:
//   ahead    knows the future: rests in the gaps that are longer than the break-even gap, from
//   their
//            beginning, and is back when they end. Delays nothing; no rule that delays nothing
//            rests longer
//   at once  rests in every gap from its beginning; the message that ends the gap finds the channel
//            at rest and waits until it is back, as do those behind it
//   timeout  the same, but waits for one break-even gap before it rests. Of the time that could
//   have
//            been rested it loses at most twice what `ahead` loses, whatever the traffic
// Messages that wait for a channel gather and are sent back to back, which makes fewer and longer
// gaps: with long changes the last two may rest more than `ahead`, and pay for it in delay.
//
// A channel that is called back while it goes to rest finishes that change first. Times are exact.
#pragma once

#include "ebb/breakeven/host_channels.hpp"
#include "ebb/breakeven/rest.hpp"
#include "ebb/units/quantity.hpp"

#include <cstdint>

namespace ebb::breakeven {

enum class Rule : std::uint8_t { ahead, at_once, timeout };

struct Rested {
  Duration resting{};  // of all channels together, without the changes
  Int128 delay_ps{};   // added to all messages together
  std::int64_t messages = 0;

  bool operator==(const Rested&) const = default;
};

[[nodiscard]] Rested replay(const HostChannels& channels, Rule rule, const ChangeTimes& times);

}  // namespace ebb::breakeven
