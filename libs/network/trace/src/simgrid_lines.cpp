// SPDX-License-Identifier: Apache-2.0
#include "simgrid_lines.hpp"

#include "ebb/core/text_lines.hpp"
#include "ebb/program/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

namespace ebb::trace {
namespace {

class ActionCollector {
 public:
  ActionCollector(std::span<const NamedText> texts, bool one_for_each_rank)
      : texts_(texts), one_for_each_rank_(one_for_each_rank) {}

  Result<std::vector<std::vector<Action>>> collect() {
    for (std::uint32_t text = 0; text < texts_.size(); ++text) {
      std::string_view rest = texts_[text].text;
      for (int line = 1; !rest.empty(); ++line) take_action(take_line(rest), text, line);
      if (one_for_each_rank_ && !by_rank_.contains(text))
        report(fmt::format("has no action of rank {}", text), text, 0);
    }
    std::vector<std::vector<Action>> all;
    all.reserve(by_rank_.size());
    for (auto& [rank, actions] : by_rank_) {
      if (rank != all.size()) {
        report(fmt::format("rank {} has actions, and rank {} has none", rank, all.size()),
               actions.front().text, actions.front().line);
        break;
      }
      all.push_back(std::move(actions));
    }
    if (by_rank_.empty()) report("has no actions", 0, 0);
    if (!errors_.empty()) return fail(std::move(errors_));
    return all;
  }

 private:
  void report(std::string message, std::uint32_t text, int line) {
    if (errors_.size() < program::kMostErrors)
      errors_.push_back({std::move(message), {texts_[text].name, line}});
  }

  void take_action(std::string_view line, std::uint32_t text, int number) {
    const Words words = action_words(line);
    if (words.empty()) return;
    std::uint32_t rank = 0;
    const std::string_view first = words.front();
    const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), rank);
    if (error != std::errc() || end != first.data() + first.size()) {
      report(fmt::format("a line begins with the number of a rank, not with '{}'", shown(first)),
             text, number);
    } else if (words.size() == 1) {
      report("the action of the rank is missing", text, number);
    } else if (one_for_each_rank_ && rank != text) {
      report(fmt::format("is an action of rank {} in the file of rank {}", rank, text), text,
             number);
    } else {
      const auto arguments = static_cast<std::size_t>(words[1].data() - line.data());
      by_rank_[rank].push_back({words[1], line.substr(arguments + words[1].size()), number, text});
    }
  }

  std::span<const NamedText> texts_;
  bool one_for_each_rank_;
  std::map<std::uint32_t, std::vector<Action>> by_rank_;
  Errors errors_;
};

}  // namespace

Words action_words(std::string_view line) {
  Words words = fields_of(line);
  const auto begins_comment = [](std::string_view word) { return word.front() == '#'; };
  words.erase(std::ranges::find_if(words, begins_comment), words.end());
  return words;
}

std::optional<double> number_of_word(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool is_number = error == std::errc() && end == word.data() + word.size();
  return is_number && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Result<std::vector<std::vector<Action>>> actions_by_rank(std::span<const NamedText> texts,
                                                         bool one_for_each_rank) {
  return ActionCollector(texts, one_for_each_rank).collect();
}

}  // namespace ebb::trace
