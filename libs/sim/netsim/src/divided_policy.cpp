// SPDX-License-Identifier: Apache-2.0
#include "divided_policy.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace ebb::netsim {

DividedPolicy::DividedPolicy(NetworkState& net,
                             std::span<const std::unique_ptr<Partition>> partitions,
                             des::ThreadTeam& team, const policy::Policy& policy)
    : net_(net), partitions_(partitions), team_(team), parts_(partitions.size()) {
  for (Part& part : parts_) {
    part.policy = policy.copy_for_part();
    EBB_CHECK(part.policy != nullptr, "a policy that must see all channels cannot be divided");
  }
  list_channels();
  find_guests();
  find_neighbours();
}

bool DividedPolicy::owns(std::uint32_t part, ChannelId channel) const {
  return parts_[part].owns_all || net_.partition_of(channel) == net_.first_here + part;
}

std::uint32_t DividedPolicy::place_in(std::uint32_t part, ChannelId channel) const {
  const std::vector<ChannelId>& channels = parts_[part].channels;
  const auto found = std::lower_bound(channels.begin(), channels.end(), channel);
  return static_cast<std::uint32_t>(found - channels.begin());
}

// Both directions of every link that touches the part.
void DividedPolicy::list_channels() {
  for (std::uint32_t number = 0; number < net_.channels.size(); ++number) {
    const ChannelId channel{number};
    const std::uint32_t from = net_.partition_of(channel);
    const std::uint32_t to = net_.owner_of(net_.fixed(channel).target);
    if (net_.is_here(from)) parts_[net_.place_here(from)].channels.push_back(channel);
    if (to == from || !net_.is_here(to)) continue;
    parts_[net_.place_here(to)].channels.push_back(channel);
    parts_[net_.place_here(to)].owns_all = false;
  }
  for (Part& part : parts_) part.samples.resize(part.channels.size());
}

void DividedPolicy::find_guests() {
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    Part& part = parts_[p];
    if (part.owns_all) continue;
    for (std::uint32_t place = 0; place < part.channels.size(); ++place) {
      const std::uint32_t partition = net_.partition_of(part.channels[place]);
      if (owns(p, part.channels[place]) || !net_.is_here(partition)) continue;
      const std::uint32_t owner = net_.place_here(partition);
      part.guests.push_back({place, owner, place_in(owner, part.channels[place])});
    }
  }
}

void DividedPolicy::find_neighbours() {
  if (net_.config.communicator.is_serial()) return;
  std::map<std::uint32_t, Neighbour> by_rank;
  for (std::uint32_t number = 0; number < net_.channels.size(); ++number) {
    const ChannelId channel{number};
    const std::uint32_t from = net_.partition_of(channel);
    const std::uint32_t to = net_.owner_of(net_.fixed(channel).target);
    if (net_.is_here(from) == net_.is_here(to)) continue;
    const std::uint32_t part = net_.place_here(net_.is_here(from) ? from : to);
    const Place place{part, place_in(part, channel)};
    if (net_.is_here(from)) {
      by_rank[net_.rank_of(to)].here.push_back(place);
    } else {
      by_rank[net_.rank_of(from)].there.push_back(place);
    }
  }
  for (auto& [rank, neighbour] : by_rank) {
    ranks_.push_back(rank);
    neighbours_.push_back(std::move(neighbour));
  }
  out_.resize(ranks_.size());
  in_.resize(ranks_.size());
}

void DividedPolicy::act(TimePoint now, Duration window) {
  team_.run([&](std::uint32_t part) { look(part, now, window); });
  exchange_with_ranks(window);
  team_.run([&](std::uint32_t part) { decide(part, now); });
}

void DividedPolicy::look(std::uint32_t p, TimePoint now, Duration window) {
  Part& part = parts_[p];
  for (std::size_t place = 0; place < part.channels.size(); ++place) {
    const ChannelId channel = part.channels[place];
    if (owns(p, channel))
      part.samples[place] = sample_of(net_, channel, see(net_, channel, now), window);
  }
}

void DividedPolicy::exchange_with_ranks(Duration window) {
  if (net_.config.communicator.is_serial()) return;
  for (std::size_t i = 0; i < neighbours_.size(); ++i) {
    out_[i].clear();
    for (const Place& one : neighbours_[i].here)
      append(out_[i], seen_of(parts_[one.part].samples[one.place]));
  }
  (void)net_.config.communicator.exchange(ranks_, out_, in_, 0);
  for (std::size_t i = 0; i < neighbours_.size(); ++i) {
    ByteReader reader(in_[i]);
    for (const Place& one : neighbours_[i].there) {
      Part& part = parts_[one.part];
      part.samples[one.place] =
          sample_of(net_, part.channels[one.place], reader.take<Seen>(), window);
    }
  }
}

// Samples of channels that a part owns no longer change, so that others can read them.
void DividedPolicy::decide(std::uint32_t p, TimePoint now) {
  Part& part = parts_[p];
  for (const Guest& guest : part.guests)
    part.samples[guest.place] = parts_[guest.owner].samples[guest.place_there];
  for (const policy::Action& action : part.policy->decide({now, part.samples})) {
    if (!owns(p, ChannelId{index(action.channel)})) continue;
    const policy::Outcome outcome = partitions_[p]->apply(action);
    part.outcomes.count(outcome);
    part.policy->on_outcome(outcome);
  }
}

OutcomeCounts DividedPolicy::outcomes() const {
  OutcomeCounts sum;
  for (const Part& part : parts_) sum += part.outcomes;
  return sum;
}

std::size_t DividedPolicy::memory_bytes() const {
  std::size_t bytes = 0;
  for (const Part& part : parts_) {
    bytes += part.channels.capacity() * sizeof(ChannelId) +
             part.samples.capacity() * sizeof(policy::ChannelSample) +
             part.guests.capacity() * sizeof(Guest);
  }
  return bytes;
}

}  // namespace ebb::netsim
