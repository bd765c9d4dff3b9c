// SPDX-License-Identifier: Apache-2.0
//
// Folded Clos: down where the leaf is below, else up. Every switch of a block reaches all of its
// sub-blocks, so any uplink will do.
//
// By destination (all details but compact) the uplink is chosen by the number of the other pod, or
// of the leaf in the same pod, and by that of the switch itself, so that not all choose alike.
//
// Compact: one rule for each sub-block below, and lowest one for each uplink that looks at the
// source alone: at its host field on a leaf, at the sub-block that it comes from above. That is one
// rule for each port.
//
// Fast reroutes: another uplink instead of an uplink; instead of a downlink a parallel one, or down
// to another sub-block, where a rerouted frame from above that belongs elsewhere bounces: up again
// by another uplink than it came from. Up and down are one class, and so are both after a reroute.
//
// Diversions: the next uplink, at any switch on the path up.
#include "layout.hpp"
#include "table_routing.hpp"

#include <algorithm>
#include <optional>

namespace ebb::forwarding {
namespace {

class ClosTableRouting : public TableRouting {
 public:
  ClosTableRouting(const Graph& graph, const AddressPlan& plan);

  [[nodiscard]] ChannelId next(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] ChannelId next_compact(std::uint32_t at, Address source, Address destination,
                                       std::uint32_t to) const override;
  [[nodiscard]] Layers compact(std::uint32_t at, BackupPaths backup_paths) const override;

  [[nodiscard]] std::optional<ChannelId> fast_reroute(std::uint32_t at,
                                                      ChannelId output) const override;
  [[nodiscard]] std::vector<Rule> bounces(std::uint32_t at) const override;

  [[nodiscard]] bool has_injection() const override { return true; }
  [[nodiscard]] bool diverts(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] Layers diversions(std::uint32_t at, Detail detail) const override;

 private:
  // The block of a level that a leaf is in; level 0 has the leaves themselves.
  [[nodiscard]] std::uint32_t block(std::uint32_t leaf, std::uint32_t level) const;
  [[nodiscard]] bool below(std::uint32_t at, std::uint32_t leaf) const;
  // Next to each other in port order, as are uplinks.
  [[nodiscard]] std::span<const ChannelId> links_down(std::uint32_t at, std::uint32_t leaf) const;
  [[nodiscard]] std::span<const ChannelId> uplinks(std::uint32_t at) const;
  [[nodiscard]] std::uint32_t uplink_for(std::uint32_t at, std::uint32_t leaf,
                                         std::uint32_t uplinks) const;
  // One leaf of each sub-block that the switch joins, ascending.
  [[nodiscard]] std::vector<std::uint32_t> leaves_of_sub_blocks(std::uint32_t at) const;
  // The next uplink that leads to another switch.
  [[nodiscard]] std::optional<ChannelId> bounce(std::uint32_t at, ChannelId uplink) const;
  // Of the sources below a switch, one for each uplink.
  [[nodiscard]] std::vector<Match> sources(std::uint32_t at) const;

  std::uint32_t half_ = 1;
  std::uint32_t levels_ = 2;
  std::vector<std::uint32_t> level_;       // by switch
  std::vector<std::uint32_t> leaf_below_;  // by switch: some leaf of its block
};

ClosTableRouting::ClosTableRouting(const Graph& graph, const AddressPlan& plan)
    : TableRouting(graph, plan) {
  const Parameters parameters = parameters_of(graph);
  half_ = static_cast<std::uint32_t>(parameters.integer("ports") / 2);
  levels_ = static_cast<std::uint32_t>(parameters.integer("levels"));
  const auto leaves = static_cast<std::uint32_t>(plan.access_switches().size());
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    // The first port of a switch above the leaves goes down, and switches below have been seen.
    const ChannelId first = graph.outputs(graph.switch_node(s)).front();
    const std::uint32_t under = index(graph.target(first));
    level_.push_back(s < leaves ? 0 : level_[under] + 1);
    leaf_below_.push_back(s < leaves ? s : leaf_below_[under]);
  }
}

std::uint32_t ClosTableRouting::block(std::uint32_t leaf, std::uint32_t level) const {
  if (level + 1 == levels_) return 0;
  for (std::uint32_t l = 0; l < level; ++l) leaf /= half_;
  return leaf;
}

bool ClosTableRouting::below(std::uint32_t at, std::uint32_t leaf) const {
  return block(leaf, level_[at]) == block(leaf_below_[at], level_[at]);
}

std::span<const ChannelId> ClosTableRouting::links_down(std::uint32_t at,
                                                        std::uint32_t leaf) const {
  const auto outputs = graph().outputs(graph().switch_node(at));
  const std::uint32_t level = level_[at] - 1;
  const auto leads_there = [&](ChannelId channel) {
    const std::uint32_t next = index(graph().target(channel));
    return next < at && block(leaf_below_[next], level) == block(leaf, level);
  };
  const auto first = std::find_if(outputs.begin(), outputs.end(), leads_there);
  return {first, std::find_if_not(first, outputs.end(), leads_there)};
}

std::span<const ChannelId> ClosTableRouting::uplinks(std::uint32_t at) const {
  const auto outputs = graph().outputs(graph().switch_node(at));
  const auto first = std::find_if(outputs.begin(), outputs.end(), [&](ChannelId channel) {
    const auto next = graph().target(channel);
    return !graph().is_host(next) && index(next) > at;
  });
  return {first, outputs.end()};
}

std::uint32_t ClosTableRouting::uplink_for(std::uint32_t at, std::uint32_t leaf,
                                           std::uint32_t uplinks) const {
  const std::uint32_t pod = block(leaf, 1);
  const std::uint32_t number = pod != block(leaf_below_[at], 1) ? pod : leaf;
  return (number + at) % uplinks;
}

ChannelId ClosTableRouting::next(std::uint32_t at, std::uint32_t to) const {
  if (below(at, to)) return links_down(at, to).front();
  const auto up = uplinks(at);
  return up[uplink_for(at, to, static_cast<std::uint32_t>(up.size()))];
}

ChannelId ClosTableRouting::next_compact(std::uint32_t at, Address source, Address destination,
                                         std::uint32_t to) const {
  if (below(at, to)) return shared(links_down(at, to), destination);
  return link_of_split(sources(at), uplinks(at), source);
}

std::vector<std::uint32_t> ClosTableRouting::leaves_of_sub_blocks(std::uint32_t at) const {
  std::vector<std::uint32_t> leaves;
  if (level_[at] == 0) return leaves;
  for (const ChannelId channel : graph().outputs(graph().switch_node(at))) {
    const std::uint32_t next = index(graph().target(channel));
    if (next > at) break;
    const std::uint32_t leaf = leaf_below_[next];
    const std::uint32_t level = level_[at] - 1;
    if (leaves.empty() || block(leaves.back(), level) != block(leaf, level)) leaves.push_back(leaf);
  }
  return leaves;
}

std::vector<Match> ClosTableRouting::sources(std::uint32_t at) const {
  const std::size_t values =
      level_[at] == 0 ? plan().most_hosts() : leaves_of_sub_blocks(at).size();
  return split_by_mask(plan().fields()[level_[at]], values, uplinks(at).size());
}

Layers ClosTableRouting::compact(std::uint32_t at, BackupPaths /*backup_paths*/) const {
  std::vector<Rule> down;
  Address mask = plan().switch_mask();
  for (std::uint32_t l = 1; l < level_[at]; ++l) mask &= ~plan().fields()[l].mask();
  for (const std::uint32_t leaf : leaves_of_sub_blocks(at))
    share({plan().of_switch(leaf) & mask, mask}, links_down(at, leaf), down);
  std::vector<Rule> up;
  const auto links = uplinks(at);
  if (links.empty()) return {down};
  const std::vector<Match> matches = sources(at);
  for (std::size_t i = 0; i < matches.size(); ++i)
    up.push_back({.source = matches[i], .output = links[i], .use = Use::primary});
  return {down, up};
}

std::optional<ChannelId> ClosTableRouting::bounce(std::uint32_t at, ChannelId uplink) const {
  const auto links = uplinks(at);
  auto other = link_after(links, uplink);
  while (other && *other != uplink && graph().target(*other) == graph().target(uplink))
    other = link_after(links, *other);
  return other == uplink ? std::nullopt : other;
}

std::vector<Rule> ClosTableRouting::bounces(std::uint32_t at) const {
  std::vector<Rule> rules;
  for (const ChannelId uplink : uplinks(at)) {
    const auto other = bounce(at, uplink);
    if (!other) continue;
    rules.push_back({.destination = {kReroutedTag, kReroutedTag},
                     .output = *other,
                     .input = topology::reverse(uplink),
                     .cos = rerouted_shift()});
  }
  return rules;
}

std::optional<ChannelId> ClosTableRouting::fast_reroute(std::uint32_t at, ChannelId output) const {
  const std::uint32_t next = index(graph().target(output));
  if (next > at) return link_after(uplinks(at), output);
  const auto siblings = links_down(at, leaf_below_[next]);
  if (const auto parallel = link_after(siblings, output)) return parallel;
  const auto outputs = graph().outputs(graph().switch_node(at));
  const auto down = outputs.first(outputs.size() - uplinks(at).size());
  for (auto other = link_after(down, output); other && *other != output;
       other = link_after(down, *other)) {
    if (bounce(index(graph().target(*other)), topology::reverse(*other))) return other;
  }
  return std::nullopt;
}

bool ClosTableRouting::diverts(std::uint32_t at, std::uint32_t to) const { return !below(at, to); }

// Other tables choose the uplink by destination, so that a rule by source may name the same one: a
// second goes by the next.
Layers ClosTableRouting::diversions(std::uint32_t at, Detail detail) const {
  const auto links = uplinks(at);
  if (links.size() < 2) return {};
  const std::vector<Match> matches = sources(at);
  Layers layers;
  for (std::size_t turn = detail == Detail::compact ? 1 : 0; turn < 2; ++turn) {
    layers.emplace_back();
    for (std::size_t i = 0; i < matches.size(); ++i) {
      layers.back().push_back(
          {.source = matches[i], .output = links[(i + turn) % links.size()], .use = Use::backup});
    }
  }
  return layers;
}

}  // namespace

MadeTableRouting make_clos_table_routing(const Graph& graph, const AddressPlan& plan) {
  return std::make_unique<ClosTableRouting>(graph, plan);
}

}  // namespace ebb::forwarding
