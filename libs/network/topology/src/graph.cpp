// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/graph.hpp"

#include "ebb/core/check.hpp"

#include <fmt/format.h>

#include <limits>

namespace ebb::topology {

std::string_view to_text(Medium medium) {
  switch (medium) {
    case Medium::electrical:
      return "electrical";
    case Medium::optical:
      return "optical";
    case Medium::backplane:
      return "backplane";
  }
  return "?";
}

NodeId Graph::source(ChannelId channel) const {
  const Link& link = links_[index(channel) >> 1U];
  return (index(channel) & 1U) == 0 ? link.a : link.b;
}

std::string Graph::name(NodeId node) const {
  if (!names_.empty()) return names_[index(node)];
  if (!is_host(node)) return fmt::format("s{}", index(node));
  const std::uint32_t number = host_number(node);
  if (interfaces_ == 1) return fmt::format("h{}", number);
  return fmt::format("h{}.{}", number % hosts_of_plane(), number / hosts_of_plane());
}

std::string link_name(const Graph& graph, LinkId link) {
  const Link& ends = graph.link(link);
  std::size_t parallel = 0;
  std::size_t before = 0;
  for (const ChannelId other : graph.outputs(ends.a)) {
    if (graph.target(other) != ends.b) continue;
    ++parallel;
    if (index(link_of(other)) < index(link)) ++before;
  }
  const std::string name = graph.name(ends.a) + "-" + graph.name(ends.b);
  return parallel == 1 ? name : fmt::format("{}.{}", name, before + 1);
}

std::optional<LinkId> link_named(const Graph& graph, std::string_view name) {
  for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
    if (link_name(graph, LinkId{link}) == name) return LinkId{link};
  }
  return std::nullopt;
}

std::size_t Graph::memory_bytes() const {
  std::size_t total = links_.capacity() * sizeof(Link) + outputs_.capacity() * sizeof(ChannelId) +
                      first_output_.capacity() * sizeof(std::uint32_t);
  for (const std::string& name : names_) total += sizeof(std::string) + name.capacity();
  return total;
}

void Graph::lay_cable(LinkId id, Length length, Medium medium) {
  EBB_CHECK(length.count() >= 0 && length.count() <= std::numeric_limits<std::uint32_t>::max(),
            "cable length out of range");
  links_[index(id)].length_mm = static_cast<std::uint32_t>(length.count());
  links_[index(id)].medium = medium;
}

GraphBuilder::GraphBuilder(std::uint32_t switches, std::uint32_t hosts,
                           std::vector<RateTable> rate_tables) {
  EBB_CHECK(!rate_tables.empty(), "a graph needs a rate table");
  graph_.switches_ = switches;
  graph_.hosts_ = hosts;
  graph_.rate_tables_ = std::move(rate_tables);
}

void GraphBuilder::connect(Link link) {
  EBB_CHECK(index(link.a) < graph_.node_count() && index(link.b) < graph_.node_count() &&
                link.a != link.b && link.rate_table < graph_.rate_tables_.size(),
            "a link joins two different nodes of the graph");
  graph_.links_.push_back(link);
}

void GraphBuilder::set_names(std::vector<std::string> names) {
  EBB_CHECK(names.empty() || names.size() == graph_.node_count(), "one name per node, or none");
  graph_.names_ = std::move(names);
}

bool GraphBuilder::are_copies(std::uint32_t planes) const {
  if (planes == 0 || graph_.switches_ % planes != 0 || graph_.hosts_ % planes != 0 ||
      graph_.links_.size() % planes != 0)
    return false;
  const std::size_t links = graph_.links_.size() / planes;
  for (std::size_t l = 0; l < graph_.links_.size(); ++l) {
    const auto plane = static_cast<std::uint32_t>(l / links);
    const auto moved = [&](NodeId node) {
      const bool host = graph_.is_host(node);
      return NodeId{index(node) + plane * (host ? graph_.hosts_ : graph_.switches_) / planes};
    };
    const Link& model = graph_.links_[l % links];
    if (graph_.links_[l].a != moved(model.a) || graph_.links_[l].b != moved(model.b)) return false;
  }
  return true;
}

void GraphBuilder::set_planes(std::uint32_t planes) {
  EBB_CHECK(are_copies(planes), "planes are alike");
  graph_.planes_ = planes;
  graph_.interfaces_ = planes;
}

void GraphBuilder::set_interfaces(std::uint32_t interfaces) {
  EBB_CHECK(interfaces > 0 && interfaces % graph_.planes_ == 0 && graph_.hosts_ % interfaces == 0,
            "hosts are alike in all planes");
  graph_.interfaces_ = interfaces;
}

// A counting sort by node: two passes over the links, no allocation per node.
Graph GraphBuilder::build(Origin origin) && {
  graph_.origin_ = std::move(origin);
  auto& first = graph_.first_output_;
  first.assign(graph_.node_count() + 1, 0);
  for (const Link& link : graph_.links_) {
    ++first[index(link.a) + 1];
    ++first[index(link.b) + 1];
  }
  for (std::size_t node = 1; node < first.size(); ++node) first[node] += first[node - 1];
  graph_.outputs_.resize(graph_.channel_count());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::uint32_t l = 0; l < graph_.link_count(); ++l) {
    const ChannelId channel = forward(LinkId{l});
    graph_.outputs_[next[index(graph_.links_[l].a)]++] = channel;
    graph_.outputs_[next[index(graph_.links_[l].b)]++] = reverse(channel);
  }
  return std::move(graph_);
}

}  // namespace ebb::topology
