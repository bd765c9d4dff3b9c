// SPDX-License-Identifier: Apache-2.0
//
// Fields of a packet that rules match and actions write: OXM of OpenFlow 1.3, and registers of
// Open vSwitch (NXM), which an ARP responder needs to exchange two addresses.
//
//   Match match{{eth_dst(0x020000010000, 0x0300'00ff'0000)}};
#pragma once

#include "ebb/core/bytes.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ebb::openflow {

// The upper 23 bits of a field's header: its class and its number in it.
enum class FieldId : std::uint32_t {
  register0 = 0x0001'0000U,  // NXM_NX_REG0; the next seven follow
  register1 = 0x0001'0200U,
  in_port = 0x8000'0000U,
  metadata = 0x8000'0400U,
  eth_dst = 0x8000'0600U,
  eth_src = 0x8000'0800U,
  eth_type = 0x8000'0a00U,
  vlan_vid = 0x8000'0c00U,
  vlan_pcp = 0x8000'0e00U,
  ip_proto = 0x8000'1400U,
  ipv4_src = 0x8000'1600U,
  ipv4_dst = 0x8000'1800U,
  arp_op = 0x8000'2a00U,
  arp_spa = 0x8000'2c00U,
  arp_tpa = 0x8000'2e00U,
  arp_sha = 0x8000'3000U,
  arp_tha = 0x8000'3200U,
};

struct FieldKind {
  FieldId id;
  std::string_view name;
  std::uint8_t bytes;  // on the wire
};

[[nodiscard]] std::span<const FieldKind> field_kinds();
// Null when ebb does not know the field.
[[nodiscard]] const FieldKind* find_field(FieldId id);

// A value, and on request the mask of the bits that count. Values are numbers: a MAC address is its
// 48 bits. Switches refuse value bits that the mask does not cover.
struct Field {
  FieldId id = FieldId::in_port;
  std::uint64_t value = 0;
  std::optional<std::uint64_t> mask = std::nullopt;

  bool operator==(const Field&) const = default;
};

// Of somebody else's rules; kept as it came.
struct OtherField {
  std::uint32_t header = 0;
  Bytes payload;

  bool operator==(const OtherField&) const = default;
};

// In the order given: a field comes after those it needs (eth_type before arp_op).
struct Match {
  std::vector<Field> fields;
  std::vector<OtherField> others = {};

  bool operator==(const Match&) const = default;
};

constexpr std::uint64_t kVlanPresent = 0x1000;  // in vlan_vid, beside the number of the VLAN

[[nodiscard]] inline Field eth_dst(std::uint64_t value, std::uint64_t mask) {
  return {FieldId::eth_dst, value, mask};
}
[[nodiscard]] inline Field eth_src(std::uint64_t value, std::uint64_t mask) {
  return {FieldId::eth_src, value, mask};
}

}  // namespace ebb::openflow
