// SPDX-License-Identifier: Apache-2.0
//
// A text line by line, its fields, and what is wrong with them: every error with file and line.
//
//   TextLines lines(text, "flows.csv");
//   while (lines.next()) {
//     const auto fields = fields_of(lines.line());
//     const auto rank = lines.whole(fields[0], "a host", 0, 1023);
//   }
//   if (lines.has_errors()) return fail(lines.take_errors());
#pragma once

#include "ebb/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb {

class TextLines {
 public:
  static constexpr std::size_t kMostErrors = 100;  // what comes after them is not said

  TextLines(std::string_view text, std::string name) : rest_(text), name_(std::move(name)) {}

  // To the next line that holds something and does not begin with '#'. False at the end of the text
  // and when there are kMostErrors.
  bool next();
  [[nodiscard]] std::string_view line() const { return line_; }  // without blanks at both ends
  [[nodiscard]] int number() const { return number_; }           // of the line, from 1
  [[nodiscard]] const std::string& name() const { return name_; }

  // Of this line, or of an earlier one.
  void report(std::string message) { report(std::move(message), number_); }
  void report(std::string message, int number);
  // A whole number in a range; otherwise an error is reported.
  std::optional<std::uint64_t> whole(std::string_view field, std::string_view what,
                                     std::uint64_t least, std::uint64_t most);

  [[nodiscard]] bool has_errors() const { return !errors_.empty(); }
  [[nodiscard]] Errors take_errors() { return std::move(errors_); }

 private:
  std::string_view rest_;
  std::string_view line_;
  int number_ = 0;
  std::string name_;
  Errors errors_;
};

// The first line of a text, without its end; it is taken off the text.
[[nodiscard]] std::string_view take_line(std::string_view& text);
// Without blanks at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);
// What stands between blanks.
[[nodiscard]] std::vector<std::string_view> fields_of(std::string_view line);
// What stands between separators, without blanks at both ends; may be empty.
[[nodiscard]] std::vector<std::string_view> fields_of(std::string_view line, char separator);
// The user's own text inside a message: cut when long, so that garbage does not fill the screen.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace ebb
