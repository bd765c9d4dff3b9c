// SPDX-License-Identifier: Apache-2.0
//
// What the channels of a workload's hosts have to send, without a network: each direction of each
// host link is a queue of its own that sends messages in the order of their creation at the host
// rate, as in `ebb traffic show`. And the idle gaps between them.
//
//   const auto channels = HostChannels::of(workload, rate, seed, TimePoint(100ms));
//   const Gaps gaps = gaps_of(*channels);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/traffic/workload.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ebb::breakeven {

struct Transmission {
  TimePoint at;      // created
  Duration takes{};  // on the wire

  bool operator==(const Transmission&) const = default;
};

class HostChannels {
 public:
  // Two channels per host: from and to the network. Refuses more messages than memory takes, and
  // more time of all channels together than 100 days.
  [[nodiscard]] static Result<HostChannels> of(const traffic::Workload& workload,
                                               DataRate host_rate, std::uint64_t seed,
                                               TimePoint until);
  // One channel; transmissions in the order of their creation, all before `until`.
  HostChannels(std::vector<Transmission> transmissions, TimePoint until);

  [[nodiscard]] std::size_t count() const { return ends_.size(); }
  [[nodiscard]] std::span<const Transmission> channel(std::size_t which) const;
  [[nodiscard]] std::int64_t transmissions() const {
    return static_cast<std::int64_t>(all_.size());
  }
  [[nodiscard]] TimePoint until() const { return until_; }
  // Of all channels together.
  [[nodiscard]] Duration time() const;

 private:
  explicit HostChannels(TimePoint until) : until_(until) {}

  std::vector<Transmission> all_;  // channel after channel
  std::vector<std::size_t> ends_;  // of each channel, in all_
  TimePoint until_;
};

// Gaps of at least `least` and less than ten times that, but the first from 0 on and the last
// without an end.
struct GapDecade {
  Duration least{};
  std::int64_t gaps = 0;
  Duration idle{};  // time in them
};

struct Gaps {
  std::int64_t gaps = 0;
  Duration idle{};
  Duration longest{};
  Ratio load;  // share of the channels' time in which they send
  std::vector<GapDecade> decades;
};

// Idle at the beginning and at the end counts as a gap.
[[nodiscard]] Gaps gaps_of(const HostChannels& channels);

}  // namespace ebb::breakeven
