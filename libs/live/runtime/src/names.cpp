// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/names.hpp"

#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace ebb::runtime {

using topology::ChannelId;
using topology::LinkId;

std::uint32_t links_between_switches(const topology::Graph& graph) {
  std::uint32_t count = 0;
  for (std::uint32_t link = 0; link < graph.link_count(); ++link)
    count += graph.connects_switches(LinkId{link}) ? 1 : 0;
  return count;
}

std::string link_name(const topology::Graph& graph, LinkId link) {
  const topology::Link& ends = graph.link(link);
  std::size_t parallel = 0;
  std::size_t before = 0;
  for (const ChannelId other : graph.outputs(ends.a)) {
    if (graph.target(other) != ends.b) continue;
    ++parallel;
    if (index(topology::link_of(other)) < index(link)) ++before;
  }
  const std::string name = graph.name(ends.a) + "-" + graph.name(ends.b);
  return parallel == 1 ? name : fmt::format("{}.{}", name, before + 1);
}

std::optional<LinkId> link_named(const topology::Graph& graph, const std::string& name) {
  for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
    if (link_name(graph, LinkId{link}) == name) return LinkId{link};
  }
  return std::nullopt;
}

Result<std::string> fabric_named(const std::string& name, const testbed::StateFolder& state) {
  if (!name.empty()) {
    auto found = testbed::find_fabric(name, state);
    if (!found && !std::filesystem::exists(state.controller(name))) return fail(found.error());
    return name;
  }
  const auto fabrics = testbed::standing_fabrics(state);
  if (fabrics.size() == 1) return fabrics[0].name;
  return fail(fabrics.empty() ? "no fabric is up" : "several fabrics are up: say --fabric NAME");
}

}  // namespace ebb::runtime
