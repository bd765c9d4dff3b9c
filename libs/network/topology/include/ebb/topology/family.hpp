// SPDX-License-Identifier: Apache-2.0
//
// A family of topologies: a name, a table of parameters, the closed forms and the generator.
// Adding one: a folder under src/, a declaration in families.cpp's list, a test.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/parameters.hpp"
#include "ebb/units/quantity.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::topology {

// What is known of a network from its parameters alone, before a single link exists.
struct Properties {
  std::int64_t hosts = 0;
  std::int64_t interfaces = 1;  // of a host; each is a host node of the graph
  std::int64_t switches = 0;
  std::int64_t links = 0;         // host links included
  std::int64_t switch_ports = 0;  // used on the busiest switch
  // Switch-to-switch links on the longest shortest path between hosts. 0 when all hosts share a
  // switch, and for families without a closed form, as their bisection.
  std::int64_t diameter = 0;
  std::int64_t bisection_links = 0;  // links cut by the best split of the hosts into two halves
                                     // that the family's closed form knows; see `bisection_rule`
  std::string bisection_rule;
  // Share of its host injection that the network sustains under uniform random traffic with ideal
  // routing, as host injection / capacity: 1 or less means full throughput.
  double oversubscription = 0;
  // Optical circuit switches between blocks of switches, a passive layer: ports that are used of
  // each, and circuits, which are links of the network.
  std::int64_t circuit_switches = 0;
  std::int64_t circuit_switch_ports = 0;
  std::int64_t circuits = 0;
  // Address groups of the three-level scheme, equation (1) of "On the Use of Commodity Ethernet
  // Technology in Exascale HPC Systems": groups G, access switches per group S, hosts per access
  // switch T.
  std::int64_t groups = 1;
  std::int64_t access_switches_per_group = 0;
  std::int64_t hosts_per_access_switch = 0;
};

// What a planner asks of a family: shapes for at least `hosts` hosts from switches of `ports`
// ports, with at most this oversubscription under uniform traffic.
struct Demand {
  std::int64_t hosts = 0;
  std::int64_t ports = 0;
  Ratio oversubscription{1, 1};
};

// Switches that look alike: `representative` stands for `count` switches with as many hosts and the
// same distances to all hosts. The orbits of a family cover every switch that bears hosts once.
struct Orbit {
  std::uint32_t representative = 0;
  std::uint64_t count = 0;
};

// Another name that people give a family, with the parameters that this name decides: a leaf-spine
// network is a folded Clos of two levels.
struct Alias {
  std::string name;
  ParameterTexts fixed = {};
};

struct Family {
  std::string name;
  std::vector<Alias> aliases = {};
  std::string summary;
  std::vector<Parameter> parameters;
  // Both refuse impossible shapes with the reason. `build` may rely on `properties` having passed.
  Result<Properties> (*properties)(const Parameters&) = nullptr;
  Graph (*build)(const Parameters&, RateTable) = nullptr;
  // Symmetry that makes exact distances cheap on large networks; null when there is none.
  std::vector<Orbit> (*orbits)(const Parameters&) = nullptr;
  // Good shapes for a demand, fewest switches first within each variant (dimensions, levels); null
  // when the family is not one that a planner proposes. Callers check them with properties().
  std::vector<ParameterTexts> (*designs)(const Demand&) = nullptr;
  // Of the alias by which it was found; `parameters` allow nothing else.
  ParameterTexts fixed = {};
};

// Every family, in the order `ebb list` prints them.
[[nodiscard]] std::span<const Family> families();
// By its name or an alias. What comes back has the family's own name.
[[nodiscard]] Result<const Family*> find_family(std::string_view name);
// The names and then the aliases of all families.
[[nodiscard]] std::vector<std::string> family_names();
// What was given and what the alias fixes: with these the family's own name means the same.
[[nodiscard]] ParameterTexts with_fixed(const Family& family, ParameterTexts given);

// What was given, which the family allows, and the rest as it is when it is not given; `planes`
// only where there are several.
[[nodiscard]] ParameterTexts with_defaults(const Family& family, const ParameterTexts& given);

// Resolves, checks the size against what ebb can hold, and builds. Beside the parameters of the
// family every network has `planes` (graph.hpp), 1 where it is not given.
[[nodiscard]] Result<Properties> properties(std::string_view family,
                                            const ParameterTexts& parameters);
[[nodiscard]] Result<Graph> build(std::string_view family, const ParameterTexts& parameters,
                                  RateTable rate_table);
// Of a graph that a family has made: one of its planes, as a network of its own.
[[nodiscard]] Graph one_plane(const Graph& graph);

// The parameter that all families have.
[[nodiscard]] const Parameter& planes_parameter();

}  // namespace ebb::topology
