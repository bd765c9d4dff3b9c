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
#include <variant>
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

// What a rule does with a packet: actions, and the instructions that hold them.

// Numbers of ports that stand for something else. A packet goes back where it came from only by
// `in_port`: switches suppress an output to the very port.
namespace port {
constexpr std::uint32_t kMax = 0xffff'ff00;
constexpr std::uint32_t kInPort = 0xffff'fff8;
constexpr std::uint32_t kController = 0xffff'fffd;
constexpr std::uint32_t kLocal = 0xffff'fffe;
constexpr std::uint32_t kAny = 0xffff'ffff;
}  // namespace port

namespace group {
constexpr std::uint32_t kAll = 0xffff'fffc;
constexpr std::uint32_t kAny = 0xffff'ffff;
}  // namespace group

struct Output {
  std::uint32_t port = 0;
  std::uint16_t max_length = 0xffff;  // bytes to a controller; 0xffff: all
  bool operator==(const Output&) const = default;
};

struct ToGroup {
  std::uint32_t group = 0;
  bool operator==(const ToGroup&) const = default;
};

struct SetField {
  Field field;  // OpenFlow 1.3 knows no mask here
  bool operator==(const SetField&) const = default;
};

struct PushVlan {
  std::uint16_t ethertype = 0x8100;
  bool operator==(const PushVlan&) const = default;
};

struct PopVlan {
  bool operator==(const PopVlan&) const = default;
};

// Part of a field. Extension of Open vSwitch (Nicira), as are the two actions that use it.
struct Bits {
  FieldId field = FieldId::register0;
  std::uint16_t first = 0;  // counted from the lowest
  std::uint16_t count = 0;
  bool operator==(const Bits&) const = default;
};

// Copies bits of one field to as many of another.
struct Move {
  Bits from;
  FieldId to = FieldId::register0;
  std::uint16_t to_first = 0;
  bool operator==(const Move&) const = default;
};

// Writes a number into bits of a field; 1 to 64 of them.
struct Load {
  Bits to;
  std::uint64_t value = 0;
  bool operator==(const Load&) const = default;
};

struct OtherAction {
  std::uint16_t type = 0;
  Bytes body;  // what follows type and length
  bool operator==(const OtherAction&) const = default;
};

using Action = std::variant<Output, ToGroup, SetField, PushVlan, PopVlan, Move, Load, OtherAction>;
using Actions = std::vector<Action>;

struct GotoTable {
  std::uint8_t table = 0;
  bool operator==(const GotoTable&) const = default;
};

struct ApplyActions {
  Actions actions;
  bool operator==(const ApplyActions&) const = default;
};

struct WriteActions {
  Actions actions;
  bool operator==(const WriteActions&) const = default;
};

struct OtherInstruction {
  std::uint16_t type = 0;
  Bytes body;
  bool operator==(const OtherInstruction&) const = default;
};

using Instruction = std::variant<GotoTable, ApplyActions, WriteActions, OtherInstruction>;
using Instructions = std::vector<Instruction>;

}  // namespace ebb::openflow
