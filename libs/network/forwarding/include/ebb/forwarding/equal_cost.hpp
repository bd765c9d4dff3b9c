// SPDX-License-Identifier: Apache-2.0
//
// Networks that OSPF or BGP route, and not the tables of ebb: which links stand in for each other,
// how many of them a switch must keep, and where the load of a link goes that sleeps.
//
//   lag    parallel links between two switches share their load, in any network
//   ecmp   in a leaf-spine, leaves send by every spine that has a link to the other leaf; parallel
//          links are a LAG
//
//   const auto paths = EqualCostPaths::make(graph, {.routing = Routing::ecmp, .min_next_hops = 2});
//   paths->move(sent, asleep, carried);
//
// Counters do not say whom frames are for. What a leaf sent to a spine is taken to be for the other
// leaves in proportion to what the spine sent to each, and the other way round.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/forwarding/reachability.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::forwarding {

enum class Routing : std::uint8_t { lag, ecmp };

// Of `lag`: links of a LAG that stay awake. Of `ecmp`: spines by which a leaf reaches another.
struct EqualCostOptions {
  Routing routing = Routing::ecmp;
  std::uint32_t min_next_hops = 2;
};

class EqualCostPaths {
 public:
  // Refuses networks without siblings of that kind, and those in which none could sleep. The graph
  // outlives it.
  [[nodiscard]] static Result<EqualCostPaths> make(const topology::Graph& graph,
                                                   const EqualCostOptions& options);

  // Links that may sleep at the same time: all but those to the first spines, of which one link
  // each stays, or all but the first of each LAG. Backup channels are those of the same switch.
  [[nodiscard]] SleepableLinks sleepable() const;
  [[nodiscard]] const EqualCostOptions& options() const { return options_; }

  // The pair of switches with the fewest next hops between them, of those that a link serves.
  struct NextHops {
    std::uint32_t fewest = 0;
    topology::NodeId from{};
    topology::NodeId to{};
  };
  [[nodiscard]] NextHops next_hops_without(topology::LinkId link,
                                           const std::vector<bool>& asleep) const;

  // From what channels sent when all were awake to what they carry now, by channel in bit/s.
  void move(std::span<const float> sent, const std::vector<bool>& asleep,
            std::span<double> carried) const;
  // Moves what a link carries to its siblings, as if it slept as well. `loads` by channel.
  void take_off(topology::LinkId link, const std::vector<bool>& asleep,
                std::span<double> loads) const;

 private:
  class Mover;
  // The links between two switches, each by its channel from the leaf, or from the first switch.
  using Bundle = std::vector<topology::ChannelId>;

  EqualCostPaths(const topology::Graph& graph, const EqualCostOptions& options);
  [[nodiscard]] const Bundle& bundle_of(topology::LinkId link) const {
    return bundles_[bundle_of_[index(link)]];
  }
  [[nodiscard]] std::size_t bundle(std::size_t leaf, std::size_t spine) const {
    return leaf * spines_.size() + spine;
  }
  // By bundle.
  [[nodiscard]] std::vector<bool> awake_bundles(const Asleep& asleep) const;

  const topology::Graph* graph_;
  EqualCostOptions options_;
  std::vector<Bundle> bundles_;           // of `ecmp` leaf by leaf
  std::vector<std::uint32_t> bundle_of_;  // by link between switches
  std::vector<topology::NodeId> leaves_;  // of `ecmp`
  std::vector<topology::NodeId> spines_;
};

}  // namespace ebb::forwarding
