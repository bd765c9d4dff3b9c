// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/text_lines.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace ebb {
namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";

}  // namespace

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
    fields.push_back(line.substr(0, line.find_first_of(kBlanks)));
    line.remove_prefix(fields.back().size());
  }
  return fields;
}

std::vector<std::string_view> fields_of(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t end = line.find(separator);
    fields.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "...";
}

bool TextLines::next() {
  while (!rest_.empty() && errors_.size() < kMostErrors) {
    line_ = trimmed(take_line(rest_));
    ++number_;
    if (!line_.empty() && line_.front() != '#') return true;
  }
  line_ = {};
  return false;
}

void TextLines::report(std::string message, int number) {
  if (errors_.size() < kMostErrors) errors_.push_back({std::move(message), {name_, number}});
}

std::optional<std::uint64_t> TextLines::whole(std::string_view field, std::string_view what,
                                              std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* const end = field.data() + field.size();
  const auto [stopped, problem] = std::from_chars(field.data(), end, value);
  if (problem == std::errc() && stopped == end && value >= least && value <= most) return value;
  report(
      fmt::format("{} is a whole number from {} to {}, not '{}'", what, least, most, shown(field)));
  return std::nullopt;
}

}  // namespace ebb
