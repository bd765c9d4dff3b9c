// SPDX-License-Identifier: Apache-2.0
//
// A policy that decides link by link, at work where the links are: each partition has a copy of it,
// which sees the channels of the partition and, of links that leave it, the reverse channel. Only
// what is seen of those travels.
#pragma once

#include "channel_samples.hpp"
#include "partition.hpp"

#include "ebb/core/bytes.hpp"
#include "ebb/des/thread_team.hpp"
#include "ebb/policy/policy.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ebb::netsim {

class DividedPolicy {
 public:
  // For the partitions of this rank. The policy gives copies.
  DividedPolicy(NetworkState& net, std::span<const std::unique_ptr<Partition>> partitions,
                des::ThreadTeam& team, const policy::Policy& policy);

  // Looks at all channels of this rank and does what the policy asks. `window` is the time since
  // the last time.
  void act(TimePoint now, Duration window);

  // Of this rank, since the beginning.
  [[nodiscard]] OutcomeCounts outcomes() const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  // A channel that a part sees and another partition of this rank owns.
  struct Guest {
    std::uint32_t place = 0;  // in the samples of the part
    std::uint32_t owner = 0;  // a part
    std::uint32_t place_there = 0;
  };
  // Where a sample is.
  struct Place {
    std::uint32_t part = 0;
    std::uint32_t place = 0;
  };
  struct alignas(64) Part {
    std::unique_ptr<policy::Policy> policy;
    std::vector<ChannelId> channels;  // that it sees, ascending
    bool owns_all = true;             // of them
    std::vector<policy::ChannelSample> samples;
    std::vector<Guest> guests;
    OutcomeCounts outcomes;
  };
  // Channels that cross to another rank or from it, ascending.
  struct Neighbour {
    std::vector<Place> here;   // that this rank owns
    std::vector<Place> there;  // that the other owns
  };

  void list_channels();
  void find_guests();
  void find_neighbours();
  [[nodiscard]] bool owns(std::uint32_t part, ChannelId channel) const;
  [[nodiscard]] std::uint32_t place_in(std::uint32_t part, ChannelId channel) const;

  void look(std::uint32_t part, TimePoint now, Duration window);
  void exchange_with_ranks(Duration window);
  void decide(std::uint32_t part, TimePoint now);

  NetworkState& net_;
  std::span<const std::unique_ptr<Partition>> partitions_;
  des::ThreadTeam& team_;
  std::vector<Part> parts_;
  std::vector<Neighbour> neighbours_;
  std::vector<std::uint32_t> ranks_;  // of the neighbours
  std::vector<Bytes> out_;
  std::vector<Bytes> in_;
};

}  // namespace ebb::netsim
