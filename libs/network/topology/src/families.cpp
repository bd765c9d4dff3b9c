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

Result<Properties> check_size(const Family& family, const Properties& known) {
  if (known.hosts <= kMostHosts && known.switches <= kMostSwitches && known.links <= kMostLinks)
    return known;
  return fail(fmt::format(
      "a {} of {} hosts, {} switches and {} links is larger than ebb holds ({} hosts, {} links)",
      family.name, known.hosts, known.switches, known.links, kMostHosts, kMostLinks));
}

// What was asked for, understood.
struct Resolved {
  const Family* family = nullptr;
  Parameters parameters;  // of one plane
  std::uint32_t planes = 1;
  Properties properties;  // of all planes
};

Result<Resolved> resolve(std::string_view name, const ParameterTexts& given) {
  const auto family = find_family(name);
  if (!family) return fail(family.error());
  std::vector<Parameter> table = (*family)->parameters;
  table.push_back(planes_parameter());
  const auto all = Parameters::resolve(table, given);
  if (!all) return fail(all.error());
  const Planes planes = split_planes(given);
  const auto parameters = Parameters::resolve((*family)->parameters, planes.of_one);
  if (!parameters) return fail(parameters.error());
  const auto known = (*family)->properties(*parameters);
  if (!known) return fail(known.error());
  const auto checked = check_size(**family, properties_of_planes(*known, planes.count));
  if (!checked) return fail(checked.error());
  return Resolved{*family, *parameters, planes.count, *checked};
}

}  // namespace

// One line per family, so that adding one changes one line.
std::span<const Family> families() {
  // clang-format off
  static const std::vector<Family> kFamilies = {
      fbfly::family(),
      clos::family(),
      clos_chassis::family(),
      rail_clos::family(),
      dragonfly::family(),
      dragonfly_plus::family(),
      slim_fly::family(),
      polarfly::family(),
      jellyfish::family(),
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
  const auto resolved = resolve(family, parameters);
  if (!resolved) return fail(resolved.error());
  return resolved->properties;
}

Result<Graph> build(std::string_view family, const ParameterTexts& parameters,
                    RateTable rate_table) {
  const auto resolved = resolve(family, parameters);
  if (!resolved) return fail(resolved.error());
  Graph one = resolved->family->build(resolved->parameters, std::move(rate_table));
  return resolved->planes == 1 ? std::move(one) : graph_of_planes(one, resolved->planes);
}

}  // namespace ebb::topology
