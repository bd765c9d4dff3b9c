// SPDX-License-Identifier: Apache-2.0
//
// Dragonfly: to another group over a global link of its own if it has one, else by the first switch
// of its group that has. So all switches of a group share an output everywhere else: at most one
// link to the global one, and one after it.
//
// Compact: a rule for each other switch of the group, and a ternary minimisation of the numbers of
// the groups.
//
// Fast reroutes: another own global link instead of a global one, another switch of the group
// instead of a local link. None of these paths comes back: groups other than the first and the last
// are crossed once, and a switch without a global link of its own is nobody's gate.
//
// Classes ascend along l0 g0 l1, and after a reroute l1 g1 l2. With diversions at the source
// (Section V-E of the paper): g0 for the diverted, then l0 g1 l1.
#include "layout.hpp"
#include "table_routing.hpp"
#include "ternary_minimisation.hpp"

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
  [[nodiscard]] std::optional<ChannelId> fast_reroute(std::uint32_t at,
                                                      ChannelId output) const override;

  [[nodiscard]] bool has_injection() const override { return true; }
  [[nodiscard]] bool diverts(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] Layers diversions(std::uint32_t at, Detail detail) const override;

 private:
  // Outputs towards every other group, by group.
  [[nodiscard]] std::vector<ChannelId> next_to_groups(std::uint32_t at) const;
  [[nodiscard]] bool is_global(ChannelId channel) const;
  // The links of a switch to other groups, or to other switches of its own.
  [[nodiscard]] std::vector<ChannelId> links(std::uint32_t at, bool global) const;
  [[nodiscard]] std::uint8_t cos_to_group(ChannelId output, BackupPaths backup_paths) const;

  std::uint32_t a_ = 1;  // switches per group
};

DragonflyTableRouting::DragonflyTableRouting(const Graph& graph, const AddressPlan& plan)
    : TableRouting(graph, plan),
      a_(static_cast<std::uint32_t>(parameters_of(graph).integer("a"))) {}

std::vector<ChannelId> DragonflyTableRouting::next_to_groups(std::uint32_t at) const {
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

ChannelId DragonflyTableRouting::next(std::uint32_t at, std::uint32_t to) const {
  return to / a_ == at / a_ ? links_to(at, to).front() : next_to_groups(at)[to / a_];
}

std::vector<ChannelId> DragonflyTableRouting::next_to_all(std::uint32_t at) const {
  const std::vector<ChannelId> to_groups = next_to_groups(at);
  std::vector<ChannelId> next(graph().switch_count());
  for (std::uint32_t to = 0; to < next.size(); ++to) {
    if (to / a_ != at / a_) next[to] = to_groups[to / a_];
    if (to / a_ == at / a_ && to != at) next[to] = links_to(at, to).front();
  }
  return next;
}

Layers DragonflyTableRouting::compact(std::uint32_t at, BackupPaths backup_paths) const {
  const std::uint32_t own = at / a_;
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
  return index(graph().source(channel)) / a_ != index(graph().target(channel)) / a_;
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
  return backup_paths == BackupPaths::injection && is_global(output) ? 1 : 0;
}

std::uint8_t DragonflyTableRouting::cos(std::uint32_t at, std::uint32_t to, ChannelId output,
                                        BackupPaths backup_paths) const {
  if (backup_paths == BackupPaths::none) return 0;
  if (to / a_ == at / a_) return 1;
  return cos_to_group(output, backup_paths);
}

std::optional<ChannelId> DragonflyTableRouting::fast_reroute(std::uint32_t at,
                                                             ChannelId output) const {
  return link_after(links(at, is_global(output)), output);
}

bool DragonflyTableRouting::diverts(std::uint32_t at, std::uint32_t to) const {
  return to / a_ != at / a_;
}

Layers DragonflyTableRouting::diversions(std::uint32_t at, Detail /*detail*/) const {
  return {divert_hosts(at, links(at, true))};
}

}  // namespace

MadeTableRouting make_dragonfly_table_routing(const Graph& graph, const AddressPlan& plan) {
  return std::make_unique<DragonflyTableRouting>(graph, plan);
}

}  // namespace ebb::forwarding
