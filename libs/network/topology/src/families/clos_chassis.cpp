// SPDX-License-Identifier: Apache-2.0
//
// Folded Clos of chassis, section 2.2 of "Energy Proportional Datacenter Networks". The graph is at
// chip level, because every chip burns power.
//
// A chassis is a non-blocking router built from chips of P ports: P/2 leaf chips with P/2 external
// and P/2 internal ports, and P/4 spine chips with P internal ports. Two backplane links join each
// leaf chip to each spine chip. P = 36 gives 27 chips and 324 external ports. A stage-2 chassis has
// half of its external ports (162) for hosts and half for uplinks; all ports of a stage-3 chassis
// go down. There are ceil(hosts/162) and ceil(hosts/324) of them.
//
// Cabling. Each host has an uplink on its own chip: P/4 hosts and P/4 uplinks per stage-2 leaf
// chip. Uplink u, counted through all chassis, goes to stage-3 chassis u mod n and there to the
// external port u div n, which sits on leaf chip (u div n) mod P/2.
//
// Numbering. Stage-2 chassis first; in each chassis the leaf chips, then the spine chips. Ports of
// a leaf chip: hosts, spine chips ascending (twice each), external links.

#include "families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace ebb::topology::clos_chassis {
namespace {

struct Shape {
  std::int64_t hosts = 0;
  std::int64_t ports = 0;  // of a chip

  [[nodiscard]] std::int64_t leaf_chips() const { return ports / 2; }
  [[nodiscard]] std::int64_t spine_chips() const { return ports / 4; }
  [[nodiscard]] std::int64_t chips() const { return leaf_chips() + spine_chips(); }
  [[nodiscard]] std::int64_t chip_hosts() const { return ports / 4; }
  [[nodiscard]] std::int64_t chassis_hosts() const { return leaf_chips() * chip_hosts(); }
  [[nodiscard]] std::int64_t lower() const { return ceil_div(hosts, chassis_hosts()); }
  [[nodiscard]] std::int64_t upper() const { return ceil_div(hosts, 2 * chassis_hosts()); }
  [[nodiscard]] std::int64_t chassis() const { return lower() + upper(); }
};

Result<Shape> shape_of(const Parameters& parameters) {
  const Shape shape{parameters.integer("hosts"), parameters.integer("chip_ports")};
  if (shape.ports % 4 != 0) {
    return fail(fmt::format("'chip_ports' must be divisible by 4, got {}", shape.ports),
                {.path = "chip_ports"});
  }
  // A full stage-2 chassis must have an uplink to every stage-3 chassis.
  const std::int64_t most = 2 * shape.chassis_hosts() * shape.chassis_hosts();
  if (shape.hosts > most) {
    return fail(fmt::format("chassis of {}-port chips hold at most {} hosts, not {}", shape.ports,
                            most, shape.hosts),
                {.path = "hosts"});
  }
  return shape;
}

// Uplinks first .. first+length-1, counted through all stage-2 chassis.
struct Run {
  std::int64_t first = 0;
  std::int64_t length = 0;
};

// The uplinks of leaf chip number `chip`, counted through the stage-2 chassis.
Run of_chip(const Shape& shape, std::int64_t chip) {
  const std::int64_t first = chip * shape.chip_hosts();
  return {first, std::min(shape.chip_hosts(), shape.hosts - first)};
}

// The uplinks of the chassis in which that chip sits.
Run of_its_chassis(const Shape& shape, std::int64_t chip) {
  const std::int64_t first = chip / shape.leaf_chips() * shape.chassis_hosts();
  return {first, std::min(shape.chassis_hosts(), shape.hosts - first)};
}

// Whether no uplink of `a` is equal to one of `b` modulo n. Modulo the number of stage-3 chassis:
// the runs reach no chassis in common. Times their leaf chips: they reach no chip in common.
bool apart(Run a, Run b, std::int64_t n) {
  const std::int64_t ahead = ((b.first - a.first) % n + n) % n;
  return ahead >= a.length && ahead + b.length <= n;
}

// Six links between two chips of different chassis, unless four will do: over a stage-3 chassis to
// which both have an uplink, or over a stage-3 chip to which one of them has an uplink and the
// other one's chassis too.
bool six_links_apart(const Shape& shape, std::int64_t a, std::int64_t b) {
  const std::int64_t boxes = shape.upper();
  const std::int64_t chips = boxes * shape.leaf_chips();
  return apart(of_chip(shape, a), of_chip(shape, b), boxes) &&
         apart(of_its_chassis(shape, a), of_chip(shape, b), chips) &&
         apart(of_chip(shape, a), of_its_chassis(shape, b), chips);
}

// Hosts on one chip: 0. In one chassis: 2, over a spine. Else 4 or 6, and never more: a chip's
// uplink reaches a stage-3 chassis that also reaches the other host's chassis, because at most one
// chassis is partial. Chips of neighbouring numbers share no stage-3 chip, so not all are 2 apart.
std::int64_t diameter(const Shape& shape) {
  if (shape.hosts <= shape.chip_hosts()) return 0;
  if (shape.lower() == 1) return 2;
  // The last chip of one chassis and the first of the next have runs that follow each other.
  if (shape.upper() >= 2 * shape.chip_hosts()) return 6;
  // Two full chips now always meet in a stage-3 chassis; only the last chip can reach too few.
  const std::int64_t last_chip = (shape.hosts - 1) / shape.chip_hosts();
  for (std::int64_t chip = 0; chip < (shape.lower() - 1) * shape.leaf_chips(); ++chip) {
    if (six_links_apart(shape, chip, last_chip)) return 6;
  }
  return 4;
}

Result<Properties> properties(const Parameters& parameters) {
  const auto shape = shape_of(parameters);
  if (!shape) return fail(shape.error());
  Properties known;
  known.hosts = shape->hosts;
  known.switches = shape->chassis() * shape->chips();
  const std::int64_t inside = 2 * shape->leaf_chips() * shape->spine_chips();
  known.links = 2 * shape->hosts + product({shape->chassis(), inside});
  known.switch_ports = shape->ports;  // a spine chip uses all of them
  known.diameter = diameter(*shape);
  known.bisection_links = shape->hosts / 2;
  known.bisection_rule = "half of the uplinks, one per host: the network is non-blocking";
  known.oversubscription = 1;
  known.groups = shape->lower();
  known.access_switches_per_group = shape->leaf_chips();
  known.hosts_per_access_switch = shape->chip_hosts();
  return known;
}

class Cabling {
 public:
  Cabling(const Shape& shape, GraphBuilder& builder) : shape_(shape), builder_(builder) {}

  void hosts() {
    for (std::int64_t h = 0; h < shape_.hosts; ++h)
      builder_.connect(builder_.host_node(static_cast<std::uint32_t>(h)), lower_chip(h));
  }

  void backplanes() {
    for (std::int64_t box = 0; box < shape_.chassis(); ++box) {
      for (std::int64_t leaf = 0; leaf < shape_.leaf_chips(); ++leaf) {
        for (std::int64_t trace = 0; trace < 2 * shape_.spine_chips(); ++trace) {
          builder_.connect(Link{.a = chip(box, leaf),
                                .b = chip(box, shape_.leaf_chips() + trace / 2),
                                .medium = Medium::backplane});
        }
      }
    }
  }

  void uplinks() {
    const std::int64_t n = shape_.upper();
    for (std::int64_t u = 0; u < shape_.hosts; ++u)
      builder_.connect(lower_chip(u), chip(shape_.lower() + u % n, u / n % shape_.leaf_chips()));
  }

 private:
  [[nodiscard]] NodeId chip(std::int64_t box, std::int64_t number) const {
    return builder_.switch_node(static_cast<std::uint32_t>(box * shape_.chips() + number));
  }

  // Of host h, and of the uplink that goes with it.
  [[nodiscard]] NodeId lower_chip(std::int64_t h) const {
    return chip(h / shape_.chassis_hosts(), h % shape_.chassis_hosts() / shape_.chip_hosts());
  }

  const Shape& shape_;
  GraphBuilder& builder_;
};

Graph build(const Parameters& parameters, RateTable rate_table) {
  const Shape shape = shape_of(parameters).value();
  const Properties known = properties(parameters).value();
  GraphBuilder builder(static_cast<std::uint32_t>(known.switches),
                       static_cast<std::uint32_t>(known.hosts), {std::move(rate_table)});
  builder.reserve(static_cast<std::size_t>(known.links));
  builder.set_chips_per_box(static_cast<std::uint32_t>(shape.chips()));
  Cabling cabling(shape, builder);
  cabling.hosts();
  cabling.backplanes();
  cabling.uplinks();
  return std::move(builder).build({"clos_chassis", parameters.texts()});
}

std::vector<ParameterTexts> designs(const Demand& demand) {
  return {{{"hosts", std::to_string(demand.hosts)}, {"chip_ports", std::to_string(demand.ports)}}};
}

}  // namespace

Family family() {
  return {.name = "clos_chassis",
          .summary = "folded Clos of non-blocking chassis, down to their chips",
          .parameters = {{"hosts", Range<std::int64_t>{1, 1'000'000'000}, std::nullopt,
                          "hosts in the network"},
                         {"chip_ports", Range<std::int64_t>{4, 10'000}, "36",
                          "ports per switch chip, divisible by 4"}},
          .properties = properties,
          .build = build,
          .designs = designs};
}

}  // namespace ebb::topology::clos_chassis
