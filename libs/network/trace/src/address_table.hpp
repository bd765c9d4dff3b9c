// SPDX-License-Identifier: Apache-2.0
//
// Which host an address or a name belongs to, from a table with two fields on each line:
//
//   # address or name, rank
//   10.0.0.1        0
//   10.0.1.0/24     1
//   2001:db8::/64   1
//   node2           2
//
// Of prefixes that hold an address the longest counts.
#pragma once

#include "ebb/core/result.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ebb::trace {

// IPv4 addresses have four bytes, IPv6 addresses sixteen.
struct IpAddress {
  std::uint8_t size = 0;
  std::array<std::uint8_t, 16> bytes{};

  bool operator==(const IpAddress&) const = default;
};

[[nodiscard]] std::optional<IpAddress> parse_address(std::string_view text);

class AddressTable {
 public:
  [[nodiscard]] static Result<AddressTable> read(const std::string& path);
  [[nodiscard]] static Result<AddressTable> read_text(std::string_view text,
                                                      const std::string& name);

  [[nodiscard]] std::optional<std::uint32_t> rank(const IpAddress& address) const;
  // An address or a name.
  [[nodiscard]] std::optional<std::uint32_t> rank(std::string_view text) const;
  // What to say of one that is not in the table.
  [[nodiscard]] std::string unknown(std::string_view text) const;
  // One more than the highest rank.
  [[nodiscard]] std::uint32_t ranks() const { return ranks_; }

 private:
  // False when the key is there already.
  bool insert(std::string_view key, std::uint32_t rank);

  std::string name_;
  std::uint32_t ranks_ = 0;
  std::unordered_map<std::string, std::uint32_t> names_;
  // By size of the address and length of the prefix, the longest first: rank by masked bytes.
  std::map<std::pair<int, int>, std::unordered_map<std::string, std::uint32_t>, std::greater<>>
      prefixes_;
};

}  // namespace ebb::trace
