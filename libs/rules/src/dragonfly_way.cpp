// SPDX-License-Identifier: Apache-2.0
#include "dragonfly_way.hpp"

#include "covered.hpp"
#include "layout.hpp"

namespace ebb::rules {

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

Layers DragonflyWay::compact(std::uint32_t at) const {
  const std::uint32_t own = at / a_;
  std::vector<Rule> inside;
  for (std::uint32_t to = own * a_; to < (own + 1) * a_; ++to) {
    if (to == at) continue;
    const Match match{plan().of_switch(to), plan().switch_mask()};
    inside.push_back({.destination = match, .output = links_to(at, to).front()});
  }
  std::vector<std::optional<ChannelId>> outputs;
  for (const ChannelId output : next_to_groups(at)) outputs.emplace_back(output);
  outputs[own].reset();
  Layers layers = covered(plan().fields()[2], outputs);
  layers.insert(layers.begin(), std::move(inside));
  return layers;
}

}  // namespace ebb::rules
