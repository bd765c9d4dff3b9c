// SPDX-License-Identifier: Apache-2.0
//
// The lines of a time-independent trace: words, numbers, and the actions of each rank in order.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/trace/mpi.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::trace {

using Words = std::vector<std::string_view>;

// An action of a rank: its line, and what stands after its name.
struct Action {
  std::string_view name;
  std::string_view arguments;
  int line = 0;            // from 1
  std::uint32_t text = 0;  // by index
};

// Words between blanks, up to a comment.
[[nodiscard]] Words action_words(std::string_view line);
[[nodiscard]] std::optional<double> number_of_word(std::string_view word);

// By rank. Every rank from 0 to the highest has some, so that there are no more ranks than lines.
[[nodiscard]] Result<std::vector<std::vector<Action>>> actions_by_rank(
    std::span<const NamedText> texts, bool one_for_each_rank);

// In the case that SimGrid writes it today or did in older versions.
[[nodiscard]] bool is_simgrid_action(std::string_view name);

}  // namespace ebb::trace
