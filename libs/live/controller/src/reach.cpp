// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/reach.hpp"

#include <algorithm>

namespace ebb::controller {

using topology::ChannelId;
using topology::LinkId;

namespace {

// What becomes of a frame, for those who want its way.
struct Tracks {
  Reach::Way& way;

  void asks(LinkId /*link*/) {}
  void dodges(ChannelId output) { way.dodged.push_back(output); }
  void passes(ChannelId output) { way.channels.push_back(output); }
};

// For those who want to know what it hangs on.
struct Questions {
  std::vector<LinkId>& links;

  void asks(LinkId link) { links.push_back(link); }
  void dodges(ChannelId /*output*/) {}
  void passes(ChannelId /*output*/) {}
};

}  // namespace

Reach::Reach(const topology::Graph& graph, const forwarding::AddressPlan& plan,
             std::span<const forwarding::Table> tables)
    : graph_(graph), plan_(plan) {
  lookups_.reserve(tables.size());
  for (const forwarding::Table& table : tables) lookups_.emplace_back(table, plan);
}

std::optional<Reach::Way> Reach::walk(std::uint32_t from_host, std::uint32_t to_host,
                                      const std::vector<bool>& asleep) const {
  Way way;
  Tracks tracks{way};
  if (!follow(from_host, to_host, {asleep}, tracks)) return std::nullopt;
  return way;
}

bool Reach::arrives(std::uint32_t from_host, std::uint32_t to_host, const Asleep& asleep,
                    std::vector<LinkId>& asked) const {
  asked.clear();
  Questions questions{asked};
  const bool arrived = follow(from_host, to_host, asleep, questions);
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  return arrived;
}

template <class Seen>
bool Reach::follow(std::uint32_t from_host, std::uint32_t to_host, const Asleep& asleep,
                   Seen& seen) const {
  forwarding::Frame frame{graph_.outputs(graph_.host_node(from_host)).front(),
                          plan_.of_host(from_host), plan_.of_host(to_host)};
  // A frame that passes more links than that runs in a circle.
  for (std::size_t passed = 0; passed <= 2 * std::size_t{graph_.switch_count()}; ++passed) {
    const auto output = step(frame, asleep, seen);
    if (!output) return false;
    const auto next = graph_.target(*output);
    if (graph_.is_host(next)) return graph_.host_number(next) == to_host;
    seen.passes(*output);
    frame.input = *output;
  }
  return false;
}

template <class Seen>
std::optional<ChannelId> Reach::step(forwarding::Frame& frame, const Asleep& asleep,
                                     Seen& seen) const {
  const forwarding::Lookup& lookup = lookups_[index(graph_.target(*frame.input))];
  const forwarding::Rule* rule = lookup.rule(frame);
  if (rule == nullptr) return std::nullopt;
  seen.asks(topology::link_of(rule->output));
  if (!asleep(topology::link_of(rule->output))) {
    if (rule->clears) frame.destination &= ~forwarding::kMark;
    return rule->output;
  }
  const auto instead = lookup.table().detour(rule->output);
  if (rule->use != forwarding::Use::conditional || !instead) return std::nullopt;
  seen.asks(topology::link_of(*instead));
  if (asleep(topology::link_of(*instead))) return std::nullopt;
  frame.destination |= forwarding::kMark;
  seen.dodges(rule->output);
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

}  // namespace ebb::controller
