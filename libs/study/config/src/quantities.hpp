// SPDX-License-Identifier: Apache-2.0
//
// Keys that hold a quantity within bounds.
#pragma once

#include "ebb/files/document.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace ebb::config {

// Leaves `target` as it is when the key is not there, or wrong (reported).
template <class T>
void read_quantity(files::Section& section, std::string_view key, T least, T most, T& target) {
  const auto value = section.find(key);
  const auto given = value ? value->quantity<T>(section.errors()) : std::nullopt;
  if (!given) return;
  if (*given < least || *given > most) {
    value->report(section.errors(), fmt::format("must be between {} and {}", ebb::to_text(least),
                                                ebb::to_text(most)));
    return;
  }
  target = *given;
}

}  // namespace ebb::config
