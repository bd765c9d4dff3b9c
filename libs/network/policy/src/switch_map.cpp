// SPDX-License-Identifier: Apache-2.0
#include "switch_map.hpp"

#include "building_blocks.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace ebb::policy {
namespace {

using Device = std::uint32_t;
using consolidation::Group;
using consolidation::Plane;

constexpr DataRate kLinkRate = bits_per_second(kAllBusy);

// Devices that hang together, as sets that are joined. A set has the number of its first device.
class Components {
 public:
  void add(Device device) { parent_.try_emplace(device, device); }
  [[nodiscard]] Device of(Device device) {
    Device& parent = parent_.at(device);
    if (parent != device) parent = of(parent);
    return parent;
  }
  void join(Device a, Device b) {
    const Device of_a = of(a);
    const Device of_b = of(b);
    parent_[std::max(of_a, of_b)] = std::min(of_a, of_b);
  }

 private:
  std::map<Device, Device> parent_;
};

// One direction of a link between two devices.
struct Wire {
  std::size_t place = 0;
  std::size_t back = 0;  // place of the other direction
  Device from = 0;
  Device to = 0;
};

class Reader {
 public:
  Reader(const Sample& sample, const Ratio& core) : sample_(sample), core_(core) {}

  std::optional<SwitchMap> read(const Choices& choices) {
    if (!read_wires()) return std::nullopt;
    find_leaves();
    find_planes();
    if (!planes_are_alike()) return std::nullopt;
    find_groups();
    if (!groups_can_be_told_apart(choices)) groups_.assign(planes_.size(), {});
    if (planes_.size() == 1 && groups_[0].size() < 2) return std::nullopt;
    return made();
  }

 private:
  // A channel without a reverse in the sample leads nobody knows where.
  bool read_wires() {
    for (std::size_t place = 0; place < sample_.channels.size(); ++place) {
      const ChannelSample& channel = sample_.channels[place];
      const auto back = find(sample_, channel.reverse);
      if (!back || *back == place) return false;
      wires_.push_back({place, *back, channel.device, sample_.channels[*back].device});
    }
    return true;
  }

  [[nodiscard]] bool leads_to_host(const Wire& wire) const {
    return sample_.channels[wire.place].to_host;
  }
  [[nodiscard]] bool comes_from_host(const Wire& wire) const {
    return sample_.channels[wire.back].to_host;
  }
  [[nodiscard]] bool joins_switches(const Wire& wire) const {
    return !leads_to_host(wire) && !comes_from_host(wire);
  }
  [[nodiscard]] bool is_leaf(Device device) const { return first_host_.contains(device); }

  void find_leaves() {
    for (const Wire& wire : wires_) {
      if (!leads_to_host(wire)) continue;
      const auto [at, is_new] = first_host_.try_emplace(wire.from, wire.to);
      if (!is_new) at->second = std::min(at->second, wire.to);
    }
  }

  void find_planes() {
    Components planes;
    Components groups;
    for (const auto& [leaf, host] : first_host_) planes.add(leaf);
    for (const Wire& wire : wires_) {
      if (!joins_switches(wire)) continue;
      for (const Device device : {wire.from, wire.to}) {
        planes.add(device);
        groups.add(device);
      }
      planes.join(wire.from, wire.to);
      if (!is_leaf(wire.from) && !is_leaf(wire.to)) groups.join(wire.from, wire.to);
    }
    std::map<Device, std::vector<std::pair<Device, Device>>> leaves;  // by plane: (host, leaf)
    for (const auto& [leaf, host] : first_host_) leaves[planes.of(leaf)].emplace_back(host, leaf);
    std::map<Device, std::size_t> number;
    for (auto& [plane, its] : leaves) {
      number[plane] = planes_.size();
      std::sort(its.begin(), its.end());
      std::vector<Device>& devices = planes_.emplace_back();
      for (const auto& [host, leaf] : its) {
        leaf_number_[leaf] = devices.size();
        devices.push_back(leaf);
      }
    }
    for (const Wire& wire : wires_) {
      const Device device = leads_to_host(wire) || is_leaf(wire.from) ? wire.from : wire.to;
      plane_of_wire_.push_back(number[planes.of(device)]);
      if (joins_switches(wire) && !is_leaf(wire.from)) group_of_[wire.from] = groups.of(wire.from);
    }
  }

  [[nodiscard]] bool planes_are_alike() const {
    if (planes_.empty()) return false;
    std::vector<std::vector<std::size_t>> hosts;
    for (const auto& plane : planes_) hosts.emplace_back(plane.size());
    for (const Wire& wire : wires_) {
      if (leads_to_host(wire)) ++hosts[plane_of_wire_[wire.place]][leaf_number_.at(wire.from)];
    }
    return std::adjacent_find(hosts.begin(), hosts.end(), std::not_equal_to<>()) == hosts.end();
  }

  void find_groups() {
    groups_.resize(planes_.size());
    for (const Wire& wire : wires_) {
      const auto group = group_of_.find(wire.from);
      if (group == group_of_.end() || !joins_switches(wire)) continue;
      auto& its = groups_[plane_of_wire_[wire.place]];
      its.try_emplace(group->second, its.size());
    }
  }

  // The channels by which a leaf sends to groups, ascending.
  [[nodiscard]] std::map<Device, std::vector<ChannelId>> uplinks() const {
    std::map<Device, std::vector<ChannelId>> uplinks;
    for (const Wire& wire : wires_) {
      if (joins_switches(wire) && is_leaf(wire.from) && !is_leaf(wire.to))
        uplinks[wire.from].push_back(sample_.channels[wire.place].id);
    }
    return uplinks;
  }

  [[nodiscard]] bool reach_all_leaves() const {
    std::set<std::pair<Device, Device>> joined;  // group and leaf
    std::size_t pairs = 0;
    for (std::size_t plane = 0; plane < planes_.size(); ++plane)
      pairs += groups_[plane].size() * planes_[plane].size();
    for (const Wire& wire : wires_) {
      if (joins_switches(wire) && is_leaf(wire.from) && !is_leaf(wire.to))
        joined.emplace(group_of_.at(wire.to), wire.from);
    }
    return joined.size() == pairs;
  }

  [[nodiscard]] bool groups_can_be_told_apart(const Choices& choices) const {
    if (!reach_all_leaves()) return false;
    for (const auto& [leaf, links] : uplinks()) {
      const auto at = choices.find(leaf);
      if (at == choices.end()) return false;
      const auto is_uplink = [&uplinks = links](ChannelId channel) {
        return std::binary_search(uplinks.begin(), uplinks.end(), channel);
      };
      for (const std::vector<ChannelId>& choice : at->second) {
        const auto named =
            static_cast<std::size_t>(std::count_if(choice.begin(), choice.end(), is_uplink));
        if (named != 0 && named != links.size()) return false;
      }
    }
    return true;
  }

  // What the switch that sends on the channel draws for it, with the rest of the switch.
  [[nodiscard]] Power with_core(const Wire& wire) const {
    const Power link = sample_.channels[wire.place].full;
    return link + scale(link, core_);
  }
  [[nodiscard]] Power core(const Wire& wire) const {
    return scale(sample_.channels[wire.place].full, core_);
  }

  SwitchMap made() {
    SwitchMap map;
    const std::size_t leaves = planes_[0].size();
    map.leaves.resize(leaves);
    for (std::size_t p = 0; p < planes_.size(); ++p) {
      Plane& plane = map.network.planes.emplace_back();
      plane.hosts.resize(leaves);
      plane.to_leaves.resize(leaves);
      PlaneChannels& channels = map.planes.emplace_back();
      plane.groups.resize(groups_[p].size());
      channels.groups.resize(groups_[p].size());
      for (GroupChannels& group : channels.groups) group.to_leaf.resize(leaves);
    }
    for (const Wire& wire : wires_) {
      map.channels.push_back(sample_.channels[wire.place].id);
      if (joins_switches(wire)) {
        add_between_switches(wire, map);
      } else {
        add_of_host(wire, map);
      }
    }
    for (std::size_t p = 0; p < planes_.size(); ++p)
      count_links(map.planes[p], map.network.planes[p]);
    return map;
  }

  void add_of_host(const Wire& wire, SwitchMap& map) const {
    const std::size_t p = plane_of_wire_[wire.place];
    Plane& plane = map.network.planes[p];
    if (leads_to_host(wire)) {
      const std::size_t leaf = leaf_number_.at(wire.from);
      plane.hosts[leaf] += kLinkRate;
      plane.leaves += with_core(wire);
      map.planes[p].inside.push_back(wire.place);
      map.leaves[leaf].to_hosts.push_back(wire.place);
    } else {
      plane.leaves += sample_.channels[wire.place].full;
      map.planes[p].from_hosts.push_back(wire.place);
      map.leaves[leaf_number_.at(wire.to)].from_hosts.push_back(wire.place);
    }
  }

  void add_between_switches(const Wire& wire, SwitchMap& map) const {
    const std::size_t p = plane_of_wire_[wire.place];
    Plane& plane = map.network.planes[p];
    PlaneChannels& channels = map.planes[p];
    if (is_leaf(wire.from)) map.leaves[leaf_number_.at(wire.from)].out.push_back(wire.place);
    if (is_leaf(wire.to)) map.leaves[leaf_number_.at(wire.to)].in.push_back(wire.place);
    if (groups_[p].empty() || (is_leaf(wire.from) && is_leaf(wire.to))) {
      if (is_leaf(wire.from)) plane.to_leaves[leaf_number_.at(wire.from)] += kLinkRate;
      plane.leaves += with_core(wire);
      channels.inside.push_back(wire.place);
      return;
    }
    const Device switch_of_group = is_leaf(wire.from) ? wire.to : wire.from;
    const std::size_t g = groups_[p].at(group_of_.at(switch_of_group));
    if (is_leaf(wire.from)) {
      plane.leaves += core(wire);
      channels.groups[g].to_leaf[leaf_number_.at(wire.from)].push_back({wire.place, wire.back});
    } else if (is_leaf(wire.to)) {
      plane.groups[g].switches += core(wire);
      plane.groups[g].link = sample_.channels[wire.place].full + sample_.channels[wire.back].full;
    } else {
      plane.groups[g].switches += with_core(wire);
      channels.groups[g].inside.push_back(wire.place);
    }
  }

  static void count_links(const PlaneChannels& channels, Plane& plane) {
    for (std::size_t g = 0; g < plane.groups.size(); ++g) {
      for (const std::vector<LinkPlaces>& links : channels.groups[g].to_leaf)
        plane.groups[g].to_leaf.push_back({static_cast<std::uint32_t>(links.size()), kLinkRate});
    }
  }

  const Sample& sample_;
  const Ratio core_;
  std::vector<Wire> wires_;                            // by place
  std::map<Device, Device> first_host_;                // of each leaf
  std::vector<std::vector<Device>> planes_;            // leaves of each
  std::map<Device, std::size_t> leaf_number_;          // in its plane
  std::vector<std::size_t> plane_of_wire_;             // by place
  std::map<Device, Device> group_of_;                  // of each switch without hosts
  std::vector<std::map<Device, std::size_t>> groups_;  // by plane: numbers of groups
};

}  // namespace

Choices choices_of(std::span<const NextHopSet> next_hops) {
  Choices choices;
  for (const NextHopSet& row : next_hops) choices[row.device].insert(row.channels);
  return choices;
}

std::optional<SwitchMap> read_switches(const Sample& sample, const Choices& choices,
                                       const Ratio& core) {
  return Reader(sample, core).read(choices);
}

}  // namespace ebb::policy
