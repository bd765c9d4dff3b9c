// SPDX-License-Identifier: Apache-2.0
//
// Small random networks with a load: planes, leaves and groups of different numbers, powers and
// rates. Rates are small numbers of bit/s, so that an exact solver has no large coefficients.
#pragma once

#include "ebb/consolidation/consolidation.hpp"
#include "ebb/core/random.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ebb::consolidation {

struct Case {
  Network network;
  Demand demand;
};

inline std::int64_t between(RandomStream& random, std::int64_t least, std::int64_t most) {
  return least +
         static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most - least + 1)));
}

inline Group random_group(RandomStream& random, std::size_t leaves) {
  Group group{watts(between(random, 100, 300)), watts(between(random, 2, 10)), {}};
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    group.to_leaf.push_back({static_cast<std::uint32_t>(between(random, 1, 3)),
                             bits_per_second(between(random, 1, 4))});
  }
  return group;
}

inline Case random_case(std::uint64_t seed) {
  RandomStream random(seed, "random_case");
  const auto planes = static_cast<std::size_t>(between(random, 1, 4));
  const auto leaves = static_cast<std::size_t>(between(random, 1, 5));
  const auto most_groups = planes > 2 ? 5 : 9;
  Case made;
  for (std::size_t p = 0; p < planes; ++p) {
    Plane& plane = made.network.planes.emplace_back();
    plane.leaves = watts(between(random, 100, 1'000));
    plane.hosts.assign(leaves, bits_per_second(between(random, 20, 40)));
    plane.to_leaves.assign(leaves, bits_per_second(between(random, 0, 2)));
    const auto groups = static_cast<std::size_t>(between(random, 1, most_groups));
    for (std::size_t g = 0; g < groups; ++g) plane.groups.push_back(random_group(random, leaves));
  }
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    const std::int64_t load = between(random, 0, 8 * static_cast<std::int64_t>(planes));
    made.demand.network.push_back(bits_per_second(load));
    made.demand.hosts.push_back(bits_per_second(load + between(random, 0, 4)));
  }
  made.demand.margin = Ratio(between(random, 0, 4), 5);
  return made;
}

}  // namespace ebb::consolidation
