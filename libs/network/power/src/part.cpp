// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/part.hpp"

#include "ebb/core/names.hpp"
#include "ebb/power/library.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::power {

std::string_view to_text(Evidence evidence) {
  switch (evidence) {
    case Evidence::measured:
      return "measured";
    case Evidence::datasheet:
      return "datasheet";
    case Evidence::published:
      return "published";
    case Evidence::assumed:
      return "assumed";
  }
  return "?";
}

std::string_view kind_of(const Part& part) {
  struct Name {
    std::string_view operator()(const RateTable&) const { return "rate_table"; }
    std::string_view operator()(const Chip&) const { return "chip"; }
    std::string_view operator()(const Box&) const { return "box"; }
    std::string_view operator()(const Module&) const { return "module"; }
    std::string_view operator()(const Nic&) const { return "nic"; }
    std::string_view operator()(const Components&) const { return "components"; }
    std::string_view operator()(const PowerSupply&) const { return "power_supply"; }
  };
  return std::visit(Name{}, part.body);
}

std::uint32_t Library::add_source(Source source) {
  const auto found = std::find(sources_.begin(), sources_.end(), source);
  if (found != sources_.end()) return static_cast<std::uint32_t>(found - sources_.begin());
  sources_.push_back(std::move(source));
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

Result<const Part*> Library::find(std::string_view name) const {
  return find_named("part", parts_, name, &Part::name);
}

std::string names_text(std::span<const Part* const> parts) {
  std::string names;
  for (const Part* part : parts) names += (names.empty() ? "" : ", ") + part->name;
  return names;
}

std::string Library::wrong_kind(const Part& part) {
  return fmt::format("'{}' is a {}, which does not fit here", part.name, kind_of(part));
}

}  // namespace ebb::power
