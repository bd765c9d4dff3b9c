// SPDX-License-Identifier: Apache-2.0
#include "fbfly/fbfly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ebb::topology::fbfly {
namespace {

struct Shape {
  std::int64_t hosts_per_switch = 0;
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> parallel;  // links between a pair of switches, per dimension

  [[nodiscard]] std::int64_t switches() const {
    // Saturates far above any network that is accepted, so that no product of it with the largest
    // radix, host count and number of parallel links overflows.
    constexpr std::int64_t kEnough = 1'000'000'000;
    std::int64_t product = 1;
    for (const std::int64_t k : dims) product = std::min(kEnough, product * k);
    return product;
  }
};

Result<Shape> shape_of(const Parameters& parameters) {
  Shape shape{parameters.integer("hosts"), parameters.list("dims"), parameters.list("parallel")};
  if (shape.parallel.size() == 1) shape.parallel.resize(shape.dims.size(), shape.parallel.front());
  if (shape.parallel.size() != shape.dims.size()) {
    return fail(
        fmt::format("'parallel' has {} entries for {} dimensions; give one, or one per dimension",
                    shape.parallel.size(), shape.dims.size()),
        {.path = "parallel"});
  }
  return shape;
}

// Links cut by halving dimension d: every line of k switches loses floor(k/2)*ceil(k/2) pairs.
std::int64_t cut_along(const Shape& shape, std::size_t d) {
  const std::int64_t k = shape.dims[d];
  return (k / 2) * (k - k / 2) * shape.parallel[d] * (shape.switches() / k);
}

Result<Figures> figures(const Parameters& parameters) {
  const auto shape = shape_of(parameters);
  if (!shape) return fail(shape.error());
  Figures known;
  known.switches = shape->switches();
  known.hosts = known.switches * shape->hosts_per_switch;
  known.switch_ports = shape->hosts_per_switch;
  known.links = known.hosts;
  known.bisection_rule = "smallest cut that halves one dimension";
  known.hosts_per_access_switch = shape->hosts_per_switch;
  known.access_switches_per_group = shape->dims.front();
  known.groups = known.switches / shape->dims.front();
  for (std::size_t d = 0; d < shape->dims.size(); ++d) {
    const std::int64_t k = shape->dims[d];
    const std::int64_t m = shape->parallel[d];
    known.switch_ports += (k - 1) * m;
    known.links += known.switches / 2 * (k - 1) * m + (known.switches % 2) * (k - 1) * m / 2;
    known.diameter += k > 1 ? 1 : 0;
    if (k < 2) continue;
    const std::int64_t cut = cut_along(*shape, d);
    known.bisection_links = known.bisection_links == 0 ? cut : std::min(known.bisection_links, cut);
    // Uniform traffic sends 1/k of a switch's c hosts to each coordinate: channel load c/k over m
    // links.
    known.oversubscription =
        std::max(known.oversubscription,
                 static_cast<double>(shape->hosts_per_switch) / static_cast<double>(k * m));
  }
  return known;
}

Graph build(const Parameters& parameters, RateLadder ladder) {
  const Shape shape = shape_of(parameters).value();
  const auto switches = static_cast<std::uint32_t>(shape.switches());
  const auto c = static_cast<std::uint32_t>(shape.hosts_per_switch);
  GraphBuilder builder(switches, switches * c, {std::move(ladder)});
  builder.reserve(static_cast<std::size_t>(figures(parameters)->links));
  for (std::uint32_t h = 0; h < switches * c; ++h)
    builder.connect(builder.host_node(h), builder.switch_node(h / c));
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < shape.dims.size(); ++d) {
    const auto k = static_cast<std::uint32_t>(shape.dims[d]);
    for (std::uint32_t s = 0; s < switches; ++s) {
      const std::uint32_t x = s / stride % k;
      for (std::uint32_t y = x + 1; y < k; ++y) {
        for (std::int64_t m = 0; m < shape.parallel[d]; ++m) {
          builder.connect(builder.switch_node(s), builder.switch_node(s + (y - x) * stride));
        }
      }
    }
    stride *= k;
  }
  return std::move(builder).build({"fbfly", parameters.texts()});
}

// Every switch can be moved onto every other by shifting coordinates.
std::vector<Orbit> orbits(const Parameters& parameters) {
  return {{0, static_cast<std::uint64_t>(shape_of(parameters)->switches())}};
}

}  // namespace

Family family() {
  return {.name = "fbfly",
          .summary = "flattened butterfly / HyperX: all-to-all along every dimension",
          .parameters = {{"hosts", ParameterKind::integer, 1, 100'000, std::nullopt,
                          "hosts per switch"},
                         {"dims", ParameterKind::list, 1, 100'000, std::nullopt,
                          "switches along each dimension, as 8x8x8x8"},
                         {"parallel", ParameterKind::list, 1, 1'000, "1",
                          "links between two switches, one for all or one per dimension"}},
          .figures = figures,
          .build = build,
          .orbits = orbits};
}

}  // namespace ebb::topology::fbfly
