// SPDX-License-Identifier: Apache-2.0
//
// Rail-optimised Clos: servers of G GPUs, each with a network card of its own, the host of this
// network. GPUs of one server reach each other over the server's scale-up domain, which is no part
// of the network. A pod is D servers and G leaves: GPU g of each of its servers hangs on leaf g,
// its rail. GPUs with the same number are one switch apart inside a pod; all leaves are joined by
// spines as those of a folded Clos.
//
// Dual-ToR: with `tors` = T a pod has T leaves for each rail, and a card a port on each of them.
// They share spines, so these are not planes: a host has T interfaces in one network (graph.hpp),
// and a message leaves and arrives by those of the same number. Leaves that share no spine, as in
// Alibaba's HPN, are planes: `planes=2` instead of `tors=2`.
//
// Numbering. Host (p D + s) G + g is GPU g of server s of pod p: a server's GPUs follow each other.
// Leaf (p G + g) T + t has interface t of GPU g of each server of pod p, in the order of servers.
// Switches above and links between switches are those of the clos with D ports down and as many
// leaves.
//
// Sources: NVIDIA DGX SuperPOD reference architecture (rail-optimised); Qian et al., "Alibaba HPN:
// A Data Center Network for Large Language Model Training", SIGCOMM 2024 (rails, dual-ToR, planes).

#include "families.hpp"
#include "families/clos_shape.hpp"

#include "ebb/topology/rails.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace ebb::topology::rail_clos {
namespace {

ParameterTexts clos_texts(const Parameters& parameters) {
  const std::int64_t servers = parameters.integer("servers");
  const std::int64_t nodes = product({parameters.integer("pods"), servers,
                                      parameters.integer("gpus"), parameters.integer("tors")});
  return {{"ports", std::to_string(parameters.integer("ports"))},
          {"levels", std::to_string(parameters.integer("levels"))},
          {"hosts", std::to_string(nodes)},
          {"down", std::to_string(servers)}};
}

Result<clos::Shape> shape_of(const Parameters& parameters) {
  if (parameters.integer("servers") >= parameters.integer("ports")) {
    return fail(fmt::format("'servers' = {} leaves no uplink on a leaf of {} ports",
                            parameters.integer("servers"), parameters.integer("ports")),
                {.path = "servers"});
  }
  const auto clos = Parameters::resolve(clos::family().parameters, clos_texts(parameters));
  if (!clos) return fail(clos.error());
  return clos::shape_of(*clos);
}

Result<Properties> properties(const Parameters& parameters) {
  const auto shape = shape_of(parameters);
  if (!shape) return fail(shape.error());
  Properties known = clos::properties_of(*shape);
  known.interfaces = parameters.integer("tors");
  known.hosts = shape->hosts / known.interfaces;
  return known;
}

Graph build(const Parameters& parameters, RateTable rate_table) {
  const clos::Shape shape = shape_of(parameters).value();
  const Properties known = clos::properties_of(shape);
  const Rails rails(parameters);
  GraphBuilder builder(static_cast<std::uint32_t>(known.switches),
                       static_cast<std::uint32_t>(shape.hosts), {std::move(rate_table)});
  builder.reserve(static_cast<std::size_t>(known.links));
  for (std::uint32_t n = 0; n < shape.hosts; ++n)
    builder.connect(builder.host_node(n), builder.switch_node(rails.leaf_of(n)));
  clos::wire_levels(builder, shape);
  builder.set_interfaces(rails.tors());
  return std::move(builder).build({"rail-clos", parameters.texts()});
}

// All leaves have as many hosts.
std::vector<Orbit> orbits(const Parameters& parameters) {
  return clos::orbits_of(shape_of(parameters).value());
}

}  // namespace

Family family() {
  return {.name = "rail-clos",
          .summary = "rail-optimised Clos: each GPU of a server on the leaf of its rail",
          .parameters = {{"ports", Range<std::int64_t>{2, 10'000}, std::nullopt,
                          "ports per switch, even"},
                         {"pods", Range<std::int64_t>{1, 1'000'000}, std::nullopt,
                          "pods, each with a leaf for every rail"},
                         {"servers", Range<std::int64_t>{1, 10'000}, std::nullopt,
                          "servers per pod: host ports of a leaf"},
                         {"gpus", Range<std::int64_t>{1, 1'000}, "8",
                          "GPUs per server, each a host on a rail of its own"},
                         {"tors", Range<std::int64_t>{1, 8}, "1",
                          "leaves of a rail and pod, on each of which a host has an interface"},
                         {"levels", Range<std::int64_t>{2, 4}, "2", "levels of switches"}},
          .properties = properties,
          .build = build,
          .orbits = orbits};
}

}  // namespace ebb::topology::rail_clos

namespace ebb::topology {

Rails::Rails(const Parameters& parameters)
    : servers_(static_cast<std::uint32_t>(parameters.integer("servers"))),
      gpus_(static_cast<std::uint32_t>(parameters.integer("gpus"))),
      tors_(static_cast<std::uint32_t>(parameters.integer("tors"))),
      hosts_(static_cast<std::uint32_t>(parameters.integer("pods")) * servers_ * gpus_) {}

std::optional<Parameters> clos_parameters(const Origin& origin) {
  const auto family = find_family(origin.family);
  if (!family) return std::nullopt;
  const auto own =
      Parameters::resolve((*family)->parameters, split_planes(origin.parameters).of_one);
  if (!own) return std::nullopt;
  if (origin.family == "clos") return *own;
  if (origin.family != "rail-clos") return std::nullopt;
  return Parameters::resolve(clos::family().parameters, rail_clos::clos_texts(*own)).value();
}

}  // namespace ebb::topology
