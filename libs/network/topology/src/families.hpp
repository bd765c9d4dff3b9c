// SPDX-License-Identifier: Apache-2.0
//
// The families that families.cpp lists, and what they share: counts for closed forms that cannot
// overflow, and the numbering of hosts. Each family is one source under families/, which begins
// with what the network is and how its switches, hosts and ports are numbered.
#pragma once

#include "ebb/topology/family.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/quantity.hpp"

#include <cstdint>
#include <initializer_list>

namespace ebb::topology {

// clang-format off
namespace clos { [[nodiscard]] Family family(); }
namespace clos_chassis { [[nodiscard]] Family family(); }
namespace complete { [[nodiscard]] Family family(); }
namespace dragonfly { [[nodiscard]] Family family(); }
namespace dragonfly_plus { [[nodiscard]] Family family(); }
namespace fbfly { [[nodiscard]] Family family(); }
namespace irregular { [[nodiscard]] Family family(); }
namespace jellyfish { [[nodiscard]] Family family(); }
namespace mesh { [[nodiscard]] Family family(); }
namespace polarfly { [[nodiscard]] Family family(); }
namespace rail_clos { [[nodiscard]] Family family(); }
namespace slim_fly { [[nodiscard]] Family family(); }
namespace torus { [[nodiscard]] Family family(); }
namespace tree { [[nodiscard]] Family family(); }
// clang-format on

// Products and sums for closed forms. A user may ask for a network of 10^50 switches; the count
// then sticks at kPlenty, which families.cpp refuses, instead of overflowing. All operands are
// counts: none is negative.
inline constexpr std::int64_t kPlenty = 1'000'000'000'000'000'000;

constexpr std::int64_t saturated(Int128 value) {
  return value > kPlenty ? kPlenty : static_cast<std::int64_t>(value);
}

[[nodiscard]] constexpr std::int64_t product(std::initializer_list<std::int64_t> factors) {
  std::int64_t result = 1;
  for (const std::int64_t factor : factors) result = saturated(Int128{result} * factor);
  return result;
}

[[nodiscard]] constexpr std::int64_t sum(std::initializer_list<std::int64_t> terms) {
  std::int64_t result = 0;
  for (const std::int64_t term : terms) result = saturated(Int128{result} + term);
  return result;
}

[[nodiscard]] constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

// The host numbering that all families share: hosts s*c .. s*c+c-1 hang on switch s. Families call
// this before they join switches, so that the first ports of a switch are those of its hosts.
inline void attach_hosts(GraphBuilder& builder, std::uint32_t hosts, std::uint32_t per_switch) {
  for (std::uint32_t h = 0; h < hosts; ++h)
    builder.connect(builder.host_node(h), builder.switch_node(h / per_switch));
}

// Networks of several planes, made from the network of one: planes.cpp. What was given of a
// network, of which the table of its family and planes_parameter() have allowed all, and of one
// plane.
struct Planes {
  std::uint32_t count = 1;
  ParameterTexts of_one;  // all but `planes`
};
[[nodiscard]] Planes split_planes(const ParameterTexts& given);
[[nodiscard]] Properties properties_of_planes(Properties one, std::uint32_t planes);
[[nodiscard]] Graph graph_of_planes(const Graph& one, std::uint32_t planes);

}  // namespace ebb::topology
