// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/check.hpp"

#include <fmt/format.h>

#include <optional>

namespace ebb::forwarding {
namespace {

using topology::Graph;

bool meet(const Match& a, const Match& b) { return ((a.value ^ b.value) & a.mask & b.mask) == 0; }

bool meet(const Rule& a, const Rule& b) {
  const bool inputs = !a.input || !b.input || a.input == b.input;
  return inputs && meet(a.destination, b.destination) && meet(a.source, b.source);
}

// They are asked in different rounds.
bool compete(const Rule& a, const Rule& b) {
  return (a.use == Use::alternative) == (b.use == Use::alternative);
}

bool treat_alike(const Rule& a, const Rule& b) {
  return a.output == b.output && a.use == b.use && a.cos == b.cos;
}

// A host whose address both match, marked or not.
std::optional<std::uint32_t> common_host(const Graph& graph, const AddressPlan& plan, Match a,
                                         Match b) {
  for (Match* match : {&a, &b}) *match = {match->value & ~kMark, match->mask & ~kMark};
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const Address address = plan.of_host(h);
    if (a.matches(address) && b.matches(address)) return h;
  }
  return std::nullopt;
}

}  // namespace

Errors ambiguities(const Graph& graph, const AddressPlan& plan, const Table& table) {
  Errors errors;
  for (std::size_t i = 0; i < table.rules.size(); ++i) {
    const Rule& a = table.rules[i];
    for (std::size_t j = i + 1; j < table.rules.size(); ++j) {
      const Rule& b = table.rules[j];
      if (b.priority != a.priority) break;
      if (treat_alike(a, b) || !compete(a, b) || !meet(a, b)) continue;
      const auto to = common_host(graph, plan, a.destination, b.destination);
      if (!to || !common_host(graph, plan, a.source, b.source)) continue;
      errors.push_back({fmt::format("{}: two rules of priority {} match a frame to {}",
                                    graph.name(graph.switch_node(table.of_switch)), a.priority,
                                    graph.name(graph.host_node(*to))),
                        {}});
    }
  }
  return errors;
}

}  // namespace ebb::forwarding
