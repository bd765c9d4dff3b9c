// SPDX-License-Identifier: Apache-2.0
//
// Planes, leaves and groups of switches (ebb/consolidation), as a policy reads them from a sample
// and from next-hop sets, with the channels of each. Switches are devices that do not host a
// message: a host is what a channel `to_host` leads to. Planes are what hangs together without
// hosts; their leaves correspond by the order of their hosts, as the interfaces of hosts do. Groups
// are what hangs together without leaves.
//
// Groups can be told apart where each reaches every leaf, and where the routing lets every packet
// that may leave a leaf by one of them leave by any. Else their switches count as leaves do: they
// are on as long as their plane is.
#pragma once

#include "ebb/consolidation/consolidation.hpp"
#include "ebb/policy/sample.hpp"
#include "ebb/units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace ebb::policy {

// Places of channels in a sample.
using Places = std::vector<std::size_t>;

struct LinkPlaces {
  std::size_t up = 0;  // from the leaf
  std::size_t down = 0;
};

struct GroupChannels {
  std::vector<std::vector<LinkPlaces>> to_leaf;  // by leaf
  Places inside;
};

struct PlaneChannels {
  Places from_hosts;
  Places inside;  // to hosts, between leaves, and those of switches that are no group of their own
  std::vector<GroupChannels> groups;
};

// All planes together, of one leaf.
struct LeafChannels {
  Places from_hosts;
  Places to_hosts;
  Places out;  // to other switches
  Places in;
};

// The choices that rows leave at each device, each once.
using Choices = std::map<std::uint32_t, std::set<std::vector<ChannelId>>>;
[[nodiscard]] Choices choices_of(std::span<const NextHopSet> next_hops);

struct SwitchMap {
  consolidation::Network network;  // every link has the rate kAllBusy: loads are shares of it
  std::vector<PlaneChannels> planes;
  std::vector<LeafChannels> leaves;
  std::vector<ChannelId> channels;  // by place
};

// `core`: what a switch draws beside its links, of what its outputs draw. Nothing where planes are
// not alike, or where there is nothing to choose.
[[nodiscard]] std::optional<SwitchMap> read_switches(const Sample& sample, const Choices& choices,
                                                     const Ratio& core);

}  // namespace ebb::policy
