// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/rings.hpp"

#include "ebb/topology/family.hpp"

#include <algorithm>

namespace ebb::topology {
namespace {

// From one switch to another that differs in one coordinate.
RingDirection direction(std::uint32_t from, std::uint32_t to,
                        const std::vector<std::int64_t>& dims) {
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const auto k = static_cast<std::uint32_t>(dims[d]);
    const std::uint32_t x = from % k;
    const std::uint32_t y = to % k;
    if (x != y) {
      const bool up = y == (x + 1) % k;
      return RingDirection{static_cast<std::uint8_t>(2 * d + (up ? 1 : 0))};
    }
    from /= k;
    to /= k;
  }
  return kOffRings;
}

}  // namespace

Result<std::vector<RingDirection>> ring_directions(const Graph& graph) {
  if (graph.origin().family != "torus")
    return fail("rings are those of the family 'torus', not of '" + graph.origin().family + "'");
  const auto family = find_family("torus");
  const auto parameters = Parameters::resolve((*family)->parameters, graph.origin().parameters);
  if (!parameters) return fail(parameters.error());
  const auto& parallel = parameters->list("parallel");
  if (std::any_of(parallel.begin(), parallel.end(), [](std::int64_t links) { return links > 1; }))
    return fail("a torus with parallel links has no rings of single links");
  std::vector<RingDirection> directions(graph.channel_count(), kOffRings);
  for (std::uint32_t number = 0; number < graph.channel_count(); ++number) {
    const ChannelId channel{number};
    const NodeId from = graph.source(channel);
    const NodeId to = graph.target(channel);
    if (!graph.is_host(from) && !graph.is_host(to))
      directions[number] = direction(index(from), index(to), parameters->list("dims"));
  }
  return directions;
}

}  // namespace ebb::topology
