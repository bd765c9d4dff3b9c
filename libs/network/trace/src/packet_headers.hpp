// SPDX-License-Identifier: Apache-2.0
//
// What the headers of a captured packet say of its flow: addresses, ports and bytes of payload. The
// capture may hold only the first bytes of a packet, so lengths come from the headers.
#pragma once

#include "address_table.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace ebb::trace {

// What stands before IP.
enum class LinkLayer : std::uint8_t { ethernet, none, linux_cooked, linux_cooked_2 };

struct PacketHeaders {
  IpAddress source;
  IpAddress destination;
  std::uint8_t protocol = 0;
  std::uint16_t source_port = 0;  // of TCP and UDP; 0: of others, and of fragments after the first
  std::uint16_t destination_port = 0;
  std::uint32_t payload = 0;  // bytes after the header of TCP or UDP, after that of IP with others
  bool is_later_fragment = false;
};

// `packet` are the bytes that were captured of `length`. Nothing when it is no IP packet, or when
// its headers were not captured or do not fit into it.
[[nodiscard]] std::optional<PacketHeaders> parse_headers(std::span<const std::uint8_t> packet,
                                                         std::uint32_t length, LinkLayer link);

}  // namespace ebb::trace
