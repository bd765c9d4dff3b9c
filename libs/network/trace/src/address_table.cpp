// SPDX-License-Identifier: Apache-2.0
#include "address_table.hpp"

#include "flows.hpp"

#include "ebb/core/mapped_file.hpp"
#include "ebb/core/names.hpp"
#include "ebb/core/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>

namespace ebb::trace {
namespace {

struct Prefix {
  IpAddress address;
  int length = 0;
};

std::optional<Prefix> parse_prefix(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto address = parse_address(text.substr(0, slash));
  if (!address) return std::nullopt;
  int length = address->size * 8;
  if (slash != std::string_view::npos) {
    const std::string_view digits = text.substr(slash + 1);
    const int most = length;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    if (length < 0 || length > most) return std::nullopt;
  }
  return Prefix{*address, length};
}

// The bytes of an address with zeros behind the prefix.
std::string masked(const IpAddress& address, int length) {
  std::string bytes(address.bytes.begin(), address.bytes.begin() + address.size);
  for (int i = 0; i < address.size; ++i) {
    const int kept = std::clamp(length - 8 * i, 0, 8);
    const auto mask = static_cast<unsigned char>(0xffU << static_cast<unsigned>(8 - kept));
    bytes[static_cast<std::size_t>(i)] =
        static_cast<char>(static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]) & mask);
  }
  return bytes;
}

}  // namespace

std::optional<IpAddress> parse_address(std::string_view text) {
  const std::string terminated(text);
  IpAddress address;
  if (inet_pton(AF_INET, terminated.c_str(), address.bytes.data()) == 1) {
    address.size = 4;
    return address;
  }
  if (inet_pton(AF_INET6, terminated.c_str(), address.bytes.data()) == 1) {
    address.size = 16;
    return address;
  }
  return std::nullopt;
}

Result<AddressTable> AddressTable::read(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) return fail(file.error());
  return read_text((*file)->text(), path);
}

Result<AddressTable> AddressTable::read_text(std::string_view text, const std::string& name) {
  AddressTable table;
  table.name_ = name;
  TextLines lines(text, name);
  while (lines.next()) {
    const auto fields = fields_of(lines.line());
    if (fields.size() != 2) {
      lines.report("a line has an address or a name, and a rank");
      continue;
    }
    const auto rank = lines.whole(fields[1], "a rank", 0, kMostFlowHosts - 1);
    if (!rank) continue;
    if (fields[0].find('/') != std::string_view::npos && !parse_prefix(fields[0])) {
      lines.report(fmt::format("'{}' is no prefix like 10.0.0.0/24", shown(fields[0])));
    } else if (!table.insert(fields[0], static_cast<std::uint32_t>(*rank))) {
      lines.report(fmt::format("'{}' is in the table twice", shown(fields[0])));
    }
  }
  if (lines.has_errors()) return fail(lines.take_errors());
  return table;
}

bool AddressTable::insert(std::string_view key, std::uint32_t rank) {
  ranks_ = std::max(ranks_, rank + 1);
  const auto prefix = parse_prefix(key);
  if (!prefix) return names_.emplace(key, rank).second;
  return prefixes_[{prefix->address.size, prefix->length}]
      .emplace(masked(prefix->address, prefix->length), rank)
      .second;
}

std::optional<std::uint32_t> AddressTable::rank(const IpAddress& address) const {
  for (const auto& [kind, of_length] : prefixes_) {
    if (kind.first != address.size) continue;
    const auto found = of_length.find(masked(address, kind.second));
    if (found != of_length.end()) return found->second;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> AddressTable::rank(std::string_view text) const {
  if (const auto address = parse_address(text)) return rank(*address);
  const auto found = names_.find(std::string(text));
  return found == names_.end() ? std::nullopt : std::optional(found->second);
}

std::string AddressTable::unknown(std::string_view text) const {
  std::vector<std::string> names;
  names.reserve(names_.size());
  for (const auto& [name, rank] : names_) names.push_back(name);
  std::sort(names.begin(), names.end());
  const auto nearest = closest_name(shown(text), names);
  return fmt::format("'{}' is not in {}{}", shown(text), name_,
                     nearest ? fmt::format("; did you mean '{}'?", *nearest) : "");
}

}  // namespace ebb::trace
