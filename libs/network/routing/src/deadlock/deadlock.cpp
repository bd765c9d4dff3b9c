// SPDX-License-Identifier: Apache-2.0
#include "ebb/routing/deadlock.hpp"

#include "deadlock/dependencies.hpp"
#include "packet_states/packet_states.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::routing {
namespace {

constexpr std::uint64_t kMostVertices = 100'000'000;

// The dependencies of all packets, one destination after the other.
class Exploration {
 public:
  Exploration(const Graph& graph, const Routing& routing, std::uint64_t budget, std::uint32_t vcs)
      : graph_(graph),
        states_(graph, routing, budget),
        vcs_(vcs),
        dependencies_(graph.channel_count() * vcs_) {}

  Result<void> run() {
    for (std::uint32_t d = 0; d < graph_.host_count(); ++d) {
      if (auto done = states_.explore(graph_.host_node(d)); !done) return done;
      for (const PacketStates::Visit& visit : states_.visits()) add_steps_from(visit);
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
    report.states = states_.count();
    for (const std::uint32_t vertex : dependencies_.shortest_cycle())
      report.cycle.push_back({ChannelId{vertex / vcs_}, static_cast<std::uint8_t>(vertex % vcs_)});
    return report;
  }

 private:
  // Every step out of a place, and what can follow it.
  void add_steps_from(const PacketStates::Visit& visit) {
    const auto outputs = states_.outputs(visit);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      for (const Candidate& next : states_.outputs(states_.after(visit, i)))
        dependencies_.add(vertex(outputs[i]), vertex(next));
    }
  }
  [[nodiscard]] std::uint32_t vertex(const Candidate& one) const {
    return index(one.channel) * vcs_ + std::min<std::uint32_t>(one.vc, vcs_ - 1);
  }

  const Graph& graph_;
  PacketStates states_;
  std::uint32_t vcs_ = 1;
  Dependencies dependencies_;
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
