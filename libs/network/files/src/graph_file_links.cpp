// SPDX-License-Identifier: Apache-2.0
#include "graph_file_links.hpp"

#include "ebb/core/suggest.hpp"
#include "ebb/files/shown.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

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

std::optional<std::uint8_t> LinkReader::ladder(const LinkField& field) {
  if (field.text.empty()) return 0;
  unsigned ladder = 0;
  const char* const end = field.text.data() + field.text.size();
  const auto [at, error] = std::from_chars(field.text.data(), end, ladder);
  if (error == std::errc{} && at == end && ladder < header_->ladder_count)
    return static_cast<std::uint8_t>(ladder);
  report(LinkKey::ladder, field,
         fmt::format("expected the index of a ladder, 0 to {}, got '{}'", header_->ladder_count - 1,
                     shown(field.text)));
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
  const auto ladder = this->ladder(field(LinkKey::ladder));
  const bool joins = a && b && may_join(*a, *b, field(LinkKey::b));
  if (joins && medium && length && ladder) links_.push_back({*a, *b, *length, *medium, *ladder});
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

}  // namespace ebb::files
