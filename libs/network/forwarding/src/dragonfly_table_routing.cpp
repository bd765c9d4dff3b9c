// SPDX-License-Identifier: Apache-2.0
//
// Dragonfly: to another group over a global link of its own if it has one, else by the first switch
// of its group that has. So all switches of a group share an output everywhere else: at most one
// link to the global one, and one after it.
//
// Compact: a rule for each other switch of the group, and a ternary minimisation of the numbers of
// the groups.
//
// Fast reroutes: each group has a hub, through which a frame goes to another switch of the group
// when the link to it is not live, as it is. Group 0 is the hub of the groups: each other group has
// one link to it that backup paths count on, its gateway, and the switch with it is the group's
// hub. While a global link is not live its frames get the tag; rerouted frames go to group 0 by the
// gateway, and from there by the gateway of their group. So all links may sleep but those to the
// hub of the group and the gateways, and what is left is a tree.
//
// A gateway that has failed: to group 0 by another own global link, with the tag; from group 0 by
// another own global link without it, as the group there has a link of its own to where it goes. A
// link to the hub that has failed: by another switch of the group, with the tag.
//
// Classes ascend along l0 g1 l1; a reroute of g1 leaves by l1, and rerouted frames go by l2 g3, in
// group 0 by l2 g3 and at the end by l3. Links to a hub come before those from it in each class.
// With diversions at the source (Section V-E of the paper): g0 for the diverted, then l0 g1 l1.
#include "layout.hpp"
#include "table_routing.hpp"
#include "ternary_minimisation.hpp"

#include <algorithm>

namespace ebb::forwarding {
namespace {

class DragonflyTableRouting : public TableRouting {
 public:
  DragonflyTableRouting(const Graph& graph, const AddressPlan& plan);

  [[nodiscard]] ChannelId next(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] std::vector<ChannelId> next_to_all(std::uint32_t at) const override;
  [[nodiscard]] Layers compact(std::uint32_t at, BackupPaths backup_paths) const override;

  [[nodiscard]] std::uint8_t cos(std::uint32_t at, std::uint32_t to, ChannelId output,
                                 BackupPaths backup_paths) const override;
  [[nodiscard]] std::uint8_t rerouted_shift() const override { return 2; }
  [[nodiscard]] FastReroute reroute(std::uint32_t at, ChannelId output) const override;
  [[nodiscard]] std::optional<NextHop> rerouted_next(std::uint32_t at,
                                                     std::uint32_t to) const override;
  [[nodiscard]] Layers rerouted_rules(std::uint32_t at) const override;
  [[nodiscard]] std::vector<ChannelId> core(std::uint32_t at) const override;

  [[nodiscard]] bool has_injection() const override { return true; }
  [[nodiscard]] bool diverts(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] Layers diversions(std::uint32_t at, Detail detail) const override;

 private:
  [[nodiscard]] std::uint32_t group(std::uint32_t at) const { return at / a_; }
  void find_gateways();
  // The switch of the group by which all others are reached whatever else sleeps.
  [[nodiscard]] std::uint32_t hub(std::uint32_t group) const;
  [[nodiscard]] bool is_core(ChannelId channel) const;
  // The global link by which rerouted frames leave the group for another.
  [[nodiscard]] ChannelId way_out(std::uint32_t from_group, std::uint32_t to_group) const;
  // Towards the switch with that global link, and by it: directly, or by links that never sleep.
  [[nodiscard]] ChannelId towards(std::uint32_t at, ChannelId global) const;
  [[nodiscard]] ChannelId towards_by_hub(std::uint32_t at, ChannelId global) const;
  [[nodiscard]] FastReroute reroute_local(std::uint32_t at, ChannelId output) const;
  [[nodiscard]] FastReroute reroute_global(std::uint32_t at, ChannelId output) const;
  // Outputs towards every other group, by group.
  [[nodiscard]] std::vector<ChannelId> next_to_groups(std::uint32_t at) const;
  [[nodiscard]] bool is_global(ChannelId channel) const;
  // The links of a switch to other groups, or to other switches of its own.
  [[nodiscard]] std::vector<ChannelId> links(std::uint32_t at, bool global) const;
  [[nodiscard]] std::uint8_t cos_to_group(ChannelId output, BackupPaths backup_paths) const;

  std::uint32_t a_ = 1;              // switches per group
  std::vector<ChannelId> gateways_;  // by group: to group 0; that of group 0 means nothing
};

DragonflyTableRouting::DragonflyTableRouting(const Graph& graph, const AddressPlan& plan)
    : TableRouting(graph, plan),
      a_(static_cast<std::uint32_t>(parameters_of(graph).integer("a"))),
      gateways_(graph.switch_count() / a_) {
  find_gateways();
}

// The first link to group 0 of the first switch that has one.
void DragonflyTableRouting::find_gateways() {
  for (std::uint32_t s = graph().switch_count(); s-- > a_;) {
    const auto outputs = links(s, true);
    const auto found = std::find_if(outputs.begin(), outputs.end(), [&](ChannelId channel) {
      return group(index(graph().target(channel))) == 0;
    });
    if (found != outputs.end()) gateways_[group(s)] = *found;
  }
}

std::uint32_t DragonflyTableRouting::hub(std::uint32_t group) const {
  return group == 0 ? 0 : index(graph().source(gateways_[group]));
}

bool DragonflyTableRouting::is_core(ChannelId channel) const {
  const std::uint32_t from = index(graph().source(channel));
  const std::uint32_t to = index(graph().target(channel));
  if (group(from) == group(to)) return from == hub(group(from)) || to == hub(group(from));
  if (group(from) == 0) return topology::reverse(channel) == gateways_[group(to)];
  return channel == gateways_[group(from)];
}

ChannelId DragonflyTableRouting::way_out(std::uint32_t from_group, std::uint32_t to_group) const {
  return from_group == 0 ? topology::reverse(gateways_[to_group]) : gateways_[from_group];
}

ChannelId DragonflyTableRouting::towards(std::uint32_t at, ChannelId global) const {
  const std::uint32_t gate = index(graph().source(global));
  return gate == at ? global : links_to(at, gate).front();
}

ChannelId DragonflyTableRouting::towards_by_hub(std::uint32_t at, ChannelId global) const {
  const std::uint32_t middle = hub(group(at));
  const bool is_gate = index(graph().source(global)) == at;
  return is_gate || at == middle ? towards(at, global) : links_to(at, middle).front();
}

std::optional<TableRouting::NextHop> DragonflyTableRouting::rerouted_next(std::uint32_t at,
                                                                          std::uint32_t to) const {
  const std::uint32_t own = group(at);
  const ChannelId output =
      group(to) == own ? links_to(at, to).front() : towards(at, way_out(own, group(to)));
  return NextHop{output, shifted(cos(at, to, output, BackupPaths::everywhere), rerouted_shift())};
}

// By switch in the group, by group in group 0, and all alike elsewhere.
Layers DragonflyTableRouting::rerouted_rules(std::uint32_t at) const {
  const std::uint32_t own = group(at);
  const auto rule = [&](std::uint32_t to, const Match& match) {
    const NextHop next = rerouted_next(at, to).value();
    return Rule{.destination = match, .output = next.output, .cos = next.cos};
  };
  Layers layers(1);
  for (std::uint32_t to = own * a_; to < (own + 1) * a_; ++to) {
    if (to != at) layers[0].push_back(rule(to, {plan().of_switch(to), plan().switch_mask()}));
  }
  if (own != 0) {
    layers.push_back({rule(0, {})});
    return layers;
  }
  std::vector<std::optional<NextHop>> next_hops(gateways_.size());
  for (std::uint32_t other = 1; other < next_hops.size(); ++other)
    next_hops[other] = rerouted_next(at, other * a_);
  for (std::vector<Rule>& layer : minimised(plan().fields()[2], next_hops))
    layers.push_back(std::move(layer));
  return layers;
}

std::vector<ChannelId> DragonflyTableRouting::core(std::uint32_t at) const {
  std::vector<ChannelId> outputs;
  for (const ChannelId output : graph().outputs(graph().switch_node(at))) {
    if (!graph().is_host(graph().target(output)) && is_core(output)) outputs.push_back(output);
  }
  return outputs;
}

std::vector<ChannelId> DragonflyTableRouting::next_to_groups(std::uint32_t at) const {
  const std::uint32_t own = group(at);
  std::vector<ChannelId> next(graph().switch_count() / a_);
  std::vector<bool> known(next.size());
  known[own] = true;
  const auto look = [&](std::uint32_t gate) {
    for (const ChannelId channel : graph().outputs(graph().switch_node(gate))) {
      const auto far = graph().target(channel);
      if (graph().is_host(far) || known[group(index(far))]) continue;
      known[group(index(far))] = true;
      next[group(index(far))] = gate == at ? channel : links_to(at, gate).front();
    }
  };
  look(at);
  for (std::uint32_t gate = own * a_; gate < (own + 1) * a_; ++gate) look(gate);
  return next;
}

ChannelId DragonflyTableRouting::next(std::uint32_t at, std::uint32_t to) const {
  return group(to) == group(at) ? links_to(at, to).front() : next_to_groups(at)[group(to)];
}

std::vector<ChannelId> DragonflyTableRouting::next_to_all(std::uint32_t at) const {
  const std::vector<ChannelId> to_groups = next_to_groups(at);
  std::vector<ChannelId> next(graph().switch_count());
  for (std::uint32_t to = 0; to < next.size(); ++to) {
    if (group(to) != group(at)) next[to] = to_groups[group(to)];
    if (group(to) == group(at) && to != at) next[to] = links_to(at, to).front();
  }
  return next;
}

Layers DragonflyTableRouting::compact(std::uint32_t at, BackupPaths backup_paths) const {
  const std::uint32_t own = group(at);
  std::vector<Rule> inside;
  for (std::uint32_t to = own * a_; to < (own + 1) * a_; ++to) {
    if (to == at) continue;
    const Match match{plan().of_switch(to), plan().switch_mask()};
    const ChannelId output = links_to(at, to).front();
    inside.push_back(
        {.destination = match, .output = output, .cos = cos(at, to, output, backup_paths)});
  }
  std::vector<std::optional<NextHop>> next_hops;
  for (const ChannelId output : next_to_groups(at))
    next_hops.emplace_back(NextHop{output, cos_to_group(output, backup_paths)});
  next_hops[own].reset();
  Layers layers = minimised(plan().fields()[2], next_hops);
  for (std::vector<Rule>& layer : layers) {
    for (Rule& rule : layer) rule.use = Use::primary;
  }
  layers.insert(layers.begin(), std::move(inside));
  return layers;
}

bool DragonflyTableRouting::is_global(ChannelId channel) const {
  return group(index(graph().source(channel))) != group(index(graph().target(channel)));
}

std::vector<ChannelId> DragonflyTableRouting::links(std::uint32_t at, bool global) const {
  std::vector<ChannelId> found;
  for (const ChannelId channel : graph().outputs(graph().switch_node(at))) {
    if (!graph().is_host(graph().target(channel)) && is_global(channel) == global)
      found.push_back(channel);
  }
  return found;
}

std::uint8_t DragonflyTableRouting::cos_to_group(ChannelId output, BackupPaths backup_paths) const {
  return backup_paths != BackupPaths::none && is_global(output) ? 1 : 0;
}

std::uint8_t DragonflyTableRouting::cos(std::uint32_t at, std::uint32_t to, ChannelId output,
                                        BackupPaths backup_paths) const {
  if (backup_paths == BackupPaths::none) return 0;
  if (group(to) == group(at)) return 1;
  return cos_to_group(output, backup_paths);
}

FastReroute DragonflyTableRouting::reroute(std::uint32_t at, ChannelId output) const {
  return is_global(output) ? reroute_global(at, output) : reroute_local(at, output);
}

FastReroute DragonflyTableRouting::reroute_local(std::uint32_t at, ChannelId output) const {
  FastReroute made{.output = output};
  auto others = links(at, false);
  if (!is_core(output)) {
    made.untagged = {links_to(at, hub(group(at))).front()};
    std::erase(others, made.untagged.front());
  }
  // When that is not live either, or there is none: any other switch.
  made.backup = link_after(others, output);
  return made;
}

FastReroute DragonflyTableRouting::reroute_global(std::uint32_t at, ChannelId output) const {
  const std::uint32_t own = group(at);
  const std::uint32_t far = group(index(graph().target(output)));
  FastReroute made{.output = output, .untagged = parallel_links(at, output)};
  if (!is_core(output)) {
    made.backup = towards_by_hub(at, way_out(own, far));
    return made;
  }
  auto others = links(at, true);
  std::erase_if(others,
                [&](ChannelId other) { return group(index(graph().target(other))) == far; });
  if (!others.empty()) made.backup = others.front();
  made.backup_tags = own != 0;
  return made;
}

bool DragonflyTableRouting::diverts(std::uint32_t at, std::uint32_t to) const {
  return group(to) != group(at);
}

Layers DragonflyTableRouting::diversions(std::uint32_t at, Detail /*detail*/) const {
  return {divert_hosts(at, links(at, true))};
}

}  // namespace

MadeTableRouting make_dragonfly_table_routing(const Graph& graph, const AddressPlan& plan) {
  return std::make_unique<DragonflyTableRouting>(graph, plan);
}

}  // namespace ebb::forwarding
