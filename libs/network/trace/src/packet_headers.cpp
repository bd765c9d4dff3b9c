// SPDX-License-Identifier: Apache-2.0
#include "packet_headers.hpp"

#include <algorithm>

namespace ebb::trace {
namespace {

constexpr std::uint16_t kEtherIpv4 = 0x0800;
constexpr std::uint16_t kEtherIpv6 = 0x86dd;
constexpr std::uint16_t kEtherVlan = 0x8100;
constexpr std::uint16_t kEtherServiceVlan = 0x88a8;
constexpr std::uint8_t kProtocolTcp = 6;
constexpr std::uint8_t kProtocolUdp = 17;

// The bytes of a packet that were captured and those that it had, from a header on.
class PacketBytes {
 public:
  PacketBytes(std::span<const std::uint8_t> captured, std::uint32_t length)
      : captured_(captured.subspan(0, std::min<std::size_t>(captured.size(), length))),
        length_(length) {}

  [[nodiscard]] bool has(std::size_t bytes) const { return captured_.size() >= bytes; }
  [[nodiscard]] std::uint8_t byte(std::size_t at) const { return captured_[at]; }
  [[nodiscard]] std::uint16_t word(std::size_t at) const {
    return static_cast<std::uint16_t>(captured_[at] << 8U | captured_[at + 1]);
  }
  [[nodiscard]] std::uint32_t length() const { return length_; }
  [[nodiscard]] IpAddress address(std::size_t at, std::uint8_t size) const {
    IpAddress address{.size = size};
    std::copy_n(captured_.begin() + static_cast<std::ptrdiff_t>(at), size, address.bytes.begin());
    return address;
  }

  // Behind a header. False when the packet ends before.
  bool skip(std::uint32_t bytes) {
    if (bytes > length_) return false;
    captured_ = captured_.subspan(std::min<std::size_t>(bytes, captured_.size()));
    length_ -= bytes;
    return true;
  }
  // Padding of the link does not belong to the packet of IP.
  bool cut_to(std::uint32_t length) {
    if (length > length_) return false;
    length_ = length;
    captured_ = captured_.subspan(0, std::min<std::size_t>(captured_.size(), length));
    return true;
  }

 private:
  std::span<const std::uint8_t> captured_;
  std::uint32_t length_;
};

// Behind the header of the link; the type of what follows, 0 when it says nothing.
std::optional<std::uint16_t> skip_link(PacketBytes& packet, LinkLayer link) {
  constexpr std::uint32_t kEthernet = 14;
  constexpr std::uint32_t kVlan = 4;
  constexpr std::uint32_t kCooked = 16;
  constexpr std::uint32_t kCooked2 = 20;
  std::uint16_t type = 0;
  switch (link) {
    case LinkLayer::none:
      return type;
    case LinkLayer::linux_cooked:
      if (!packet.has(kCooked)) return std::nullopt;
      type = packet.word(kCooked - 2);
      packet.skip(kCooked);
      break;
    case LinkLayer::linux_cooked_2:
      if (!packet.has(kCooked2)) return std::nullopt;
      type = packet.word(0);
      packet.skip(kCooked2);
      break;
    case LinkLayer::ethernet:
      if (!packet.has(kEthernet)) return std::nullopt;
      type = packet.word(kEthernet - 2);
      packet.skip(kEthernet);
      break;
  }
  while (type == kEtherVlan || type == kEtherServiceVlan) {
    if (!packet.has(kVlan)) return std::nullopt;
    type = packet.word(2);
    packet.skip(kVlan);
  }
  return type;
}

// Behind the header of IPv4. A length of 0 is that of a segment which the network card divides.
bool skip_ipv4(PacketBytes& packet, PacketHeaders& headers) {
  constexpr std::uint32_t kLeast = 20;
  constexpr std::uint16_t kFragmentOffset = 0x1fff;
  if (!packet.has(kLeast)) return false;
  const std::uint32_t header = (packet.byte(0) & 0x0fU) * 4U;
  const std::uint16_t length = packet.word(2);
  if (header < kLeast || (length != 0 && !packet.cut_to(length)) || !packet.has(kLeast))
    return false;
  headers.protocol = packet.byte(9);
  headers.is_later_fragment = (packet.word(6) & kFragmentOffset) != 0;
  headers.source = packet.address(12, 4);
  headers.destination = packet.address(16, 4);
  return packet.skip(header);
}

// The length of an extension header of IPv6; nothing when the protocol is none.
std::optional<std::uint32_t> extension_length(const PacketBytes& packet, std::uint8_t protocol) {
  switch (protocol) {
    case 0:   // hop by hop
    case 43:  // routing
    case 60:  // destination
      return (packet.byte(1) + 1U) * 8U;
    case 44:  // fragment
      return 8U;
    case 51:  // authentication
      return (packet.byte(1) + 2U) * 4U;
    default:
      return std::nullopt;
  }
}

bool skip_ipv6(PacketBytes& packet, PacketHeaders& headers) {
  constexpr std::uint32_t kHeader = 40;
  constexpr std::uint8_t kFragment = 44;
  if (!packet.has(kHeader)) return false;
  const std::uint16_t payload = packet.word(4);
  headers.protocol = packet.byte(6);
  headers.source = packet.address(8, 16);
  headers.destination = packet.address(24, 16);
  if (payload != 0 && !packet.cut_to(kHeader + payload)) return false;
  packet.skip(kHeader);
  while (packet.has(4)) {
    const auto length = extension_length(packet, headers.protocol);
    if (!length) return true;
    if (headers.protocol == kFragment) headers.is_later_fragment = (packet.word(2) & 0xfff8U) != 0;
    headers.protocol = packet.byte(0);
    if (!packet.skip(*length)) return false;
    if (headers.is_later_fragment) return true;
  }
  return true;
}

bool skip_transport(PacketBytes& packet, PacketHeaders& headers) {
  constexpr std::uint32_t kUdp = 8;
  constexpr std::uint32_t kTcp = 20;
  const bool is_tcp = headers.protocol == kProtocolTcp;
  if (headers.is_later_fragment || (!is_tcp && headers.protocol != kProtocolUdp)) return true;
  if (!packet.has(is_tcp ? kTcp : kUdp)) return false;
  headers.source_port = packet.word(0);
  headers.destination_port = packet.word(2);
  const std::uint32_t header = is_tcp ? (packet.byte(12) >> 4U) * 4U : kUdp;
  return header >= (is_tcp ? kTcp : kUdp) && packet.skip(header);
}

}  // namespace

std::optional<PacketHeaders> parse_headers(std::span<const std::uint8_t> packet,
                                           std::uint32_t length, LinkLayer link) {
  PacketBytes bytes(packet, length);
  const auto type = skip_link(bytes, link);
  if (!type || !bytes.has(1)) return std::nullopt;
  const unsigned version = bytes.byte(0) >> 4U;
  const bool is_ipv4 = version == 4 && (*type == kEtherIpv4 || *type == 0);
  const bool is_ipv6 = version == 6 && (*type == kEtherIpv6 || *type == 0);
  PacketHeaders headers;
  if (!(is_ipv4 && skip_ipv4(bytes, headers)) && !(is_ipv6 && skip_ipv6(bytes, headers)))
    return std::nullopt;
  if (!skip_transport(bytes, headers)) return std::nullopt;
  headers.payload = bytes.length();
  return headers;
}

}  // namespace ebb::trace
