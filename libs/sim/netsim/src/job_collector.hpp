// SPDX-License-Identifier: Apache-2.0
//
// What a partition counts for jobs: what its channels draw, so that the energy up to any recent
// moment is known, and what power states cost the messages of ranks.
#pragma once

#include "ebb/netsim/network.hpp"
#include "ebb/netsim/report.hpp"

#include <absl/container/flat_hash_map.h>
#include <algorithm>
#include <cstdint>
#include <vector>

namespace ebb::netsim {

// How much more or less energy channels took than without any change. With changes of power d_i at
// times t_i it is, up to t, the sum of d_i (t - t_i) over all t_i before t, in whole attojoules.
class PowerChanges {
 public:
  void add(const ChannelChange& change) {
    changes_.push_back({change.begin, change.meanwhile - change.before});
    changes_.push_back({change.end, change.after - change.meanwhile});
  }
  // For any time that is not before that of the latest `settle`.
  [[nodiscard]] Energy until(TimePoint time) const;
  // Nobody asks for earlier times any more.
  void settle(TimePoint time);

 private:
  struct Change {
    TimePoint at{};
    Power by;
  };
  std::vector<Change> changes_;  // not settled
  Power settled_;                // their sum
  Energy settled_energy_;        // up to settled_until_
  TimePoint settled_until_{};
};

// By level of the channel (topology::link_levels), the last of which stands for all above it.
struct Held {
  LevelTimes waking{};  // of its packets that which waited longest
  LevelTimes slower{};  // of all of its packets, one after the other

  Held& operator+=(const Held& other) {
    for (std::size_t level = 0; level < kLinkLevels; ++level) {
      waking[level] = std::max(waking[level], other.waking[level]);
      slower[level] += other.slower[level];
    }
    return *this;
  }
};

class JobCollector {
 public:
  // By link.
  explicit JobCollector(const std::vector<std::uint8_t>& levels) : levels_(levels) {}

  void channel_changes(const ChannelChange& change) { power_.add(change); }
  void packet_held(const PacketHeld& packet) {
    const std::uint8_t level = levels_[index(topology::link_of(packet.channel))];
    Held& held = held_[key(packet.source, packet.message)];
    held.waking[level] = std::max(held.waking[level], packet.waking);
    held.slower[level] += packet.slower;
  }

  [[nodiscard]] PowerChanges& power() { return power_; }
  // Of a message, as far as this partition knows.
  [[nodiscard]] Held held(std::uint32_t source, std::uint32_t message) const {
    const auto found = held_.find(key(source, message));
    return found == held_.end() ? Held{} : found->second;
  }

 private:
  static std::uint64_t key(std::uint32_t source, std::uint32_t message) {
    return std::uint64_t{source} << 32U | message;
  }

  const std::vector<std::uint8_t>& levels_;
  PowerChanges power_;
  absl::flat_hash_map<std::uint64_t, Held> held_;  // by (source, message)
};

}  // namespace ebb::netsim
