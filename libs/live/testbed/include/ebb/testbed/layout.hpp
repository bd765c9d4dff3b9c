// SPDX-License-Identifier: Apache-2.0
//
// What a network looks like on this machine: a network namespace for each switch and each host,
// ports with names and rates, cables between them. Nothing is made here.
//
// Port p3 of a switch is number 3 in OpenFlow: its third output in the graph, as `ebb rules` counts
// them. The one port of a host is eth0.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/data.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ebb::testbed {

inline constexpr std::uint32_t kMostSwitches = 64;  // each runs two daemons of some 25 MB
inline constexpr std::uint32_t kMostHosts = 256;
inline constexpr std::size_t kMostPorts = 63;
inline constexpr DataRate kFastestPort = gigabits_per_second(10);  // what a veth says it can do

// Letters, digits, - and _, not - first: it begins the names of everything that is made, and is
// safe in paths. As long as names of files may be.
[[nodiscard]] bool is_fabric_name(const std::string& name);
inline constexpr std::size_t kLongestFabricName = 200;

struct HostAddress {
  std::uint64_t mac = 0;   // 48 bits, the first octet highest
  std::uint32_t ipv4 = 0;  // the first octet highest; in 10.0.0.0/8
};

struct Port {
  std::string name;
  DataRate rate;  // the top of the rate table of its link
};

struct Node {
  std::string name;   // in the graph
  std::string space;  // its network namespace
  std::vector<Port> ports;
};

struct End {
  std::size_t node = 0;
  std::size_t port = 0;  // counted from 0
};

struct Cable {
  End a;
  End b;
};

struct Layout {
  std::string name;
  std::size_t switches = 0;
  std::vector<Node> nodes;  // the switches, then the hosts
  std::vector<Cable> cables;
  std::vector<HostAddress> addresses;  // by host

  [[nodiscard]] std::size_t hosts() const { return nodes.size() - switches; }
};

// Why a network cannot be a test fabric: too large for one machine, too fast for software, a host
// without exactly one link. Nothing: it can.
[[nodiscard]] Errors validate_graph(const topology::Graph& graph);
// The part of it that is known before there is a graph.
[[nodiscard]] Errors validate_size(std::int64_t switches, std::int64_t hosts);

// `name` is a fabric name and `graph` fits.
[[nodiscard]] Layout lay_out(std::string name, const topology::Graph& graph,
                             std::vector<HostAddress> addresses);

}  // namespace ebb::testbed
