// SPDX-License-Identifier: Apache-2.0
//
// Networks of several planes, made from the network of one (graph.hpp says how they are numbered).
#include "families.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace ebb::topology {

const Parameter& planes_parameter() {
  static const Parameter kPlanes = {"planes", Range<std::int64_t>{1, 64}, "1",
                                    "planes that are alike; a host has an interface in each"};
  return kPlanes;
}

Planes split_planes(const ParameterTexts& given) {
  Planes planes;
  for (const auto& [name, text] : given) {
    if (name == planes_parameter().name) {
      planes.count = static_cast<std::uint32_t>(std::stoul(text));
    } else {
      planes.of_one.emplace_back(name, text);
    }
  }
  return planes;
}

ParameterTexts with_defaults(const Family& family, const ParameterTexts& given) {
  const Planes planes = split_planes(given);
  ParameterTexts all = Parameters::resolve(family.parameters, planes.of_one).value().texts();
  if (planes.count > 1) all.emplace_back(planes_parameter().name, std::to_string(planes.count));
  return all;
}

// Hosts, distances and oversubscription are those of one plane; the rest is there once per plane.
Properties properties_of_planes(Properties one, std::uint32_t planes) {
  if (planes == 1) return one;
  one.switches = product({one.switches, planes});
  one.links = product({one.links, planes});
  one.interfaces = product({one.interfaces, planes});
  one.circuit_switches = product({one.circuit_switches, planes});
  one.circuits = product({one.circuits, planes});
  one.bisection_links = product({one.bisection_links, planes});
  one.bisection_rule += fmt::format(", in each of {} planes", planes);
  return one;
}

Graph graph_of_planes(const Graph& one, std::uint32_t planes) {
  const std::uint32_t switches = one.switch_count() * planes;
  GraphBuilder builder(switches, one.host_count() * planes,
                       {one.rate_tables().begin(), one.rate_tables().end()});
  builder.reserve(one.links().size() * planes);
  builder.set_chips_per_box(one.chips_per_box());
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    const auto moved = [&](NodeId node) {
      if (!one.is_host(node)) return NodeId{plane * one.switch_count() + index(node)};
      return NodeId{switches + plane * one.host_count() + one.host_number(node)};
    };
    for (Link link : one.links()) {
      link.a = moved(link.a);
      link.b = moved(link.b);
      builder.connect(link);
    }
  }
  builder.set_planes(planes);
  builder.set_interfaces(planes * one.interfaces());
  Origin origin = one.origin();
  origin.parameters.emplace_back(planes_parameter().name, std::to_string(planes));
  return std::move(builder).build(std::move(origin));
}

Graph one_plane(const Graph& graph) {
  const Planes planes = split_planes(graph.origin().parameters);
  return build(graph.origin().family, planes.of_one, graph.rate_tables().front()).value();
}

}  // namespace ebb::topology
