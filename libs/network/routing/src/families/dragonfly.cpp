// SPDX-License-Identifier: Apache-2.0
#include "families/dragonfly.hpp"

#include "schemes.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace ebb::routing {

Dragonfly::Dragonfly(const Graph& graph) : graph_(graph) {
  const Parameters parameters = parameters_of(graph);
  p_ = static_cast<std::uint32_t>(parameters.integer("p"));
  a_ = static_cast<std::uint32_t>(parameters.integer("a"));
  g_ = graph.switch_count() / a_;
  for (std::uint32_t s = 0; s < a_; ++s)
    h_ = std::max(h_, static_cast<std::uint32_t>(globals(NodeId{s}).size()));
  links_ = links_of_group(0);
  const std::vector<Global> last = links_of_group(g_ - 1);
  for (std::size_t i = 0; i < links_.size(); ++i) links_[i].late_slot = last[i].early_slot;
  first_.assign(g_ + 1, 0);
  for (const Global& link : links_) ++first_[link.distance + 1];
  for (std::size_t d = 1; d < first_.size(); ++d) first_[d] += first_[d - 1];
}

std::vector<Dragonfly::Global> Dragonfly::links_of_group(std::uint32_t group) const {
  std::vector<Global> links;
  const std::uint32_t locals = p_ + a_ - 1;
  for (std::uint32_t near = 0; near < a_; ++near) {
    const auto outputs = graph_.outputs(NodeId{group * a_ + near});
    for (std::uint32_t port = locals; port < outputs.size(); ++port) {
      const std::uint32_t far = index(graph_.target(outputs[port]));
      const std::uint32_t distance = (group + g_ - group_of(far)) % g_;
      links.push_back({distance, near, far % a_, port - locals, port - locals});
    }
  }
  std::sort(links.begin(), links.end(), [](const Global& x, const Global& y) {
    return std::tie(x.distance, x.near, x.far, x.early_slot) <
           std::tie(y.distance, y.near, y.far, y.early_slot);
  });
  return links;
}

std::size_t Dragonfly::memory_bytes() const {
  return links_.capacity() * sizeof(Global) + first_.capacity() * sizeof(std::uint32_t);
}

std::uint64_t Dragonfly::width() const {
  std::uint64_t most = 0;
  for (std::uint32_t d = 1; d < g_; ++d)
    most = std::max(most, std::uint64_t{first_[d + 1] - first_[d]});
  return most;
}

std::span<const Dragonfly::Global> Dragonfly::links_between(std::uint32_t from_group,
                                                            std::uint32_t to_group) const {
  const std::uint32_t d = (from_group + g_ - to_group) % g_;
  return std::span(links_).subspan(first_[d], first_[d + 1] - first_[d]);
}

// Links were added distance by distance, both ends of a link at once, group after group. A switch
// with two ends of the same distance, one leading d back and one d ahead, got the one that leads
// ahead when its other group was reached: before its own turn if the circle had closed by then.
std::uint32_t Dragonfly::slot(const Global& link, std::uint32_t group) const {
  const std::uint32_t shorter = std::min(link.distance, g_ - link.distance);
  return group + shorter >= g_ ? link.late_slot : link.early_slot;
}

ChannelId Dragonfly::local(std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t x = from % a_;
  const std::uint32_t y = to % a_;
  return graph_.outputs(NodeId{from})[p_ + (y < x ? y : y - 1)];
}

void Dragonfly::push(std::uint32_t from, const Global& link, WayClasses classes,
                     Candidates& out) const {
  const std::uint32_t group = group_of(from);
  if (from % a_ != link.near)
    return out.push({local(from, group * a_ + link.near), classes.first_local});
  out.push({globals(NodeId{from})[slot(link, group)], classes.global});
}

template <class Cost>
void Dragonfly::push_cheapest(std::uint32_t from, std::uint32_t group, WayClasses classes,
                              Cost cost, Candidates& out) const {
  const auto links = links_between(group_of(from), group);
  int least = std::numeric_limits<int>::max();
  for (const Global& link : links) least = std::min(least, cost(link));
  std::uint32_t last_indirect = a_;  // links are in order of `near`
  for (const Global& link : links) {
    if (cost(link) != least) continue;
    const bool elsewhere = link.near != from % a_;
    if (elsewhere && link.near == last_indirect) continue;
    if (elsewhere) last_indirect = link.near;
    push(from, link, classes, out);
  }
}

int Dragonfly::distance(std::uint32_t from, std::uint32_t to) const {
  if (group_of(from) == group_of(to)) return from == to ? 0 : 1;
  int least = 3;
  for (const Global& link : links_between(group_of(from), group_of(to)))
    least = std::min(least, 1 + locals(link, from, to));
  return least;
}

void Dragonfly::step(std::uint32_t from, std::uint32_t to, WayClasses classes,
                     Candidates& out) const {
  if (group_of(from) == group_of(to)) return out.push({local(from, to), classes.last_local});
  const auto cost = [&](const Global& link) { return locals(link, from, to); };
  push_cheapest(from, group_of(to), classes, cost, out);
}

Dragonfly::Gateway Dragonfly::gateway(std::uint32_t from, std::uint32_t to) const {
  const auto links = links_between(group_of(from), group_of(to));
  const auto best = std::min_element(
      links.begin(), links.end(),
      [&](const Global& x, const Global& y) { return locals(x, from, to) < locals(y, from, to); });
  return {best->near, slot(*best, group_of(from))};
}

int Dragonfly::distance_to_group(std::uint32_t from, std::uint32_t group) const {
  const auto links = links_between(group_of(from), group);
  return std::any_of(links.begin(), links.end(),
                     [&](const Global& link) { return link.near == from % a_; })
             ? 1
             : 2;
}

void Dragonfly::step_to_group(std::uint32_t from, std::uint32_t group, std::uint8_t vc,
                              Candidates& out) const {
  push_cheapest(
      from, group, WayClasses{vc, vc, vc},
      [&](const Global& link) { return link.near != from % a_ ? 1 : 0; }, out);
}

}  // namespace ebb::routing
