// SPDX-License-Identifier: Apache-2.0
//
// Names that users give: entries of lists found by name, and for an unknown name the message that
// tells the present name of something renamed, or the nearest valid one by edit distance.
//
//   return find_named("policy", policies(), name, &Entry::name);
#pragma once

#include "ebb/core/result.hpp"

#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ebb {

// The closest candidate, if it is close enough to be what the user meant.
[[nodiscard]] std::optional<std::string> closest_name(std::string_view wrong,
                                                      std::span<const std::string> candidates);

// The present name of something that an earlier version called `old_name`, if it is a candidate.
[[nodiscard]] std::optional<std::string> renamed_name(std::string_view old_name,
                                                      std::span<const std::string> candidates);

// "unknown key 'hsots'; did you mean 'hosts'?", or the list of what is valid.
[[nodiscard]] std::string unknown_name(std::string_view kind, std::string_view wrong,
                                       std::span<const std::string> candidates);

// The entry of a list that has a name, pointing into the list; an error with the nearest name when
// there is none.
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
