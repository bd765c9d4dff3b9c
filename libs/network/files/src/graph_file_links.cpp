// SPDX-License-Identifier: Apache-2.0
#include "graph_file_parts.hpp"

#include "ebb/core/names.hpp"
#include "ebb/core/text_lines.hpp"
#include "ebb/files/document.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace ebb::files {
namespace {

using topology::Medium;
using topology::NodeId;

constexpr std::size_t kMostLinks = 256'000'000;  // as for generated networks
constexpr Medium kMedia[] = {Medium::electrical, Medium::optical, Medium::backplane};

}  // namespace

LinkReader::LinkReader(const GraphHeader& header, Diagnostics& errors)
    : header_(&header), errors_(&errors), nodes_(header.switches, header.hosts, header.names) {}

void LinkReader::report(LinkKey key, const LinkField& field, std::string message) {
  errors_->add(std::move(message), field.line, field.column,
               fmt::format("links[{}].{}", number_, kLinkKeys[static_cast<std::size_t>(key)]));
}

std::optional<NodeId> LinkReader::node(LinkKey key, const LinkField& field) {
  const auto found = nodes_.find(field.text);
  if (!found) report(key, field, nodes_.unknown(field.text));
  return found;
}

std::optional<Medium> LinkReader::medium(const LinkField& field) {
  if (field.text.empty()) return Medium::electrical;
  std::vector<std::string> names;
  for (const Medium medium : kMedia) {
    if (to_text(medium) == field.text) return medium;
  }
  for (const Medium medium : kMedia) names.emplace_back(to_text(medium));
  report(LinkKey::medium, field, unknown_name("medium", shown(field.text), names));
  return std::nullopt;
}

std::optional<std::uint32_t> LinkReader::length_mm(const LinkField& field) {
  if (field.text.empty()) return 0;
  const auto length = parse<Length>(field.text);
  if (!length) {
    report(LinkKey::length, field, length.error().front().message);
    return std::nullopt;
  }
  constexpr Length kMost = millimetres(std::numeric_limits<std::uint32_t>::max());
  if (*length < Length{} || *length > kMost) {
    report(LinkKey::length, field,
           fmt::format("a cable has 0mm to {}, got {}", to_text(kMost), to_text(*length)));
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(length->count());
}

std::optional<std::uint8_t> LinkReader::rate_table(const LinkField& field) {
  if (field.text.empty()) return 0;
  unsigned rate_table = 0;
  const char* const end = field.text.data() + field.text.size();
  const auto [at, error] = std::from_chars(field.text.data(), end, rate_table);
  if (error == std::errc{} && at == end && rate_table < header_->rate_table_count)
    return static_cast<std::uint8_t>(rate_table);
  report(LinkKey::rate_table, field,
         fmt::format("expected the index of a rate table, 0 to {}, got '{}'",
                     header_->rate_table_count - 1, shown(field.text)));
  return std::nullopt;
}

bool LinkReader::may_join(NodeId a, NodeId b, const LinkField& at) {
  if (a == b) {
    report(LinkKey::b, at, fmt::format("the link joins {} to itself", nodes_.name(a)));
  } else if (nodes_.is_host(a) && nodes_.is_host(b)) {
    report(LinkKey::b, at,
           fmt::format("the link joins two hosts, {} and {}; a host is attached to a switch",
                       nodes_.name(a), nodes_.name(b)));
  } else {
    return true;
  }
  return false;
}

void LinkReader::add(const LinkFields& fields) {
  const auto field = [&](LinkKey key) { return fields[static_cast<std::size_t>(key)]; };
  const auto a = node(LinkKey::a, field(LinkKey::a));
  const auto b = node(LinkKey::b, field(LinkKey::b));
  const auto medium = this->medium(field(LinkKey::medium));
  const auto length = length_mm(field(LinkKey::length));
  const auto rate_table = this->rate_table(field(LinkKey::rate_table));
  const bool joins = a && b && may_join(*a, *b, field(LinkKey::b));
  if (joins && medium && length && rate_table)
    links_.push_back({*a, *b, *length, *medium, *rate_table});
  ++number_;
  if (links_.size() > kMostLinks) {
    errors_->add(fmt::format("more than {} links", kMostLinks), field(LinkKey::a).line);
    stopped_ = true;
  }
  stopped_ = stopped_ || errors_->full();
}

void LinkReader::add(const Value& link) {
  Section section(link, *errors_);
  LinkFields fields;
  std::array<std::string, kLinkKeys.size()> texts;
  bool complete = link.is_map();
  for (std::size_t i = 0; i < kLinkKeys.size(); ++i) {
    const bool required = i < kRequiredLinkKeys;
    const auto value = required ? section.require(kLinkKeys[i]) : section.find(kLinkKeys[i]);
    const auto text = value ? value->text(*errors_) : std::nullopt;
    complete = complete && text.has_value() == (required || value.has_value());
    if (!text) continue;
    texts[i] = *text;
    fields[i] = {texts[i], value->line(), value->column()};
  }
  section.finish();
  if (complete) return add(fields);
  ++number_;
  stopped_ = stopped_ || errors_->full();
}

namespace {

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
