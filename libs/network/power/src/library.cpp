// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/library.hpp"

#include "ebb/core/find_named.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::power {

std::uint32_t Library::add_source(Source source) {
  const auto found = std::find(sources_.begin(), sources_.end(), source);
  if (found != sources_.end()) return static_cast<std::uint32_t>(found - sources_.begin());
  sources_.push_back(std::move(source));
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

Result<const Part*> Library::find(std::string_view name) const {
  return find_named("part", parts_, name, &Part::name);
}

std::string Library::wrong_kind(const Part& part) {
  return fmt::format("'{}' is a {}, which does not fit here", part.name, kind_of(part));
}

}  // namespace ebb::power
