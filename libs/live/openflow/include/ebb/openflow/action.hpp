// SPDX-License-Identifier: Apache-2.0
//
// What a rule does with a packet: actions, and the instructions that hold them.
#pragma once

#include "ebb/openflow/field.hpp"

#include <variant>

namespace ebb::openflow {

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
