// SPDX-License-Identifier: Apache-2.0

#include "families.hpp"

#include "ebb/core/names.hpp"
#include "ebb/topology/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

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

namespace {

// The family as an alias means it: a fixed parameter has one value, which is also its default.
Family under_alias(const Family& family, const Alias& alias) {
  Family meant = family;
  meant.fixed = alias.fixed;
  for (Parameter& parameter : meant.parameters) {
    for (const auto& [name, value] : alias.fixed) {
      if (parameter.name != name) continue;
      const std::int64_t only = std::stoll(value);
      parameter.allowed = Range<std::int64_t>{only, only};
      parameter.fallback = value;
    }
  }
  return meant;
}

struct AliasedFamily {
  std::string alias;
  Family family;
};

const std::vector<AliasedFamily>& aliased_families() {
  static const std::vector<AliasedFamily> kAliased = [] {
    std::vector<AliasedFamily> all;
    for (const Family& family : families()) {
      for (const Alias& alias : family.aliases)
        all.push_back({alias.name, under_alias(family, alias)});
    }
    return all;
  }();
  return kAliased;
}

}  // namespace

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const Family& family : families()) names.push_back(family.name);
  for (const AliasedFamily& aliased : aliased_families()) names.push_back(aliased.alias);
  return names;
}

Result<const Family*> find_family(std::string_view name) {
  for (const Family& family : families()) {
    if (family.name == name) return &family;
  }
  for (const AliasedFamily& aliased : aliased_families()) {
    if (aliased.alias == name) return &aliased.family;
  }
  return fail(unknown_name("topology family", name, family_names()));
}

ParameterTexts with_fixed(const Family& family, ParameterTexts given) {
  for (const auto& fixed : family.fixed) {
    const bool is_given = std::any_of(given.begin(), given.end(), [&](const auto& parameter) {
      return parameter.first == fixed.first;
    });
    if (!is_given) given.push_back(fixed);
  }
  return given;
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
