// SPDX-License-Identifier: Apache-2.0

#include "families.hpp"

#include "ebb/core/names.hpp"
#include "ebb/topology/family.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::topology {
namespace {

// Ids are 32-bit; this leaves room for two channels per link.
constexpr std::int64_t kMostHosts = 16'000'000;
constexpr std::int64_t kMostSwitches = 16'000'000;
constexpr std::int64_t kMostLinks = 256'000'000;

Result<Properties> checked_properties(const Family& family, const Parameters& parameters) {
  auto known = family.properties(parameters);
  if (!known) return known;
  if (known->hosts > kMostHosts || known->switches > kMostSwitches || known->links > kMostLinks) {
    return fail(fmt::format(
        "a {} of {} hosts, {} switches and {} links is larger than ebb holds ({} hosts, {} links)",
        family.name, known->hosts, known->switches, known->links, kMostHosts, kMostLinks));
  }
  return known;
}

}  // namespace

// One line per family, so that adding one changes one line.
std::span<const Family> families() {
  // clang-format off
  static const std::vector<Family> kFamilies = {
      fbfly::family(),
      clos::family(),
      clos_chassis::family(),
      dragonfly::family(),
      torus::family(),
      mesh::family(),
      complete::family(),
      irregular::family(),
      tree::family(),
  };
  // clang-format on
  return kFamilies;
}

Result<const Family*> find_family(std::string_view name) {
  return find_named("topology family", families(), name, &Family::name);
}

Result<Properties> properties(std::string_view family, const ParameterTexts& parameters) {
  const auto found = find_family(family);
  if (!found) return fail(found.error());
  const auto resolved = Parameters::resolve((*found)->parameters, parameters);
  if (!resolved) return fail(resolved.error());
  return checked_properties(**found, *resolved);
}

Result<Graph> build(std::string_view family, const ParameterTexts& parameters,
                    RateTable rate_table) {
  const auto found = find_family(family);
  if (!found) return fail(found.error());
  const auto resolved = Parameters::resolve((*found)->parameters, parameters);
  if (!resolved) return fail(resolved.error());
  if (const auto known = checked_properties(**found, *resolved); !known) return fail(known.error());
  return (*found)->build(*resolved, std::move(rate_table));
}

}  // namespace ebb::topology
