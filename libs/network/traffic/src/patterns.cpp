// SPDX-License-Identifier: Apache-2.0
#include "kinds.hpp"

#include "ebb/core/names.hpp"
#include "ebb/traffic/pattern.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ebb::traffic {

// One line per pattern, so that adding one changes one line.
std::span<const PatternKind> pattern_kinds() {
  // clang-format off
  static const std::vector<PatternKind> kKinds = {
      uniform::kind(),
      permutation::kind(),
      bit_complement::kind(),
      bit_reversal::kind(),
      transpose::kind(),
      tornado::kind(),
      group_adversarial::kind(),
      hotspot::kind(),
      all_to_all::kind(),
      shift::kind(),
      neighbour::kind(),
  };
  // clang-format on
  return kKinds;
}

Result<const PatternKind*> find_pattern_kind(std::string_view name) {
  return find_named("pattern", pattern_kinds(), name, &PatternKind::name);
}

Result<std::unique_ptr<Pattern>> make_pattern(std::string_view name, const Shape& shape,
                                              const ParameterTexts& parameters,
                                              std::uint64_t seed) {
  Errors errors = validate(shape);
  const auto kind = find_pattern_kind(name);
  if (!kind) {
    errors.insert(errors.end(), kind.error().begin(), kind.error().end());
    return fail(std::move(errors));
  }
  const auto resolved = Parameters::resolve((*kind)->parameters, parameters);
  if (!resolved) errors.insert(errors.end(), resolved.error().begin(), resolved.error().end());
  if (!errors.empty()) return fail(std::move(errors));
  return (*kind)->make(shape, *resolved, seed);
}

namespace {

// Hosts of the whole grid, or a number above any host count.
std::uint64_t grid_hosts(const Shape& shape) {
  constexpr std::uint64_t kTooMany = std::uint64_t{1} << 32U;
  std::uint64_t hosts = shape.hosts_per_switch;
  for (const std::uint32_t k : shape.dims) hosts = std::min(hosts * k, kTooMany);
  return hosts;
}

}  // namespace

Errors validate(const Shape& shape) {
  Errors errors;
  if (shape.hosts < 2) {
    errors.push_back({fmt::format("traffic needs two hosts or more, got {}", shape.hosts), {}});
  }
  if (shape.hosts_per_group > shape.hosts) {
    errors.push_back({fmt::format("groups of {} hosts are larger than the network of {}",
                                  shape.hosts_per_group, shape.hosts),
                      {}});
  }
  if (!shape.dims.empty() && grid_hosts(shape) != shape.hosts) {
    errors.push_back({fmt::format("a grid of {} switches with {} hosts each does not have {} hosts",
                                  fmt::join(shape.dims, "x"), shape.hosts_per_switch, shape.hosts),
                      {}});
  }
  return errors;
}

}  // namespace ebb::traffic
