// SPDX-License-Identifier: Apache-2.0
#include "ebb/fabric/reach.hpp"

namespace ebb::fabric {

using topology::ChannelId;

Reach::Reach(const topology::Graph& graph, const rules::AddressPlan& plan,
             std::span<const rules::Table> tables)
    : graph_(graph), plan_(plan) {
  for (const rules::Table& table : tables) lookups_.emplace_back(table, plan);
}

std::optional<Reach::Way> Reach::walk(std::uint32_t from_host, std::uint32_t to_host,
                                      const std::vector<bool>& asleep) const {
  Way way;
  rules::Frame frame{graph_.outputs(graph_.host_node(from_host)).front(), plan_.of_host(from_host),
                     plan_.of_host(to_host)};
  // A frame that passes more links than that runs in a circle.
  while (way.channels.size() <= 2 * std::size_t{graph_.switch_count()}) {
    const auto output = step(frame, asleep, way);
    if (!output) return std::nullopt;
    const auto next = graph_.target(*output);
    if (graph_.is_host(next))
      return graph_.host_number(next) == to_host ? std::optional(way) : std::nullopt;
    way.channels.push_back(*output);
    frame.input = *output;
  }
  return std::nullopt;
}

std::optional<ChannelId> Reach::step(rules::Frame& frame, const std::vector<bool>& asleep,
                                     Way& way) const {
  const rules::Lookup& lookup = lookups_[index(graph_.target(*frame.input))];
  const rules::Rule* rule = lookup.rule(frame);
  if (rule == nullptr) return std::nullopt;
  if (!asleep[index(topology::link_of(rule->output))]) {
    if (rule->clears) frame.destination &= ~rules::kMark;
    return rule->output;
  }
  const auto instead = lookup.table().detour(rule->output);
  if (rule->use != rules::Use::conditional || !instead ||
      asleep[index(topology::link_of(*instead))])
    return std::nullopt;
  frame.destination |= rules::kMark;
  way.dodged.push_back(rule->output);
  return instead;
}

bool Reach::everyone(const std::vector<bool>& asleep) const {
  for (std::uint32_t from = 0; from < graph_.host_count(); ++from) {
    for (std::uint32_t to = 0; to < graph_.host_count(); ++to) {
      if (from != to && !walk(from, to, asleep)) return false;
    }
  }
  return true;
}

}  // namespace ebb::fabric
