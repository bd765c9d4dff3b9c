// SPDX-License-Identifier: Apache-2.0
//
// The network: switches and hosts joined by links. A link is two directed channels, one each way.
//
// Everything is a flat array of small integers: 300,000 hosts and a million links take some tens of
// megabytes. There are no node objects and no strings per element; coordinates are computed from
// indices by the family that made the graph. Parallel links are ordinary.
//
// Numbering. Nodes: switches are 0..switches-1, hosts follow. Channels: link l carries channel 2l
// from its end `a` to its end `b`, and channel 2l+1 back. The ports of a node are numbered in the
// order in which its links were added. A Graph never changes after GraphBuilder has made it, except
// for where its cables run (place_cables).
//
// Planes. A network of P planes is P networks that are alike and share their hosts: a host has an
// interface in each, and no link leads from one plane to another. Every interface is a host node of
// its own, with one link: that of host h in plane p is host node p * H + h, H hosts being there in
// all. Switches and links are numbered plane by plane too.
//
// Interfaces. A host can also have several interfaces in one plane, on switches that are joined: I
// of them, numbered in the same way, so that host h has the host nodes h, H + h, 2 H + h, ...,
// those of the first plane first. Elsewhere a host has one interface, which is the host.
#pragma once

#include "ebb/units/data.hpp"
#include "ebb/units/quantity.hpp"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::topology {

enum class NodeId : std::uint32_t {};
enum class LinkId : std::uint32_t {};
enum class ChannelId : std::uint32_t {};

constexpr std::uint32_t index(NodeId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(LinkId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(ChannelId id) { return static_cast<std::uint32_t>(id); }

constexpr ChannelId reverse(ChannelId channel) { return ChannelId{index(channel) ^ 1U}; }
constexpr LinkId link_of(ChannelId channel) { return LinkId{index(channel) >> 1U}; }
constexpr ChannelId forward(LinkId link) { return ChannelId{index(link) << 1U}; }

// A backplane trace is neither bought nor laid as a cable: chips of one chassis are joined by it.
enum class Medium : std::uint8_t { electrical, optical, backplane };
[[nodiscard]] std::string_view to_text(Medium medium);

// The rates a link can run at, ascending; the last is its full rate.
using RateTable = std::vector<DataRate>;

struct Link {
  NodeId a{};
  NodeId b{};
  std::uint32_t length_mm = 0;  // 0: not laid yet
  Medium medium = Medium::electrical;
  std::uint8_t rate_table = 0;  // index into Graph::rate tables()

  bool operator==(const Link&) const = default;
  [[nodiscard]] Length length() const { return millimetres(length_mm); }
};

// What made the graph, so that routing can compute coordinates and a file can say where it is from.
struct Origin {
  std::string family;  // "imported" for graphs read from a file without one
  std::vector<std::pair<std::string, std::string>> parameters;  // resolved, in the family's order

  bool operator==(const Origin&) const = default;
};

class Graph {
 public:
  [[nodiscard]] std::uint32_t switch_count() const { return switches_; }
  [[nodiscard]] std::uint32_t host_count() const { return hosts_; }
  [[nodiscard]] std::uint32_t node_count() const { return switches_ + hosts_; }
  [[nodiscard]] std::uint32_t link_count() const {
    return static_cast<std::uint32_t>(links_.size());
  }
  [[nodiscard]] std::uint32_t channel_count() const { return 2 * link_count(); }

  [[nodiscard]] NodeId switch_node(std::uint32_t i) const { return NodeId{i}; }
  [[nodiscard]] NodeId host_node(std::uint32_t i) const { return NodeId{switches_ + i}; }
  [[nodiscard]] bool is_host(NodeId node) const { return index(node) >= switches_; }
  [[nodiscard]] std::uint32_t host_number(NodeId node) const { return index(node) - switches_; }

  [[nodiscard]] const Link& link(LinkId id) const { return links_[index(id)]; }
  [[nodiscard]] std::span<const Link> links() const { return links_; }
  [[nodiscard]] std::span<const RateTable> rate_tables() const { return rate_tables_; }
  [[nodiscard]] const RateTable& rate_table(const Link& link) const {
    return rate_tables_[link.rate_table];
  }
  [[nodiscard]] DataRate full_rate(const Link& link) const { return rate_table(link).back(); }

  [[nodiscard]] NodeId source(ChannelId channel) const;
  [[nodiscard]] NodeId target(ChannelId channel) const { return source(reverse(channel)); }

  // Whether both ends of a link, or of a channel, are switches.
  [[nodiscard]] bool connects_switches(const Link& link) const {
    return !is_host(link.a) && !is_host(link.b);
  }
  [[nodiscard]] bool connects_switches(LinkId id) const { return connects_switches(link(id)); }
  [[nodiscard]] bool connects_switches(ChannelId channel) const {
    return connects_switches(link_of(channel));
  }

  // The channels that leave a node, in port order.
  [[nodiscard]] std::span<const ChannelId> outputs(NodeId node) const {
    const std::uint32_t begin = first_output_[index(node)];
    const std::uint32_t end = first_output_[index(node) + 1];
    return std::span(outputs_).subspan(begin, end - begin);
  }

  // Planes, the interfaces of a host in all of them together, the hosts that share the planes, and
  // what each plane has.
  [[nodiscard]] std::uint32_t planes() const { return planes_; }
  [[nodiscard]] std::uint32_t interfaces() const { return interfaces_; }
  [[nodiscard]] std::uint32_t hosts_of_plane() const { return hosts_ / interfaces_; }
  [[nodiscard]] std::uint32_t host_nodes_of_plane() const { return hosts_ / planes_; }
  [[nodiscard]] std::uint32_t switches_of_plane() const { return switches_ / planes_; }
  [[nodiscard]] std::uint32_t plane_of(ChannelId channel) const {
    return index(channel) / (channel_count() / planes_);
  }

  // Switch chips per chassis; switch s sits in chassis s / chips_per_box().
  [[nodiscard]] std::uint32_t chips_per_box() const { return chips_per_box_; }

  // "s12", "h7", or the name the user gave in a graph file.
  [[nodiscard]] std::string name(NodeId node) const;
  // Empty, or one name per node.
  [[nodiscard]] std::span<const std::string> names() const { return names_; }

  [[nodiscard]] const Origin& origin() const { return origin_; }

  // Bytes held, for scale tests.
  [[nodiscard]] std::size_t memory_bytes() const;

  // Sets where the cable of a link runs; the only thing about a graph that can change.
  void lay_cable(LinkId id, Length length, Medium medium);

  bool operator==(const Graph&) const = default;

 private:
  friend class GraphBuilder;

  std::uint32_t switches_ = 0;
  std::uint32_t hosts_ = 0;
  std::uint32_t planes_ = 1;
  std::uint32_t interfaces_ = 1;
  std::uint32_t chips_per_box_ = 1;
  std::vector<Link> links_;
  std::vector<RateTable> rate_tables_;
  std::vector<std::uint32_t>
      first_output_;  // node -> first index in outputs_, and one past the end
  std::vector<ChannelId> outputs_;
  std::vector<std::string> names_;
  Origin origin_;
};

// Collects links, then orders them by node once.
//
//   GraphBuilder builder(switches, hosts, {rate table});
//   builder.connect(builder.switch_node(0), builder.host_node(0));
//   Graph graph = std::move(builder).build(origin);
class GraphBuilder {
 public:
  // `rate_tables` must not be empty: links use rate table 0 unless told otherwise.
  GraphBuilder(std::uint32_t switches, std::uint32_t hosts, std::vector<RateTable> rate_tables);

  [[nodiscard]] NodeId switch_node(std::uint32_t i) const { return graph_.switch_node(i); }
  [[nodiscard]] NodeId host_node(std::uint32_t i) const { return graph_.host_node(i); }

  void reserve(std::size_t links) { graph_.links_.reserve(links); }
  void connect(NodeId a, NodeId b) { connect(Link{a, b}); }
  void connect(Link link);
  void set_chips_per_box(std::uint32_t chips) { graph_.chips_per_box_ = chips; }
  void set_names(std::vector<std::string> names);
  // What has been added is that of all planes, one after the other. They must be copies of the
  // first.
  [[nodiscard]] bool are_copies(std::uint32_t planes) const;
  void set_planes(std::uint32_t planes);
  // Of a host, in all planes together: as many host nodes are one host. After set_planes.
  void set_interfaces(std::uint32_t interfaces);

  [[nodiscard]] Graph build(Origin origin) &&;

 private:
  Graph graph_;
};

// "s1-s2", and with its number where links are parallel: "s1-s2.1".
[[nodiscard]] std::string link_name(const Graph& graph, LinkId link);
// Nothing: there is none of that name.
[[nodiscard]] std::optional<LinkId> link_named(const Graph& graph, std::string_view name);

// The graph for other tools: DOT for Graphviz, GraphML for networkx, Gephi and yEd. Nodes carry
// their kind, links their medium, length in metres (0: not laid) and full rate. Written link by
// link, so the text of a large network is never held in memory.
void to_dot(std::ostream& out, const Graph& graph);
void to_graphml(std::ostream& out, const Graph& graph);

}  // namespace ebb::topology
