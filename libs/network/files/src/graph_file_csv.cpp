// SPDX-License-Identifier: Apache-2.0
#include "graph_file_csv.hpp"

#include "ebb/files/shown.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ebb::files {
namespace {

// Takes the first line off `text`, without its line end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_skipped(std::string_view line) {
  const auto first = std::find_if_not(line.begin(), line.end(), is_blank);
  return first == line.end() || *first == '#';
}

// Spaces around a field mean nothing, and some programs put quotes around every text. No field can
// contain a comma or a quote, so there is nothing to unescape.
LinkField bare_field(std::string_view field, int line, std::size_t column) {
  while (!field.empty() && is_blank(field.front())) {
    field.remove_prefix(1);
    ++column;
  }
  while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
    field = field.substr(1, field.size() - 2);
  return {field, line, static_cast<int>(column)};
}

// Fills `fields` and returns how many the line has, which may be more than fit.
std::size_t split(std::string_view text, int line, LinkFields& fields) {
  std::size_t count = 0;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t comma = text.find(',', begin);
    const std::size_t end = std::min(comma, text.size());
    if (count < fields.size())
      fields[count] = bare_field(text.substr(begin, end - begin), line, begin + 1);
    ++count;
    if (comma == std::string_view::npos) return count;
    begin = comma + 1;
  }
}

// The number of columns, or 0 (reported) when this is not a header line.
std::size_t read_columns(std::string_view text, int line, Diagnostics& errors) {
  LinkFields fields;
  const std::size_t count = split(text, line, fields);
  if (count < kRequiredLinkKeys || count > kLinkKeys.size()) {
    errors.add(fmt::format("expected the CSV header '{}', or less of it; got {} columns",
                           fmt::join(kLinkKeys, ","), count),
               line, 1);
    return 0;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (fields[i].text == kLinkKeys[i]) continue;
    errors.add(fmt::format("expected column '{}' of the CSV header '{}', got '{}'", kLinkKeys[i],
                           fmt::join(kLinkKeys, ","), shown(fields[i].text)),
               line, fields[i].column);
    return 0;
  }
  return count;
}

}  // namespace

bool has_csv(std::string_view text) {
  while (!text.empty()) {
    if (!is_skipped(take_line(text))) return true;
  }
  return false;
}

void read_csv_links(std::string_view text, int line, LinkReader& links, Diagnostics& errors) {
  links.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
  std::size_t columns = 0;
  LinkFields fields;
  while (!text.empty() && !links.stopped() && !errors.full()) {
    const std::string_view row = take_line(text);
    ++line;
    if (is_skipped(row)) continue;
    if (columns == 0) {
      columns = read_columns(row, line, errors);
      if (columns == 0) return;
      continue;
    }
    const std::size_t count = split(row, line, fields);
    if (count == columns) {
      links.add(fields);
    } else {
      errors.add(fmt::format("expected {} columns, got {}", columns, count), line, 1);
    }
  }
}

}  // namespace ebb::files
