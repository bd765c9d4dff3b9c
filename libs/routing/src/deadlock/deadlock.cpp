// SPDX-License-Identifier: Apache-2.0
#include "ebb/routing/deadlock.hpp"

#include "access.hpp"
#include "deadlock/dependencies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace ebb::routing {
namespace {

constexpr std::uint64_t kMostVertices = 100'000'000;

// Follows every packet to one destination after the other. Packets at the same switch in the same
// state are one: what they do next is the same.
class Exploration {
 public:
  Exploration(const Graph& graph, const Routing& routing, std::uint64_t budget, std::uint32_t vcs)
      : graph_(graph),
        routing_(routing),
        budget_(budget),
        vcs_(vcs),
        dependencies_(graph.channel_count() * vcs_) {}

  Result<void> run() {
    for (std::uint32_t d = 0; d < graph_.host_count(); ++d) {
      if (auto done = explore(graph_.host_node(d)); !done) return done;
    }
    dependencies_.finish();
    return {};
  }

  [[nodiscard]] DeadlockReport report() const {
    DeadlockReport report;
    for (const topology::Link& link : graph_.links()) {
      if (!graph_.is_host(link.a) && !graph_.is_host(link.b)) report.channels += 2;
    }
    report.virtual_channels = static_cast<int>(vcs_);
    report.dependencies = dependencies_.size();
    report.states = states_;
    for (const std::uint32_t vertex : dependencies_.shortest_cycle())
      report.cycle.push_back({ChannelId{vertex / vcs_}, static_cast<std::uint8_t>(vertex % vcs_)});
    return report;
  }

 private:
  struct Place {
    NodeId at{};
    RouteState state;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const {
      const std::uint64_t state = std::uint64_t{place.state.intermediate} << 16U |
                                  std::uint64_t{place.state.phase} << 8U | place.state.hops;
      std::uint64_t mixed = (state ^ std::uint64_t{index(place.at)} << 48U ^ index(place.at)) *
                            0x9E37'79B9'7F4A'7C15ULL;
      return static_cast<std::size_t>(mixed ^ mixed >> 32U);
    }
  };
  // The candidates of a place, as vertices of the dependency graph, are a run of vertices_.
  struct Visit {
    Place place;
    std::size_t first = 0;
    std::size_t size = 0;
  };

  Result<void> explore(NodeId destination) {
    known_.clear();
    visits_.clear();
    vertices_.clear();
    for (std::uint32_t s = 0; s < graph_.host_count(); ++s) {
      const NodeId source = graph_.host_node(s);
      if (source == destination) continue;
      const NodeId at = access_switch(graph_, source);
      for (const RouteState state : routing_.all_starts(source, destination)) {
        if (auto found = visit({at, state}, destination); !found) return fail(found.error());
      }
    }
    for (std::size_t v = 0; v < visits_.size(); ++v) {
      if (auto done = follow(v, destination); !done) return done;
    }
    return {};
  }

  // Every step out of a place, and what can follow it.
  Result<void> follow(std::size_t v, NodeId destination) {
    const Visit from = visits_[v];
    for (std::size_t i = from.first; i < from.first + from.size; ++i) {
      const std::uint32_t vertex = vertices_[i];
      const Candidate taken{ChannelId{vertex / vcs_}, static_cast<std::uint8_t>(vertex % vcs_)};
      const Place next{graph_.target(taken.channel),
                       routing_.advance(from.place.at, taken, from.place.state)};
      const auto found = visit(next, destination);
      if (!found) return fail(found.error());
      const Visit to = visits_[*found];
      for (std::size_t j = to.first; j < to.first + to.size; ++j)
        dependencies_.add(vertex, vertices_[j]);
    }
    return {};
  }

  Result<std::size_t> visit(const Place& place, NodeId destination) {
    const auto [entry, is_new] = known_.try_emplace(place, visits_.size());
    if (!is_new) return entry->second;
    if (++states_ > budget_) {
      return fail(
          fmt::format("more than {} states of packets: too large to prove; try a smaller shape of "
                      "the same kind",
                      budget_));
    }
    routing_.candidates(place.at, destination, place.state, outputs_);
    Visit visit{place, vertices_.size(), 0};
    if (outputs_.empty()) return broken("has no legal output", place.at, destination);
    for (const Candidate& one : outputs_) {
      if (index(one.channel) >= graph_.channel_count() || graph_.source(one.channel) != place.at)
        return broken("is sent to an output of another switch", place.at, destination);
      if (one.vc >= routing_.virtual_channels())
        return broken("gets an undeclared virtual channel", place.at, destination);
      const NodeId next = graph_.target(one.channel);
      if (next == destination) continue;
      if (graph_.is_host(next)) return broken("is sent to another host", place.at, destination);
      vertices_.push_back(index(one.channel) * vcs_ + std::min<std::uint32_t>(one.vc, vcs_ - 1));
      ++visit.size;
    }
    visits_.push_back(visit);
    return entry->second;
  }

  [[nodiscard]] Failure broken(std::string_view what, NodeId at, NodeId destination) const {
    return fail(
        fmt::format("a packet to {} {} at {}", graph_.name(destination), what, graph_.name(at)));
  }

  const Graph& graph_;
  const Routing& routing_;
  std::uint64_t budget_ = 0;
  std::uint32_t vcs_ = 1;
  Dependencies dependencies_;
  std::uint64_t states_ = 0;
  std::unordered_map<Place, std::size_t, PlaceHash> known_;  // never iterated
  std::vector<Visit> visits_;
  std::vector<std::uint32_t> vertices_;
  Candidates outputs_;
};

}  // namespace

Result<DeadlockReport> find_deadlock(const Graph& graph, const Routing& routing,
                                     const DeadlockSearch& search) {
  int vcs = routing.virtual_channels();
  if (search.virtual_channels > 0) vcs = std::min(vcs, search.virtual_channels);
  if (graph.channel_count() * static_cast<std::uint64_t>(vcs) > kMostVertices)
    return fail(fmt::format("{} channels are too many to prove", graph.channel_count()));
  Exploration exploration(graph, routing, search.budget, static_cast<std::uint32_t>(vcs));
  if (auto done = exploration.run(); !done) return fail(done.error());
  return exploration.report();
}

std::string cycle_text(const Graph& graph, const std::vector<Candidate>& cycle) {
  std::vector<std::string> steps;
  steps.reserve(cycle.size());
  for (const auto& [channel, vc, detour] : cycle) {
    steps.push_back(fmt::format("{}->{} vc{}", graph.name(graph.source(channel)),
                                graph.name(graph.target(channel)), vc));
  }
  return fmt::format("{}", fmt::join(steps, ", "));
}

}  // namespace ebb::routing
