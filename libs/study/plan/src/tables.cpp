// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::plan {

RuleCount count_rules(const topology::Properties& properties) {
  const std::int64_t groups = properties.groups;
  const std::int64_t per_group = properties.access_switches_per_group;
  const std::int64_t hosts = properties.hosts_per_access_switch;
  return {.flat = properties.hosts,
          .per_switch = groups * per_group - 1 + hosts,
          .per_group = (groups - 1) + (per_group - 1) + hosts};
}

namespace {

using topology::Graph;

std::int64_t ports_of(const Graph& graph, std::uint32_t of_switch) {
  return static_cast<std::int64_t>(graph.outputs(graph.switch_node(of_switch)).size());
}

TableCount count_flat(const Graph& graph) {
  TableCount count;
  count.most = graph.host_count();
  count.entries = count.most * graph.switch_count();
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
    count.entries_by_port += count.most * ports_of(graph, s);
  return count;
}

void add(TableCount& count, std::int64_t entries, std::int64_t ports) {
  count.entries += entries;
  count.entries_by_port += entries * ports;
  count.most = std::max(count.most, entries);
}

// Every plane has the tables of one.
Result<TableCount> count_planes(const Graph& graph, forwarding::Detail detail) {
  auto count = count_tables(topology::one_plane(graph), detail);
  if (!count) return count;
  count->entries *= graph.planes();
  count->entries_by_port *= graph.planes();
  return count;
}

}  // namespace

Result<TableCount> count_tables(const Graph& graph, forwarding::Detail detail) {
  if (graph.planes() > 1) return count_planes(graph, detail);
  if (detail == forwarding::Detail::flat) return count_flat(graph);
  const auto addresses = forwarding::AddressPlan::make(graph);
  if (!addresses) return fail(addresses.error());
  const auto maker = forwarding::TableMaker::make(graph, *addresses);
  if (!maker) return fail(maker.error());
  const std::uint64_t switches = graph.switch_count();
  const std::uint64_t made = std::min<std::uint64_t>(switches, kMostTables);
  TableCount count;
  for (std::uint64_t i = 0; i < made; ++i) {
    const auto of_switch = static_cast<std::uint32_t>(i * switches / made);
    const auto entries = maker->table(of_switch, detail).rules.size();
    add(count, static_cast<std::int64_t>(entries), ports_of(graph, of_switch));
  }
  count.entries = count.entries * graph.switch_count() / static_cast<std::int64_t>(made);
  count.entries_by_port =
      count.entries_by_port * graph.switch_count() / static_cast<std::int64_t>(made);
  return count;
}

Result<const power::ForwardingTable*> table_of(const Inputs& inputs,
                                               const power::Library& library) {
  const TableChoice& choice = *inputs.tables;
  if (choice.kind == "CAM" && choice.detail != forwarding::Detail::flat)
    return fail("a CAM matches whole addresses: its tables are 'flat'");
  const auto part = library.find(inputs.parts.switch_part);
  if (!part) return fail(part.error());
  if (const auto* box = std::get_if<power::Box>(&(*part)->body)) {
    for (const power::ForwardingTable& table : box->tables) {
      if (table.kind == choice.kind) return &table;
    }
  }
  return fail(fmt::format("'{}' says nothing of a {}", (*part)->name, choice.kind));
}

}  // namespace ebb::plan
