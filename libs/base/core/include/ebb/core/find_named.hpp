// SPDX-License-Identifier: Apache-2.0
//
// The entry of a list that has a name; an error with the nearest name when there is none.
//
//   return find_named("policy", policies(), name, &Entry::name);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/core/suggest.hpp"

#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ebb {

// The result points into the list.
template <class List, class NameOf>
[[nodiscard]] auto find_named(std::string_view kind, const List& list, std::string_view name,
                              NameOf name_of)
    -> Result<const std::remove_cvref_t<decltype(*std::begin(list))>*> {
  std::vector<std::string> names;
  for (const auto& entry : list) {
    names.emplace_back(std::invoke(name_of, entry));
    if (names.back() == name) return &entry;
  }
  return fail(unknown_name(kind, name, names));
}

}  // namespace ebb
