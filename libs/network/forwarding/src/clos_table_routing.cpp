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
// Fast reroutes: any live uplink instead of one, and no tag is needed, because a frame comes back
// from above with the tag alone; any other link to the same sub-block instead of a downlink. A
// switch of the top level without one sends its frames back where they came from; one between the
// levels sends them down to its first child. There they bounce: up again, by the first uplink.
// After that a link down has left the bypassed one behind, and clears the tag. Up and down are one
// class, and so are both after a reroute.
//
// So all links may sleep but the first uplink of each switch, and between the levels that to the
// first child, in any order. Two levels, as leaf-spines are, which graphs without a family may be,
// too, have one uplink of each leaf that never sleeps, to the first spine.
//
// A leaf without spine k goes on with k without its highest bit: 6 to 2, 7 to 3, then 2 to 0 and 3
// to 1. So the spines that are left share what the others carried, when these sleep from the last
// on.
//
// Diversions: the next uplink, at any switch on the path up.
#include "layout.hpp"
#include "table_routing.hpp"

#include "ebb/topology/rails.hpp"
#include "ebb/topology/recognition.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>

namespace ebb::forwarding {
namespace {

// Of some switches or links in order, what takes the place of one: its number without its highest
// bit, again and again, so that those that are left share what the others carried, when these sleep
// from the last on; then, for failures, whichever is left.
std::vector<std::uint32_t> numbers_instead_of(std::uint32_t one, std::size_t count) {
  std::vector<std::uint32_t> others;
  for (std::uint32_t next = one; next != 0;) {
    next -= std::bit_floor(next);
    others.push_back(next);
  }
  for (std::uint32_t step = 1; step < count; ++step) {
    const auto next = static_cast<std::uint32_t>((one + step) % count);
    if (std::find(others.begin(), others.end(), next) == others.end()) others.push_back(next);
  }
  return others;
}

std::vector<ChannelId> instead_of(std::span<const ChannelId> links, ChannelId one) {
  const auto place = std::find(links.begin(), links.end(), one) - links.begin();
  std::vector<ChannelId> others;
  for (const std::uint32_t other :
       numbers_instead_of(static_cast<std::uint32_t>(place), links.size()))
    others.push_back(links[other]);
  return others;
}

class ClosTableRouting : public TableRouting {
 public:
  ClosTableRouting(const Graph& graph, const AddressPlan& plan);

  [[nodiscard]] ChannelId next(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] ChannelId next_compact(std::uint32_t at, Address source, Address destination,
                                       std::uint32_t to) const override;
  [[nodiscard]] Layers compact(std::uint32_t at, BackupPaths backup_paths) const override;

  [[nodiscard]] FastReroute reroute(std::uint32_t at, ChannelId output) const override;
  [[nodiscard]] bool reroutes_end() const override { return levels_ > 2; }
  [[nodiscard]] std::vector<ChannelId> core(std::uint32_t at) const override;
  [[nodiscard]] std::vector<Rule> bounces(std::uint32_t at) const override;

  [[nodiscard]] bool has_injection() const override { return true; }
  [[nodiscard]] bool diverts(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] Layers diversions(std::uint32_t at, Detail detail) const override;

 private:
  void read_family(const Parameters& parameters);
  void read_leaf_spine(const topology::LeafSpine& found);
  // Down and up links of each switch, when levels are known.
  void sort_links();
  [[nodiscard]] bool leads_up(std::uint32_t at, ChannelId output) const {
    const auto next = graph().target(output);
    return !graph().is_host(next) && level_[index(next)] > level_[at];
  }
  // The block of a level that a leaf is in; level 0 has the leaves themselves.
  [[nodiscard]] std::uint32_t block(std::uint32_t leaf, std::uint32_t level) const;
  [[nodiscard]] bool below(std::uint32_t at, std::uint32_t leaf) const;
  [[nodiscard]] std::span<const ChannelId> links_down(std::uint32_t at, std::uint32_t leaf) const;
  [[nodiscard]] std::span<const ChannelId> uplinks(std::uint32_t at) const { return up_[at]; }
  [[nodiscard]] std::uint32_t uplink_for(std::uint32_t at, std::uint32_t leaf,
                                         std::uint32_t uplinks) const;
  // One leaf of each sub-block that the switch joins, ascending.
  [[nodiscard]] std::vector<std::uint32_t> leaves_of_sub_blocks(std::uint32_t at) const;
  // The first uplink that leads to another switch; with two levels one to the first spine, or from
  // there to the second.
  [[nodiscard]] std::optional<ChannelId> bounce(std::uint32_t at, ChannelId uplink) const;
  // Of the sources below a switch, one for each uplink.
  [[nodiscard]] std::vector<Match> sources(std::uint32_t at) const;
  [[nodiscard]] bool bounces_back(ChannelId down) const;
  // A child in another sub-block, where frames bounce; nothing: there is none.
  [[nodiscard]] std::optional<ChannelId> bouncing_child(std::uint32_t at, ChannelId output) const;
  // Two levels: the spine of an uplink, counted from 0.
  [[nodiscard]] std::uint32_t spine_of(ChannelId uplink) const;
  [[nodiscard]] FastReroute reroute_by_spines(std::uint32_t at, ChannelId output) const;
  // Uplinks of a leaf to one spine, the one in the place of `like` among parallel links first.
  [[nodiscard]] std::vector<ChannelId> links_to_spine(std::uint32_t leaf, std::uint32_t spine,
                                                      ChannelId like) const;

  bool named_ = false;  // the graph says which Clos it is
  std::uint32_t half_ = 1;
  std::uint32_t levels_ = 2;
  std::vector<std::uint32_t> level_;          // by switch
  std::vector<std::uint32_t> leaf_below_;     // by switch: some leaf of its block
  std::vector<std::uint32_t> spines_;         // two levels: the switches of the upper
  std::vector<std::vector<ChannelId>> down_;  // by switch: by sub-block, then by port
  std::vector<std::vector<ChannelId>> up_;    // by switch: in the order in which load is split
};

ClosTableRouting::ClosTableRouting(const Graph& graph, const AddressPlan& plan)
    : TableRouting(graph, plan) {
  if (const auto clos = topology::clos_parameters(graph.origin())) {
    named_ = true;
    read_family(*clos);
  } else {
    read_leaf_spine(topology::leaf_spine(graph).value());
  }
  for (std::uint32_t s = 0; levels_ == 2 && s < graph.switch_count(); ++s) {
    if (level_[s] == 1) spines_.push_back(s);
  }
  sort_links();
}

void ClosTableRouting::read_family(const Parameters& parameters) {
  half_ = static_cast<std::uint32_t>(parameters.integer("ports") / 2);
  levels_ = static_cast<std::uint32_t>(parameters.integer("levels"));
  const auto leaves = static_cast<std::uint32_t>(plan().access_switches().size());
  for (std::uint32_t s = 0; s < graph().switch_count(); ++s) {
    // The first port of a switch above the leaves goes down, and switches below have been seen.
    const ChannelId first = graph().outputs(graph().switch_node(s)).front();
    const std::uint32_t under = index(graph().target(first));
    level_.push_back(s < leaves ? 0 : level_[under] + 1);
    leaf_below_.push_back(s < leaves ? s : leaf_below_[under]);
  }
}

void ClosTableRouting::read_leaf_spine(const topology::LeafSpine& found) {
  level_.assign(graph().switch_count(), 0);
  leaf_below_.assign(graph().switch_count(), found.leaves.front());
  for (const std::uint32_t leaf : found.leaves) leaf_below_[leaf] = leaf;
  for (const std::uint32_t spine : found.spines) level_[spine] = 1;
}

void ClosTableRouting::sort_links() {
  down_.resize(graph().switch_count());
  up_.resize(graph().switch_count());
  std::uint32_t leaves = 0;
  for (std::uint32_t s = 0; s < graph().switch_count(); ++s) {
    for (const ChannelId output : graph().outputs(graph().switch_node(s))) {
      if (!graph().is_host(graph().target(output)))
        (leads_up(s, output) ? up_ : down_)[s].push_back(output);
    }
    if (level_[s] > 0) {
      std::stable_sort(down_[s].begin(), down_[s].end(), [&](ChannelId a, ChannelId b) {
        const auto of = [&](ChannelId one) {
          return block(leaf_below_[index(graph().target(one))], level_[s] - 1);
        };
        return of(a) < of(b);
      });
    } else if (!named_) {
      // One to each spine, then the second to each, and so on; each leaf begins with another spine.
      const auto place = [&](ChannelId one) {
        const auto before = std::count_if(up_[s].begin(), up_[s].end(), [&](ChannelId other) {
          return other < one && graph().target(other) == graph().target(one);
        });
        return std::tuple(
            before, (spine_of(one) + spines_.size() - leaves % spines_.size()) % spines_.size());
      };
      std::vector<ChannelId> sorted = up_[s];
      std::sort(sorted.begin(), sorted.end(),
                [&](ChannelId a, ChannelId b) { return place(a) < place(b); });
      up_[s] = std::move(sorted);
      ++leaves;
    }
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
  const std::vector<ChannelId>& outputs = down_[at];
  const std::uint32_t level = level_[at] - 1;
  const auto leads_there = [&](ChannelId channel) {
    return block(leaf_below_[index(graph().target(channel))], level) == block(leaf, level);
  };
  const auto first = std::find_if(outputs.begin(), outputs.end(), leads_there);
  return {first, std::find_if_not(first, outputs.end(), leads_there)};
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
  for (const ChannelId channel : down_[at]) {
    const std::uint32_t leaf = leaf_below_[index(graph().target(channel))];
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
  if (levels_ == 2 && spines_.size() > 1)
    return links_to_spine(at, spine_of(uplink) == 0 ? 1 : 0, uplink).front();
  for (const ChannelId other : uplinks(at)) {
    if (graph().target(other) != graph().target(uplink)) return other;
  }
  return std::nullopt;
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

std::uint32_t ClosTableRouting::spine_of(ChannelId uplink) const {
  const auto found =
      std::lower_bound(spines_.begin(), spines_.end(), index(graph().target(uplink)));
  return static_cast<std::uint32_t>(found - spines_.begin());
}

std::vector<ChannelId> ClosTableRouting::links_to_spine(std::uint32_t leaf, std::uint32_t spine,
                                                        ChannelId like) const {
  std::vector<ChannelId> links;
  std::size_t place = 0;
  for (const ChannelId uplink : graph().outputs(graph().switch_node(leaf))) {
    const auto next = graph().target(uplink);
    if (next == graph().switch_node(spines_[spine])) links.push_back(uplink);
    if (next == graph().target(like) && uplink < like) ++place;
  }
  std::rotate(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(place % links.size()),
              links.end());
  return links;
}

FastReroute ClosTableRouting::reroute(std::uint32_t at, ChannelId output) const {
  if (levels_ == 2) return reroute_by_spines(at, output);
  FastReroute made{.output = output};
  if (leads_up(at, output)) {
    made.untagged = instead_of(uplinks(at), output);
    return made;
  }
  made.untagged = instead_of(links_down(at, leaf_below_[index(graph().target(output))]), output);
  if (uplinks(at).empty()) {
    made.back = std::all_of(down_[at].begin(), down_[at].end(),
                            [&](ChannelId down) { return bounces_back(down); });
  } else {
    made.backup = bouncing_child(at, output);
  }
  return made;
}

FastReroute ClosTableRouting::reroute_by_spines(std::uint32_t at, ChannelId output) const {
  FastReroute made{.output = output, .untagged = parallel_links(at, output)};
  if (!leads_up(at, output)) {
    made.back = spines_.size() > 1;
    return made;
  }
  for (const std::uint32_t spine : numbers_instead_of(spine_of(output), spines_.size())) {
    const auto links = links_to_spine(at, spine, output);
    made.untagged.insert(made.untagged.end(), links.begin(), links.end());
  }
  return made;
}

bool ClosTableRouting::bounces_back(ChannelId down) const {
  return bounce(index(graph().target(down)), topology::reverse(down)).has_value();
}

std::optional<ChannelId> ClosTableRouting::bouncing_child(std::uint32_t at,
                                                          ChannelId output) const {
  const std::uint32_t level = level_[at] - 1;
  const auto sub_block = [&](ChannelId down) {
    return block(leaf_below_[index(graph().target(down))], level);
  };
  for (const ChannelId down : down_[at]) {
    if (sub_block(down) != sub_block(output) && bounces_back(down)) return down;
  }
  return std::nullopt;
}

std::vector<ChannelId> ClosTableRouting::core(std::uint32_t at) const {
  std::vector<ChannelId> outputs;
  const auto up = uplinks(at);
  if (levels_ == 2 && !up.empty()) {
    const auto first =
        std::find_if(up.begin(), up.end(), [&](ChannelId uplink) { return spine_of(uplink) == 0; });
    if (first != up.end()) outputs.push_back(links_to_spine(at, 0, *first).front());
  } else if (!up.empty()) {
    outputs.push_back(up.front());
    if (!down_[at].empty()) outputs.push_back(down_[at].front());
  }
  return outputs;
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
