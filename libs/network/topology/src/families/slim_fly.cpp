// SPDX-License-Identifier: Apache-2.0
//
// Slim Fly: the graphs of McKay, Miller and Siran (MMS) as in "Slim Fly: A Cost Effective
// Low-Diameter Network Topology" (Besta and Hoefler, SC 2014). A prime power q = 4w + d with d in
// {-1, 0, 1} gives 2 q^2 switches of degree (3q - d) / 2 and diameter 2.
//
// Switches are (0, x, y) and (1, m, c) with x, y, m, c in GF(q):
//
//   (0, x, y) - (0, x, y')  where y - y' is in X
//   (1, m, c) - (1, m, c')  where c - c' is in X'
//   (0, x, y) - (1, m, c)   where y = m x + c
//
// With a primitive element g, X has the even powers 1, g^2, ... and X' the odd powers g, g^3, ...:
// (q - d) / 2 of them, and for d = -1 half as many with their negatives. Both sets hold with an
// element its negative, so links have no direction.
//
// Three kinds of maps turn the network onto itself: y -> y + b with c -> c + b; x -> x + a with
// c -> c - m a; m -> m + e with y -> y + e x. They move every switch (0, x, y) onto every other of
// them, and every (1, m, c) likewise: two orbits.
//
// Numbering. Switch k q^2 + i q + j is (k, i, j), elements numbered as in galois_field.hpp; hosts
// p*s .. p*s+p-1 are those of switch s. Ports of a switch: hosts, the switches of its own kind
// ascending, then those of the other kind ascending.

#include "families.hpp"
#include "families/diameter_two.hpp"
#include "families/galois_field.hpp"

#include <algorithm>
#include <vector>

namespace ebb::topology::slim_fly {
namespace {

using diameter_two::Structure;

std::int64_t remainder(std::int64_t q) { return q % 4 == 3 ? -1 : q % 4; }

Result<Structure> structure_of(std::int64_t q) {
  if (auto order = diameter_two::check_order(q); !order) return fail(order.error());
  if (q == 2) return fail("'q' must be 4w-1, 4w or 4w+1, got 2; 3 is the least", {.path = "q"});
  const std::int64_t degree = (3 * q - remainder(q)) / 2;
  const std::int64_t switches = 2 * q * q;
  return Structure{.switches = switches, .degree = degree, .ends = switches * degree};
}

Structure structure_of(const Parameters& parameters) {
  return structure_of(parameters.integer("q")).value();
}

// The switches of one kind with the same i are a column. Columns of different kinds share q links.
// Half of the columns of both kinds, with an odd q one less of the first kind and one more of the
// second, against the rest: q (a (q - b) + (q - a) b) links for a and b columns.
std::int64_t bisection(std::int64_t q) {
  const std::int64_t a = q / 2;
  const std::int64_t b = q - a;
  return product({q, a * (q - b) + (q - a) * b});
}

Result<Properties> properties(const Parameters& parameters) {
  const std::int64_t q = parameters.integer("q");
  const auto structure = structure_of(q);
  if (!structure) return fail(structure.error());
  Properties known = diameter_two::properties(parameters, *structure);
  known.bisection_links = bisection(q);
  known.bisection_rule = "links between half of the columns of both kinds and the rest";
  return known;
}

// X or X'.
std::vector<std::uint32_t> generators(const GaloisField& field, std::uint32_t kind) {
  const std::uint32_t q = field.order();
  const std::int64_t d = remainder(q);
  const auto count = static_cast<std::uint32_t>((q - d) / (d == -1 ? 4 : 2));
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < count; ++i) {
    found.push_back(field.power(kind + 2 * i));
    if (d == -1) found.push_back(field.negative(found.back()));
  }
  return found;
}

// The elements above `y` from which it differs by a generator, ascending.
std::vector<std::uint32_t> joined_above(const GaloisField& field, std::uint32_t y,
                                        const std::vector<std::uint32_t>& differences) {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t difference : differences) {
    const std::uint32_t other = field.add(y, difference);
    if (other > y) found.push_back(other);
  }
  std::sort(found.begin(), found.end());
  return found;
}

void join_columns(GraphBuilder& builder, const GaloisField& field) {
  const std::uint32_t q = field.order();
  for (std::uint32_t column = 0; column < 2 * q; ++column) {
    const auto differences = generators(field, column / q);
    for (std::uint32_t y = 0; y < q; ++y) {
      for (const std::uint32_t other : joined_above(field, y, differences)) {
        builder.connect(builder.switch_node(column * q + y),
                        builder.switch_node(column * q + other));
      }
    }
  }
}

void join_kinds(GraphBuilder& builder, const GaloisField& field) {
  const std::uint32_t q = field.order();
  for (std::uint32_t s = 0; s < q * q; ++s) {
    for (std::uint32_t m = 0; m < q; ++m) {
      const std::uint32_t c = field.subtract(s % q, field.multiply(m, s / q));
      builder.connect(builder.switch_node(s), builder.switch_node(q * q + m * q + c));
    }
  }
}

Graph build(const Parameters& parameters, RateTable rate_table) {
  const Properties known = properties(parameters).value();
  const auto hosts = static_cast<std::uint32_t>(known.hosts);
  GraphBuilder builder(static_cast<std::uint32_t>(known.switches), hosts, {std::move(rate_table)});
  builder.reserve(static_cast<std::size_t>(known.links));
  attach_hosts(builder, hosts, static_cast<std::uint32_t>(known.hosts_per_access_switch));
  const GaloisField field(static_cast<std::uint32_t>(parameters.integer("q")));
  join_columns(builder, field);
  join_kinds(builder, field);
  return std::move(builder).build({"slim-fly", parameters.texts()});
}

std::vector<Orbit> orbits(const Parameters& parameters) {
  const auto half = static_cast<std::uint32_t>(structure_of(parameters).switches / 2);
  return {{0, half}, {half, half}};
}

std::vector<ParameterTexts> designs(const Demand& demand) {
  return diameter_two::designs(demand, structure_of);
}

}  // namespace

Family family() {
  return {.name = "slim-fly",
          .aliases = {{"slimfly"}},
          .summary = "Slim Fly: MMS graphs, 2 q^2 switches of diameter 2",
          .parameters = diameter_two::parameters(),
          .properties = properties,
          .build = build,
          .orbits = orbits,
          .designs = designs};
}

}  // namespace ebb::topology::slim_fly
