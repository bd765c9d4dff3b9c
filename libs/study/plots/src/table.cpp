// SPDX-License-Identifier: Apache-2.0
#include "ebb/plots/table.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>

namespace ebb::plots {

std::size_t Table::column(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& known) { return known.name == name; });
  EBB_CHECK(found != columns.end(), name);
  return static_cast<std::size_t>(found - columns.begin());
}

}  // namespace ebb::plots
