// SPDX-License-Identifier: Apache-2.0
#include "families/dragonfly_plus.hpp"

#include "schemes.hpp"

#include <algorithm>
#include <set>

namespace ebb::routing {

DragonflyPlus::DragonflyPlus(const Graph& graph) : graph_(graph) {
  const Parameters parameters = parameters_of(graph);
  p_ = static_cast<std::uint32_t>(parameters.integer("p"));
  leaves_ = static_cast<std::uint32_t>(parameters.integer("leaves"));
  spines_ = static_cast<std::uint32_t>(parameters.integer("spines"));
  g_ = graph.switch_count() / size();
  std::vector<std::set<std::uint32_t>> spines(g_);
  for (std::uint32_t spine = 0; spine < spines_; ++spine) {
    for (const ChannelId channel : globals(leaves_ + spine))
      spines[(g_ - group_of(index(graph.target(channel)))) % g_].insert(spine);
  }
  first_ = {0};
  for (const auto& at_distance : spines) {
    spines_at_.insert(spines_at_.end(), at_distance.begin(), at_distance.end());
    first_.push_back(static_cast<std::uint32_t>(spines_at_.size()));
  }
}

std::size_t DragonflyPlus::memory_bytes() const {
  return (spines_at_.capacity() + first_.capacity()) * sizeof(std::uint32_t);
}

std::uint64_t DragonflyPlus::width() const {
  std::size_t most = std::max(leaves_, spines_);
  for (std::uint32_t spine = 0; spine < spines_; ++spine)
    most = std::max(most, globals(leaves_ + spine).size());
  return most;
}

bool DragonflyPlus::leads_to(std::uint32_t spine, std::uint32_t group) const {
  const auto spines = spines_between(group_of(spine), group);
  return std::binary_search(spines.begin(), spines.end(), spine % size() - leaves_);
}

int DragonflyPlus::distance(std::uint32_t from, std::uint32_t to) const {
  const bool leaf = is_leaf(from);
  if (from == to) return 0;
  if (group_of(from) == group_of(to)) return leaf ? 2 : 1;
  if (leaf) return 3;
  return leads_to(from, group_of(to)) ? 2 : 4;
}

void DragonflyPlus::push_all(std::uint32_t from, std::uint8_t vc, Candidates& out) const {
  const auto outputs = graph_.outputs(NodeId{from});
  const auto links = is_leaf(from) ? outputs.subspan(p_) : outputs.first(leaves_);
  for (const ChannelId channel : links) out.push({channel, vc});
}

void DragonflyPlus::step(std::uint32_t from, std::uint32_t to, std::uint8_t vc,
                         Candidates& out) const {
  const std::uint32_t group = group_of(to);
  if (group_of(from) != group) {
    if (is_leaf(from) || leads_to(from, group)) return step_to_group(from, group, vc, out);
    return push_all(from, static_cast<std::uint8_t>(vc - 1), out);
  }
  if (is_leaf(from)) return push_all(from, vc, out);
  out.push({graph_.outputs(NodeId{from})[to % size()], vc});
}

void DragonflyPlus::step_to_group(std::uint32_t from, std::uint32_t group, std::uint8_t vc,
                                  Candidates& out) const {
  if (is_leaf(from)) {
    const auto outputs = graph_.outputs(NodeId{from});
    for (const std::uint32_t spine : spines_between(group_of(from), group))
      out.push({outputs[p_ + spine], vc});
    return;
  }
  for (const ChannelId channel : globals(from)) {
    if (group_of(index(graph_.target(channel))) == group) out.push({channel, vc});
  }
}

}  // namespace ebb::routing
