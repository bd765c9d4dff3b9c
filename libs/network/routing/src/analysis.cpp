// SPDX-License-Identifier: Apache-2.0
#include "ebb/routing/analysis.hpp"

#include "packet_states.hpp"
#include "schemes.hpp"

#include "ebb/topology/rings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace ebb::routing {

// The dependencies between (channel, virtual channel) buffers, as a graph whose vertices are
// numbered channel * virtual channels + virtual channel.
class Dependencies {
 public:
  explicit Dependencies(std::uint32_t vertices) : vertices_(vertices) {}

  [[nodiscard]] std::uint32_t vertices() const { return vertices_; }

  void add(std::uint32_t from, std::uint32_t to);
  // No more `add` after this.
  void finish();

  // After `finish`:
  [[nodiscard]] std::uint64_t size() const { return targets_.size(); }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t vertex) const {
    return std::span(targets_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
  }

  // A shortest cycle, starting from its smallest vertex; empty when there is none.
  [[nodiscard]] std::vector<std::uint32_t> shortest_cycle() const;

 private:
  void drop_duplicates();
  // Vertices that have both a way in from and a way out to such vertices: all cycles are among
  // them.
  [[nodiscard]] std::vector<bool> core() const;

  std::uint32_t vertices_ = 0;
  std::vector<std::uint64_t> pairs_;  // from * 2^32 + to; those below known_ are sorted and unique
  std::size_t known_ = 0;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> targets_;
};

namespace {

constexpr std::uint32_t kUnseen = 0xFFFF'FFFF;

// Breadth-first searches for the way back to where they started.
class CycleSearch {
 public:
  CycleSearch(const Dependencies& dependencies, const std::vector<bool>& inside)
      : dependencies_(dependencies), inside_(inside), before_(dependencies.vertices(), kUnseen) {}

  // The shortest cycle through `start` if it has fewer than `limit` vertices, else nothing.
  std::vector<std::uint32_t> through(std::uint32_t start, std::size_t limit) {
    for (const std::uint32_t vertex : queue_) before_[vertex] = kUnseen;
    queue_.assign(1, start);
    before_[start] = start;
    std::size_t level_end = 1;
    std::size_t length = 1;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (i == level_end) {
        level_end = queue_.size();
        ++length;
      }
      if (length >= limit) return {};
      for (const std::uint32_t next : dependencies_.of(queue_[i])) {
        if (next == start) return back_from(queue_[i], start);
        if (!inside_[next] || before_[next] != kUnseen) continue;
        before_[next] = queue_[i];
        queue_.push_back(next);
      }
    }
    return {};
  }

 private:
  [[nodiscard]] std::vector<std::uint32_t> back_from(std::uint32_t vertex,
                                                     std::uint32_t start) const {
    std::vector<std::uint32_t> cycle = {vertex};
    while (cycle.back() != start) cycle.push_back(before_[cycle.back()]);
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
  }

  const Dependencies& dependencies_;
  const std::vector<bool>& inside_;
  std::vector<std::uint32_t> before_;
  std::vector<std::uint32_t> queue_;
};

}  // namespace

void Dependencies::add(std::uint32_t from, std::uint32_t to) {
  constexpr std::size_t kLeastBatch = 1'000'000;
  pairs_.push_back(std::uint64_t{from} << 32U | to);
  if (pairs_.size() > 2 * known_ + kLeastBatch) drop_duplicates();
}

void Dependencies::drop_duplicates() {
  const auto middle = pairs_.begin() + static_cast<std::ptrdiff_t>(known_);
  std::sort(middle, pairs_.end());
  std::inplace_merge(pairs_.begin(), middle, pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  known_ = pairs_.size();
}

void Dependencies::finish() {
  drop_duplicates();
  first_.assign(vertices_ + std::size_t{1}, 0);
  targets_.reserve(pairs_.size());
  for (const std::uint64_t pair : pairs_) {
    ++first_[(pair >> 32U) + 1];
    targets_.push_back(static_cast<std::uint32_t>(pair));
  }
  for (std::size_t vertex = 1; vertex < first_.size(); ++vertex)
    first_[vertex] += first_[vertex - 1];
  pairs_ = {};
}

std::vector<bool> Dependencies::core() const {
  std::vector<std::vector<std::uint32_t>> sources(vertices_);
  std::vector<std::uint32_t> in(vertices_, 0);
  std::vector<std::uint32_t> out(vertices_, 0);
  for (std::uint32_t vertex = 0; vertex < vertices_; ++vertex) {
    for (const std::uint32_t next : of(vertex)) {
      sources[next].push_back(vertex);
      ++in[next];
      ++out[vertex];
    }
  }
  std::vector<bool> inside(vertices_, true);
  std::vector<std::uint32_t> leaving;
  const auto leave_if_loose = [&](std::uint32_t vertex) {
    if (!inside[vertex] || (in[vertex] > 0 && out[vertex] > 0)) return;
    inside[vertex] = false;
    leaving.push_back(vertex);
  };
  for (std::uint32_t vertex = 0; vertex < vertices_; ++vertex) leave_if_loose(vertex);
  while (!leaving.empty()) {
    const std::uint32_t vertex = leaving.back();
    leaving.pop_back();
    for (const std::uint32_t next : of(vertex)) {
      --in[next];
      leave_if_loose(next);
    }
    for (const std::uint32_t before : sources[vertex]) {
      --out[before];
      leave_if_loose(before);
    }
  }
  return inside;
}

std::vector<std::uint32_t> Dependencies::shortest_cycle() const {
  const std::vector<bool> inside = core();
  CycleSearch search(*this, inside);
  std::vector<std::uint32_t> shortest;
  for (std::uint32_t vertex = 0; vertex < vertices_; ++vertex) {
    if (!inside[vertex]) continue;
    const std::size_t limit = shortest.empty() ? vertices_ + std::size_t{1} : shortest.size();
    auto cycle = search.through(vertex, limit);
    if (!cycle.empty()) shortest = std::move(cycle);
  }
  return shortest;
}

namespace {

constexpr std::uint64_t kMostVertices = 100'000'000;

// The dependencies of all packets, one destination after the other.
class Exploration {
 public:
  // `directions` by channel, or empty.
  Exploration(const Graph& graph, const Routing& routing, std::uint64_t budget, std::uint32_t vcs,
              std::vector<topology::RingDirection> directions)
      : graph_(graph),
        directions_(std::move(directions)),
        states_(graph, routing, budget),
        vcs_(vcs),
        dependencies_(graph.channel_count() * vcs_),
        within_rings_(graph.channel_count() * vcs_) {}

  Result<void> run() {
    for (std::uint32_t d = 0; d < graph_.host_count(); ++d) {
      if (auto done = states_.explore(graph_.host_node(d)); !done) return done;
      for (const PacketStates::Visit& visit : states_.visits()) add_steps_from(visit);
    }
    dependencies_.finish();
    within_rings_.finish();
    return {};
  }

  [[nodiscard]] DeadlockReport report() const {
    DeadlockReport report;
    for (const topology::Link& link : graph_.links()) {
      if (graph_.connects_switches(link)) report.channels += 2;
    }
    report.virtual_channels = static_cast<int>(vcs_);
    report.dependencies = dependencies_.size();
    report.within_rings = within_rings_.size();
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
      for (const Candidate& next : states_.outputs(states_.after(visit, i))) {
        const bool within = on_one_ring(outputs[i].channel, next.channel);
        (within ? within_rings_ : dependencies_).add(vertex(outputs[i]), vertex(next));
      }
    }
  }
  [[nodiscard]] bool on_one_ring(ChannelId from, ChannelId to) const {
    return !directions_.empty() && directions_[index(from)] == directions_[index(to)];
  }
  [[nodiscard]] std::uint32_t vertex(const Candidate& one) const {
    return index(one.channel) * vcs_ + std::min<std::uint32_t>(one.vc, vcs_ - 1);
  }

  const Graph& graph_;
  std::vector<topology::RingDirection> directions_;
  PacketStates states_;
  std::uint32_t vcs_ = 1;
  Dependencies dependencies_;
  Dependencies within_rings_;
};

}  // namespace

Result<DeadlockReport> find_deadlock(const Graph& graph, const Routing& routing,
                                     const DeadlockSearch& search) {
  int vcs = routing.virtual_channels();
  if (search.virtual_channels > 0) vcs = std::min(vcs, search.virtual_channels);
  std::vector<topology::RingDirection> directions;
  if (search.bubble) {
    auto rings = topology::ring_directions(graph);
    if (!rings) return fail(rings.error());
    directions = std::move(*rings);
    vcs = 1;
  }
  if (graph.channel_count() * static_cast<std::uint64_t>(vcs) > kMostVertices)
    return fail(fmt::format("{} channels are too many to prove", graph.channel_count()));
  Exploration exploration(graph, routing, search.budget, static_cast<std::uint32_t>(vcs),
                          std::move(directions));
  if (auto done = exploration.run(); !done) return fail(done.error());
  return exploration.report();
}

std::string cycle_text(const Graph& graph, const std::vector<Candidate>& cycle) {
  std::vector<std::string> steps;
  steps.reserve(cycle.size());
  for (const Candidate& one : cycle) {
    steps.push_back(fmt::format("{}->{} vc{}", graph.name(graph.source(one.channel)),
                                graph.name(graph.target(one.channel)), one.vc));
  }
  return fmt::format("{}", fmt::join(steps, ", "));
}

namespace {

void drop_duplicates(std::vector<Row>& rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

Row row_of(const PacketStates& states, const PacketStates::Visit& visit, NodeId destination) {
  Row row{visit.place.at, destination, {}};
  for (const Candidate& output : states.outputs(visit)) row.channels.push_back(output.channel);
  std::sort(row.channels.begin(), row.channels.end());
  row.channels.erase(std::unique(row.channels.begin(), row.channels.end()), row.channels.end());
  return row;
}

}  // namespace

Result<std::vector<Row>> forwarding_rows(const Graph& graph, const Routing& routing,
                                         std::uint64_t budget) {
  PacketStates states(graph, routing, budget);
  std::vector<Row> all;
  for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
    const NodeId host = graph.host_node(d);
    if (auto done = states.explore(host); !done) return fail(done.error());
    std::vector<Row> rows;
    for (const PacketStates::Visit& visit : states.visits()) {
      if (visit.size > 0) rows.push_back(row_of(states, visit, access_switch(graph, host)));
    }
    drop_duplicates(rows);
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  }
  drop_duplicates(all);
  return all;
}

}  // namespace ebb::routing
