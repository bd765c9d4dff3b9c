// SPDX-License-Identifier: Apache-2.0
//
// PolarFly: the polarity graph ER_q of Erdos and Renyi as in "PolarFly: A Cost-Effective and
// Flexible Low-Diameter Topology" (Lakhotia et al., SC 2022). Switches are the q^2 + q + 1 points
// of the projective plane over GF(q); two are joined where their vectors are orthogonal. Any two
// points have a third that is orthogonal to both, so the diameter is 2.
//
// A point has q + 1 points that are orthogonal to it. Of the q + 1 quadrics it is one itself; they
// have q links and all other switches q + 1. With a diameter of 2 the degree of a switch decides
// how many others are one and two links away, so all quadrics have the same distances, and so have
// all others.
//
// Numbering. Vectors have 1 as the first coordinate that is not 0. Switch 0 is (0, 0, 1), switch
// 1 + z is (0, 1, z), switch 1 + q + q y + z is (1, y, z), elements numbered as in
// galois_field.hpp; hosts p*s .. p*s+p-1 are those of switch s. Ports of a switch: hosts, then the
// other switches ascending.

#include "families.hpp"
#include "families/diameter_two.hpp"
#include "families/galois_field.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace ebb::topology::polarfly {
namespace {

using diameter_two::Structure;
using Vector = std::array<std::uint32_t, 3>;

Result<Structure> structure_of(std::int64_t q) {
  if (auto order = diameter_two::check_order(q); !order) return fail(order.error());
  return Structure{.switches = q * q + q + 1, .degree = q + 1, .ends = (q * q + q) * (q + 1)};
}

Result<Properties> properties(const Parameters& parameters) {
  const auto structure = structure_of(parameters.integer("q"));
  if (!structure) return fail(structure.error());
  Properties known = diameter_two::properties(parameters, *structure);
  known.bisection_rule = "no closed form";
  return known;
}

class Plane {
 public:
  explicit Plane(std::int64_t q) : field_(static_cast<std::uint32_t>(q)) {}

  [[nodiscard]] std::uint32_t points() const { return 1 + q() + q() * q(); }

  [[nodiscard]] Vector vector(std::uint32_t point) const {
    if (point == 0) return {0, 0, 1};
    if (point <= q()) return {0, 1, point - 1};
    return {1, (point - 1 - q()) / q(), (point - 1 - q()) % q()};
  }

  // The points (1, y, z) and (0, 1, z) on the line a + b y + c z = 0 and b + c z = 0, and (0, 0, 1)
  // where c is 0; ascending.
  [[nodiscard]] std::vector<std::uint32_t> orthogonal(std::uint32_t point) const {
    const auto [a, b, c] = vector(point);
    std::vector<std::uint32_t> found;
    if (c != 0) {
      const std::uint32_t factor = field_.negative(field_.inverse(c));
      found.push_back(1 + field_.multiply(factor, b));
      for (std::uint32_t y = 0; y < q(); ++y)
        found.push_back(affine(y, field_.multiply(factor, field_.add(a, field_.multiply(b, y)))));
      return found;
    }
    found.push_back(0);
    const std::uint32_t y = b == 0 ? 0 : field_.multiply(field_.negative(a), field_.inverse(b));
    for (std::uint32_t z = 0; z < q(); ++z) found.push_back(b == 0 ? 1 + z : affine(y, z));
    return found;
  }

  [[nodiscard]] bool is_quadric(std::uint32_t point) const {
    std::uint32_t total = 0;
    for (const std::uint32_t one : vector(point))
      total = field_.add(total, field_.multiply(one, one));
    return total == 0;
  }

 private:
  [[nodiscard]] std::uint32_t q() const { return field_.order(); }
  [[nodiscard]] std::uint32_t affine(std::uint32_t y, std::uint32_t z) const {
    return 1 + q() + q() * y + z;
  }

  GaloisField field_;
};

Graph build(const Parameters& parameters, RateTable rate_table) {
  const Properties known = properties(parameters).value();
  const auto hosts = static_cast<std::uint32_t>(known.hosts);
  const Plane plane(parameters.integer("q"));
  GraphBuilder builder(plane.points(), hosts, {std::move(rate_table)});
  builder.reserve(static_cast<std::size_t>(known.links));
  attach_hosts(builder, hosts, static_cast<std::uint32_t>(known.hosts_per_access_switch));
  for (std::uint32_t s = 0; s < plane.points(); ++s) {
    for (const std::uint32_t other : plane.orthogonal(s)) {
      if (other > s) builder.connect(builder.switch_node(s), builder.switch_node(other));
    }
  }
  return std::move(builder).build({"polarfly", parameters.texts()});
}

// Switch 0, whose vector has the square 1, is no quadric.
std::vector<Orbit> orbits(const Parameters& parameters) {
  const Plane plane(parameters.integer("q"));
  std::uint32_t quadric = 0;
  while (!plane.is_quadric(quadric)) ++quadric;
  const auto quadrics = static_cast<std::uint64_t>(parameters.integer("q") + 1);
  return {{0, plane.points() - quadrics}, {quadric, quadrics}};
}

std::vector<ParameterTexts> designs(const Demand& demand) {
  return diameter_two::designs(demand, structure_of);
}

}  // namespace

Family family() {
  return {.name = "polarfly",
          .summary = "PolarFly: points of a projective plane, diameter 2",
          .parameters = diameter_two::parameters(),
          .properties = properties,
          .build = build,
          .orbits = orbits,
          .designs = designs};
}

}  // namespace ebb::topology::polarfly
