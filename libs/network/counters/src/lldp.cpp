// SPDX-License-Identifier: Apache-2.0
#include "ebb/counters/lldp.hpp"

#include "node_names.hpp"

#include "ebb/core/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

namespace ebb::counters {
namespace {

using topology::ChannelId;
using topology::Graph;
using topology::NodeId;

bool same_text(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  });
}

bool share_a_name(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  return std::any_of(one.begin(), one.end(), [&](const std::string& name) {
    return std::any_of(other.begin(), other.end(),
                       [&](const std::string& another) { return same_text(name, another); });
  });
}

// Numbers in names by their value: eth2 before eth10.
bool natural_less(std::string_view one, std::string_view other) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto number = [&](std::string_view text, std::size_t& at) {
    const std::size_t first = std::min(text.find_first_not_of('0', at), text.size());
    for (at = first; at < text.size() && is_digit(text[at]);) ++at;
    return text.substr(first, at - first);
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < one.size() && j < other.size()) {
    if (is_digit(one[i]) && is_digit(other[j])) {
      const std::string_view a = number(one, i);
      const std::string_view b = number(other, j);
      if (a.size() != b.size()) return a.size() < b.size();
      if (a != b) return a < b;
    } else if (one[i] != other[j]) {
      return one[i] < other[j];
    } else {
      ++i;
      ++j;
    }
  }
  return one.size() - i < other.size() - j;
}

// Of the names of a port one for people: an address is not, if there is another.
std::string port_text(const std::vector<std::string>& names) {
  constexpr std::size_t kAddress = std::string_view("00:00:5e:00:53:01").size();
  for (const std::string& name : names) {
    if (name.size() != kAddress || name[2] != ':' || name[5] != ':') return shown(name);
  }
  return shown(names.front());
}

// Two interfaces at the two ends of a cable. The far one is none when its device has no table.
struct Cable {
  const Neighbour* near = nullptr;
  const Neighbour* far = nullptr;
};

class Agreement {
 public:
  Agreement(const MappingFiles& files, const Graph& graph, const Loads& loads)
      : files_(files), graph_(graph), names_(graph) {
    for (const Track& track : loads.tracks) {
      const auto of = names_.of_interface(track.interface);
      if (of) counted_[of->first].emplace(track.interface, of->second);
    }
    for (const Neighbour& one : files.neighbours) table_[one.device].push_back(&one);
  }

  LldpMapping take() {
    std::size_t nodes = 0;
    for (const Neighbour& one : files_.neighbours) {
      const auto peer = names_.of_device(one.peer);
      if (!peer) continue;  // what is no node, such as a telephone, is no end
      ++nodes;
      look_at(one, *peer);
    }
    if (nodes == 0 && !files_.neighbours.empty()) {
      disagree(fmt::format("no neighbour is a node of the network, such as '{}'",
                           shown(files_.neighbours.front().peer)));
    }
    for (const auto& [ends, cables] : cables_) match_links(ends.first, ends.second, cables);
    for (const NodeId device : files_.devices) {
      for (const auto& [interface, name] : counted_[device]) {
        if (!result_.mapping.contains(interface)) result_.unknown.insert(interface);
      }
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::string text_of(const Neighbour& one) const {
    return graph_.name(one.device) + ":" + port_text(one.interface);
  }
  void disagree(std::string sentence) { result_.disagreements.push_back(std::move(sentence)); }

  // The row of the peer that means the same cable.
  void look_at(const Neighbour& one, NodeId peer) {
    if (!files_.devices.contains(peer)) {
      add_cable({&one, nullptr}, one.device, peer);
      return;
    }
    const Neighbour* other = nullptr;
    for (const Neighbour* const candidate : table_[peer]) {
      if (!share_a_name(one.peer_port, candidate->interface)) continue;
      other = candidate;
      if (names_.of_device(other->peer) == one.device &&
          share_a_name(other->peer_port, one.interface)) {
        // Once for a cable: by the end whose device, or whose row, comes first.
        if (std::pair(one.device, &one) < std::pair(peer, other))
          add_cable({&one, other}, one.device, peer);
        return;
      }
    }
    const std::string sees =
        fmt::format("{} sees {}:{}", text_of(one), graph_.name(peer), port_text(one.peer_port));
    if (other == nullptr) return disagree(sees + ", which sees nobody");
    disagree(
        fmt::format("{}, which sees {}:{}", sees, shown(other->peer), port_text(other->peer_port)));
  }

  void add_cable(Cable cable, NodeId near, NodeId far) { cables_[{near, far}].push_back(cable); }

  // Parallel cables are given to parallel links in the order of their interfaces' names.
  void match_links(NodeId near, NodeId far, std::vector<Cable> cables) {
    std::vector<ChannelId> links;
    for (const ChannelId end : graph_.outputs(near)) {
      if (graph_.target(end) == far) links.push_back(end);
    }
    if (cables.size() > links.size()) {
      return disagree(
          fmt::format("{} and {} are connected {} times, and by {} links of the network",
                      graph_.name(near), graph_.name(far), cables.size(), links.size()));
    }
    std::sort(cables.begin(), cables.end(), [](const Cable& a, const Cable& b) {
      return natural_less(a.near->interface.front(), b.near->interface.front());
    });
    for (std::size_t which = 0; which < cables.size(); ++which) {
      const Cable& cable = cables[which];
      map_end(*cable.near, links[which]);
      if (cable.far != nullptr) {
        map_end(*cable.far, topology::reverse(links[which]));
      } else if (graph_.connects_switches(links[which])) {
        result_.one_sided.push_back(text_of(*cable.near));
      }
    }
  }

  // Of the counted interfaces the one with a name of the row.
  void map_end(const Neighbour& one, ChannelId end) {
    for (const auto& [interface, name] : counted_[one.device]) {
      if (!share_a_name({name}, one.interface)) continue;
      result_.mapping.emplace(interface, end);
      return;
    }
  }

  const MappingFiles& files_;
  const Graph& graph_;
  NodeNames names_;
  // Counted interfaces by device, with their names there: "s0:eth1", "eth1".
  std::map<NodeId, std::map<std::string, std::string>> counted_;
  std::map<NodeId, std::vector<const Neighbour*>> table_;
  std::map<std::pair<NodeId, NodeId>, std::vector<Cable>> cables_;
  LldpMapping result_;
};

}  // namespace

LldpMapping propose_by_lldp(const MappingFiles& files, const Graph& graph, const Loads& loads) {
  return Agreement(files, graph, loads).take();
}

std::string mapping_text(const Mapping& mapping, const Graph& graph) {
  std::string text = "interface,from,to\n";
  for (const auto& [interface, end] : mapping) {
    const NodeId from = graph.source(end);
    const NodeId to = graph.target(end);
    std::uint32_t links = 0;
    std::uint32_t which = 0;
    for (const ChannelId one : graph.outputs(from)) {
      if (graph.target(one) != to) continue;
      ++links;
      if (one == end) which = links;
    }
    text += fmt::format("{},{},{}", interface, graph.name(from), graph.name(to));
    text += links > 1 ? fmt::format(".{}\n", which) : "\n";
  }
  return text;
}

}  // namespace ebb::counters
