// SPDX-License-Identifier: Apache-2.0
//
// Many trees on one Ethernet: each source switch sends along its own tree, and a VLAN makes a tree
// of a network that has loops. Switches tag, hosts know nothing of it ("Performance Evaluation of
// Power-aware Multi-tree Ethernet for HPC Interconnects", Section III.B, steps 1 to 6).
//
// Parallel links between two switches are one link aggregation group (LAG): a VLAN goes over all of
// its members or over none.
//
//   const Lags lags(graph);
//   const auto trees = shortest_path_trees(graph, lags);
//   const auto vlans = assign_vlans(graph, *trees);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ebb::forwarding {

struct Lag {
  std::uint32_t a = 0;  // switches, a < b
  std::uint32_t b = 0;
  std::vector<topology::LinkId> links;  // ascending

  [[nodiscard]] std::uint32_t other(std::uint32_t end) const { return end == a ? b : a; }
  bool operator==(const Lag&) const = default;
};

class Lags {
 public:
  explicit Lags(const topology::Graph& graph);

  [[nodiscard]] std::span<const Lag> all() const { return all_; }
  [[nodiscard]] const Lag& operator[](std::uint32_t i) const { return all_[i]; }
  // Of a switch, by the lowest port of each.
  [[nodiscard]] std::span<const std::uint32_t> at(std::uint32_t of_switch) const {
    return at_[of_switch];
  }

 private:
  std::vector<Lag> all_;
  std::vector<std::vector<std::uint32_t>> at_;
};

// All paths from one switch: by which lag each other switch is reached.
struct SourceTree {
  std::uint32_t root = 0;
  std::vector<std::optional<std::uint32_t>> last_lag;  // by switch; none: the root, or not needed

  // The lags from the root to a switch, in that order. It must be reached.
  [[nodiscard]] std::vector<std::uint32_t> path(const Lags& lags, std::uint32_t to) const;
  // Ascending.
  [[nodiscard]] std::vector<std::uint32_t> lags() const;
};

// A tree for each switch with hosts, to all others with hosts: shortest paths, the lowest port
// first. Lags of `closed` (by number) are avoided. Refuses a network that is not connected.
[[nodiscard]] Result<std::vector<SourceTree>> shortest_path_trees(
    const topology::Graph& graph, const Lags& lags, const std::vector<bool>& closed = {});

struct Vlan {
  std::uint16_t id = 0;
  std::vector<std::uint32_t> lags;  // ascending; their ports are tagged members
};

inline constexpr std::uint16_t kFirstVlan = 2;  // 1 is what switches have out of the box
inline constexpr std::uint16_t kLastVlan = 4094;

struct VlanAssignment {
  std::vector<Vlan> vlans;
  // By switch: the VLAN (its place in `vlans`) that is the PVID of its ports to hosts. Every port
  // to a host is an untagged member of every VLAN.
  std::vector<std::optional<std::uint32_t>> pvid;
};

// Steps 1 to 6. Refuses more trees than there are VLAN ids.
[[nodiscard]] Result<VlanAssignment> assign_vlans(const topology::Graph& graph,
                                                  std::span<const SourceTree> trees);

// Everything that VLAN trees of a network consist of.
struct VlanNetwork {
  Lags lags;
  std::vector<SourceTree> trees;
  VlanAssignment assignment;
};
// Along shortest paths. Refuses what its parts refuse.
[[nodiscard]] Result<VlanNetwork> vlan_network(const topology::Graph& graph);

// By VLAN (its place in `vlans`) and switch of the destination: the lag that a frame takes from
// `at`. Sources that share a VLAN agree, as it is a tree.
using NextLags = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;
[[nodiscard]] NextLags next_lags(const VlanNetwork& network, std::uint32_t at);

// Whether each VLAN is a tree (a broadcast ends), and every host reaches every other by the VLAN of
// its switch along the intended path. Empty: yes. Each error names a VLAN or a switch.
[[nodiscard]] Errors check_vlans(const topology::Graph& graph, const Lags& lags,
                                 std::span<const SourceTree> trees,
                                 const VlanAssignment& assignment);

// Whether paths that wait for each other's buffers have a channel-dependency cycle, as with 802.3x
// pauses: directions of lags, joined where some path takes one after the other.
[[nodiscard]] bool may_deadlock(const Lags& lags, std::span<const SourceTree> trees);

}  // namespace ebb::forwarding
