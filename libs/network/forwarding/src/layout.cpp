// SPDX-License-Identifier: Apache-2.0
#include "layout.hpp"

#include "ebb/topology/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace ebb::forwarding {
namespace {

using topology::Graph;

// For values 0 .. values-1; a single one needs none.
int bits_for(std::uint64_t values) { return values < 2 ? 0 : std::bit_width(values - 1); }

bool same_ends(const topology::Link& one, const topology::Link& other) {
  return one.a == other.a && one.b == other.b;
}

std::vector<Digit> coordinates(const Graph& graph) {
  std::vector<Digit> digits;
  const Parameters parameters = parameters_of(graph);
  for (const std::int64_t k : parameters.list("dims"))
    digits.push_back({fmt::format("x{}", digits.size() + 1), static_cast<std::uint64_t>(k)});
  return digits;
}

std::vector<Digit> switch_and_group(const Graph& graph, std::uint64_t switches) {
  const auto a = static_cast<std::uint64_t>(parameters_of(graph).integer("a"));
  return {{"switch", a}, {"group", switches / a}};
}

// Blocks of the levels between the first and the last have half of the ports for sub-blocks; the
// last level joins whatever there is.
std::vector<Digit> blocks(const Graph& graph, std::uint64_t leaves) {
  constexpr const char* kNames[] = {"leaf", "pod", "block"};
  const Parameters parameters = parameters_of(graph);
  const auto half = static_cast<std::uint64_t>(parameters.integer("ports") / 2);
  std::vector<Digit> digits;
  std::uint64_t rest = leaves;
  for (std::int64_t level = 2; level < parameters.integer("levels"); ++level) {
    digits.push_back({kNames[digits.size()], std::min(half, rest)});
    rest = (rest + half - 1) / half;
  }
  digits.push_back({kNames[digits.size()], rest});
  return digits;
}

}  // namespace

bool is_grid(const Graph& graph) {
  const std::string& family = graph.origin().family;
  return family == "fbfly" || family == "mesh" || family == "torus";
}

std::vector<Digit> layout(const Graph& graph, std::uint64_t access_switches) {
  if (is_grid(graph)) return coordinates(graph);
  if (graph.origin().family == "dragonfly") return switch_and_group(graph, access_switches);
  if (graph.origin().family == "clos") return blocks(graph, access_switches);
  return {{"switch", access_switches}};
}

Result<std::vector<Field>> fields_for(std::uint64_t most_hosts, const std::vector<Digit>& digits) {
  std::vector<Field> fields = {{"host", 0, bits_for(most_hosts)}};
  for (const Digit& digit : digits) {
    const Field& below = fields.back();
    fields.push_back({digit.name, below.shift + below.bits, bits_for(digit.radix)});
  }
  const int bits = fields.back().shift + fields.back().bits;
  if (bits <= kAddressBits) return fields;
  std::string widths;
  for (const Field& field : fields)
    widths += fmt::format("{}{} {}", widths.empty() ? "" : ", ", field.name, field.bits);
  return fail(fmt::format("addresses would need {} bits ({}); a MAC address has {}", bits, widths,
                          kAddressBits));
}

Result<void> check_origin(const Graph& graph) {
  const topology::Origin& origin = graph.origin();
  if (!is_grid(graph) && origin.family != "dragonfly" && origin.family != "clos") return {};
  const auto made = topology::build(origin.family, origin.parameters, graph.ladders().front());
  if (!made) return fail(made.error());
  const auto ours = graph.links();
  const auto theirs = made->links();
  const bool same = graph.switch_count() == made->switch_count() &&
                    graph.host_count() == made->host_count() &&
                    std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), same_ends);
  if (same) return {};
  return fail(
      fmt::format("the links are not those of a {} with the parameters that the graph names; "
                  "without a family in the file its switches get plain numbers",
                  origin.family));
}

Parameters parameters_of(const Graph& graph) {
  const topology::Family& family = *topology::find_family(graph.origin().family).value();
  return Parameters::resolve(family.parameters, graph.origin().parameters).value();
}

}  // namespace ebb::forwarding
