// SPDX-License-Identifier: Apache-2.0
#include "graph_file_nodes.hpp"

#include "ebb/core/suggest.hpp"
#include "ebb/files/shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ebb::files {

std::optional<NumberedNode> numbered_node(std::string_view text) {
  if (text.size() < 2 || (text[0] != 's' && text[0] != 'h')) return std::nullopt;
  const std::string_view digits = text.substr(1);
  if (digits[0] == '0' && digits.size() > 1) return std::nullopt;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  NumberedNode node{text[0] == 'h', 0};
  const auto end = digits.data() + digits.size();
  if (std::from_chars(digits.data(), end, node.number).ec != std::errc{}) return std::nullopt;
  return node;
}

std::string complaint_about_name(std::string_view name) {
  constexpr std::size_t kLongestName = 128;
  if (name.empty()) return "a name must not be empty";
  if (name.size() > kLongestName)
    return fmt::format("a name has at most {} bytes; '{}'", kLongestName, shown(name));
  const auto forbidden = [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\x7f' || c == ',' || c == '"' || c == '\\';
  };
  if (std::any_of(name.begin(), name.end(), forbidden))
    return "a name must not contain commas, double quotes, backslashes or control characters";
  if (name.front() == ' ' || name.back() == ' ' || name.front() == '#')
    return fmt::format("a name must not start with '#' or a space, nor end with one: '{}'", name);
  return {};
}

NodeTable::NodeTable(std::uint32_t switches, std::uint32_t hosts,
                     std::span<const std::string> names)
    : switches_(switches), hosts_(hosts), names_(names) {
  by_name_.reserve(names.size());
  for (std::uint32_t node = 0; node < names.size(); ++node) by_name_.emplace(names[node], node);
}

std::optional<topology::NodeId> NodeTable::find(std::string_view text) const {
  if (const auto node = numbered_node(text)) {
    if (node->number >= (node->is_host ? hosts_ : switches_)) return std::nullopt;
    const auto number = static_cast<std::uint32_t>(node->number);
    return topology::NodeId{node->is_host ? switches_ + number : number};
  }
  const auto found = by_name_.find(text);
  if (found == by_name_.end()) return std::nullopt;
  return topology::NodeId{found->second};
}

std::string NodeTable::name(topology::NodeId node) const {
  if (!names_.empty()) return names_[index(node)];
  return is_host(node) ? fmt::format("h{}", index(node) - switches_)
                       : fmt::format("s{}", index(node));
}

std::string NodeTable::unknown(std::string_view text) const {
  // Comparing with every name costs more than the hint is worth on a large network.
  constexpr std::size_t kMostCompared = 10'000;
  std::string message = fmt::format("unknown node '{}'", shown(text));
  if (!numbered_node(text)) {
    const auto compared = names_.first(std::min(names_.size(), kMostCompared));
    if (const auto near = closest_name(text, compared))
      return message + fmt::format("; did you mean '{}'?", *near);
  }
  return message + numbers_in_use();
}

std::string NodeTable::numbers_in_use() const {
  const std::string hosts =
      hosts_ == 0 ? "there are no hosts" : fmt::format("hosts are h0 to h{}", hosts_ - 1);
  return fmt::format("; switches are s0 to s{}, {}", switches_ - 1, hosts);
}

}  // namespace ebb::files
