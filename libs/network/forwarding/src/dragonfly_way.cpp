// SPDX-License-Identifier: Apache-2.0
#include "dragonfly_way.hpp"

#include "covered.hpp"
#include "layout.hpp"

namespace ebb::forwarding {

DragonflyWay::DragonflyWay(const Graph& graph, const AddressPlan& plan)
    : Way(graph, plan), a_(static_cast<std::uint32_t>(parameters_of(graph).integer("a"))) {}

std::vector<ChannelId> DragonflyWay::next_to_groups(std::uint32_t at) const {
  const std::uint32_t own = at / a_;
  std::vector<ChannelId> next(graph().switch_count() / a_);
  std::vector<bool> known(next.size());
  known[own] = true;
  const auto look = [&](std::uint32_t gate) {
    for (const ChannelId channel : graph().outputs(graph().switch_node(gate))) {
      const auto far = graph().target(channel);
      if (graph().is_host(far) || known[index(far) / a_]) continue;
      known[index(far) / a_] = true;
      next[index(far) / a_] = gate == at ? channel : links_to(at, gate).front();
    }
  };
  look(at);
  for (std::uint32_t gate = own * a_; gate < (own + 1) * a_; ++gate) look(gate);
  return next;
}

ChannelId DragonflyWay::next(std::uint32_t at, std::uint32_t to) const {
  return to / a_ == at / a_ ? links_to(at, to).front() : next_to_groups(at)[to / a_];
}

std::vector<ChannelId> DragonflyWay::next_to_all(std::uint32_t at) const {
  const std::vector<ChannelId> to_groups = next_to_groups(at);
  std::vector<ChannelId> next(graph().switch_count());
  for (std::uint32_t to = 0; to < next.size(); ++to) {
    if (to / a_ != at / a_) next[to] = to_groups[to / a_];
    if (to / a_ == at / a_ && to != at) next[to] = links_to(at, to).front();
  }
  return next;
}

Layers DragonflyWay::compact(std::uint32_t at, Alternatives alternatives) const {
  const std::uint32_t own = at / a_;
  std::vector<Rule> inside;
  for (std::uint32_t to = own * a_; to < (own + 1) * a_; ++to) {
    if (to == at) continue;
    const Match match{plan().of_switch(to), plan().switch_mask()};
    const ChannelId output = links_to(at, to).front();
    inside.push_back(
        {.destination = match, .output = output, .cos = cos(at, to, output, alternatives)});
  }
  std::vector<std::optional<Step>> steps;
  for (const ChannelId output : next_to_groups(at))
    steps.emplace_back(Step{output, cos_to_group(output, alternatives)});
  steps[own].reset();
  Layers layers = covered(plan().fields()[2], steps);
  for (std::vector<Rule>& layer : layers) {
    for (Rule& rule : layer) rule.use = Use::conditional;
  }
  layers.insert(layers.begin(), std::move(inside));
  return layers;
}

bool DragonflyWay::is_global(ChannelId channel) const {
  return index(graph().source(channel)) / a_ != index(graph().target(channel)) / a_;
}

std::vector<ChannelId> DragonflyWay::links(std::uint32_t at, bool global) const {
  std::vector<ChannelId> found;
  for (const ChannelId channel : graph().outputs(graph().switch_node(at))) {
    if (!graph().is_host(graph().target(channel)) && is_global(channel) == global)
      found.push_back(channel);
  }
  return found;
}

std::uint8_t DragonflyWay::cos_to_group(ChannelId output, Alternatives alternatives) const {
  return alternatives == Alternatives::injection && is_global(output) ? 1 : 0;
}

std::uint8_t DragonflyWay::cos(std::uint32_t at, std::uint32_t to, ChannelId output,
                               Alternatives alternatives) const {
  if (alternatives == Alternatives::none) return 0;
  if (to / a_ == at / a_) return 1;
  return cos_to_group(output, alternatives);
}

std::optional<ChannelId> DragonflyWay::detour(std::uint32_t at, ChannelId output) const {
  return link_after(links(at, is_global(output)), output);
}

bool DragonflyWay::diverts(std::uint32_t at, std::uint32_t to) const { return to / a_ != at / a_; }

Layers DragonflyWay::diversions(std::uint32_t at, Detail /*detail*/) const {
  return {divert_hosts(at, links(at, true))};
}

}  // namespace ebb::forwarding
