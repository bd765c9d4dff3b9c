// SPDX-License-Identifier: Apache-2.0
//
// When each direction of each link is probed, and which probe is outstanding. Values in, values
// out.
//
// All channels between switches take turns, evenly over a cycle. A cycle is seven tenths of the
// probe interval: three lost probes are known with the turn after the third, four cycles after the
// last one that came through at the latest, which is within three intervals. So many probes a
// second are the most: the cycle of a fabric with more channels is longer.
#pragma once

#include "ebb/topology/graph.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ebb::drivers {

class ProbeSchedule {
 public:
  static constexpr std::int64_t kMostASecond = 10'000;

  ProbeSchedule(const topology::Graph& graph, Duration interval);

  [[nodiscard]] Duration cycle() const { return cycle_; }
  // From the loss of a channel until it is known at the latest.
  [[nodiscard]] Duration detection_time() const { return 4 * cycle_; }

  // The channels whose turn has come since the last call. After a time in which nobody asked, what
  // was outstanding is forgotten: its probes may wait to be read.
  [[nodiscard]] std::span<const topology::ChannelId> due(TimePoint now);

  // The number of the next probe of a channel, which is outstanding from now on.
  [[nodiscard]] std::uint64_t send(TimePoint now, topology::ChannelId channel);
  // False: it came in before, or a later one did, or it was never sent.
  [[nodiscard]] bool heard(topology::ChannelId channel, std::uint64_t number);
  // When the probe left that has not been heard.
  [[nodiscard]] std::optional<TimePoint> outstanding(topology::ChannelId channel) const;
  // Nothing is expected of the channel.
  void forget(topology::ChannelId channel) { channels_[index(channel)].outstanding = false; }

 private:
  struct Channel {
    std::uint64_t sent = 0;   // number of the last probe
    std::uint64_t heard = 0;  // and of the last that came in
    TimePoint sent_at{};
    bool outstanding = false;
  };

  std::vector<topology::ChannelId> turns_;  // channels between switches
  std::vector<Channel> channels_;           // by channel
  Duration cycle_;
  std::optional<TimePoint> began_;
  TimePoint asked_{};
  std::uint64_t taken_ = 0;  // turns, since it began
};

}  // namespace ebb::drivers
