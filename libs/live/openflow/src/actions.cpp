// SPDX-License-Identifier: Apache-2.0
#include "layouts.hpp"

#include "ebb/core/check.hpp"
#include "ebb/openflow/action.hpp"

#include <algorithm>
#include <array>

namespace ebb::openflow {
namespace {

constexpr std::array kKinds{
    FieldKind{FieldId::register0, "reg0", 4},    FieldKind{FieldId::register1, "reg1", 4},
    FieldKind{FieldId::in_port, "in_port", 4},   FieldKind{FieldId::metadata, "metadata", 8},
    FieldKind{FieldId::eth_dst, "eth_dst", 6},   FieldKind{FieldId::eth_src, "eth_src", 6},
    FieldKind{FieldId::eth_type, "eth_type", 2}, FieldKind{FieldId::vlan_vid, "vlan_vid", 2},
    FieldKind{FieldId::vlan_pcp, "vlan_pcp", 1}, FieldKind{FieldId::ip_proto, "ip_proto", 1},
    FieldKind{FieldId::ipv4_src, "ipv4_src", 4}, FieldKind{FieldId::ipv4_dst, "ipv4_dst", 4},
    FieldKind{FieldId::arp_op, "arp_op", 2},     FieldKind{FieldId::arp_spa, "arp_spa", 4},
    FieldKind{FieldId::arp_tpa, "arp_tpa", 4},   FieldKind{FieldId::arp_sha, "arp_sha", 6},
    FieldKind{FieldId::arp_tha, "arp_tha", 6},
};

}  // namespace

std::span<const FieldKind> field_kinds() { return kKinds; }

const FieldKind* find_field(FieldId id) {
  const auto* const found = std::find_if(kKinds.begin(), kKinds.end(),
                                         [&](const FieldKind& kind) { return kind.id == id; });
  return found == kKinds.end() ? nullptr : found;
}

namespace {

constexpr std::uint16_t kOxmMatch = 1;
constexpr std::uint32_t kHasMask = 0x100;
constexpr std::uint32_t kIdBits = 0xffff'fe00;

void read_field(Reader& reader, Match& match) {
  const auto header = reader.take<std::uint32_t>();
  const std::size_t length = header & 0xffU;
  const bool masked = (header & kHasMask) != 0;
  const FieldKind* kind = find_field(FieldId{header & kIdBits});
  Reader payload = reader.part(length);
  if (kind == nullptr) {
    OtherField other{header, {}};
    payload.rest(other.payload);
    match.others.push_back(std::move(other));
    return;
  }
  Field field{kind->id, payload.low_bytes(kind->bytes)};
  if (masked) field.mask = payload.low_bytes(kind->bytes);
  payload.expect_end();
  match.fields.push_back(field);
}

}  // namespace

std::uint32_t field_header(const FieldKind& kind) {
  return static_cast<std::uint32_t>(kind.id) | kind.bytes;
}

const FieldKind* field_of_header(std::uint32_t header) {
  const FieldKind* kind = find_field(FieldId{header & kIdBits});
  return kind != nullptr && field_header(*kind) == header ? kind : nullptr;
}

void write_field(Writer& writer, const Field& field) {
  const FieldKind* kind = find_field(field.id);
  EBB_CHECK(kind != nullptr, "a field has a kind");
  const std::uint32_t header = field_header(*kind);
  writer.number(field.mask ? (header + kind->bytes) | kHasMask : header);
  writer.low_bytes(field.value, kind->bytes);
  if (field.mask) writer.low_bytes(*field.mask, kind->bytes);
}

void layout(Writer& writer, const Match& match) {
  const std::size_t start = writer.size();
  writer.number(kOxmMatch);
  writer.pad(2);
  for (const Field& field : match.fields) write_field(writer, field);
  for (const OtherField& field : match.others) {
    writer.number(field.header);
    writer.rest(field.payload);
  }
  writer.set_length(start + 2, writer.size() - start);
  writer.pad_to_8(start);
}

void layout(Reader& reader, Match& match) {
  const std::size_t start = reader.offset();
  const auto type = reader.take<std::uint16_t>();
  const auto length = reader.take<std::uint16_t>();
  if (type != kOxmMatch)
    reader.refuse_at(fmt::format("a match of type {} instead of 1", type), start);
  if (length < 4) return reader.refuse_at(fmt::format("a match of {} bytes", length), start);
  Reader fields = reader.part(length - 4U);
  while (fields.more()) read_field(fields, match);
  reader.pad((8 - length % 8) % 8);
}

namespace {

constexpr std::uint16_t kSetField = 25;
constexpr std::uint16_t kExperimenter = 0xffff;
constexpr std::uint32_t kNicira = 0x2320;
constexpr std::uint16_t kRegMove = 6;
constexpr std::uint16_t kRegLoad = 7;

template <class T>
constexpr std::uint16_t kType = kExperimenter;
template <>
constexpr std::uint16_t kType<Output> = 0;
template <>
constexpr std::uint16_t kType<PushVlan> = 17;
template <>
constexpr std::uint16_t kType<PopVlan> = 18;
template <>
constexpr std::uint16_t kType<ToGroup> = 22;
template <>
constexpr std::uint16_t kType<SetField> = kSetField;
template <>
constexpr std::uint16_t kType<GotoTable> = 1;
template <>
constexpr std::uint16_t kType<WriteActions> = 3;
template <>
constexpr std::uint16_t kType<ApplyActions> = 4;

template <class T>
std::uint16_t type_of(const T& value) {
  if constexpr (requires { value.type; }) {
    return value.type;
  } else {
    return kType<T>;
  }
}

void body(auto& wire, Like<Output> auto& action) {
  wire.number(action.port);
  wire.number(action.max_length);
  wire.pad(6);
}
void body(auto& wire, Like<ToGroup> auto& action) { wire.number(action.group); }
void body(auto& wire, Like<PushVlan> auto& action) {
  wire.number(action.ethertype);
  wire.pad(2);
}
void body(auto& wire, Like<PopVlan> auto& /*action*/) { wire.pad(4); }
void body(auto& wire, Like<OtherAction> auto& action) { wire.rest(action.body); }
void body(auto& wire, Like<GotoTable> auto& instruction) {
  wire.number(instruction.table);
  wire.pad(3);
}
void body(auto& wire, Like<OtherInstruction> auto& instruction) { wire.rest(instruction.body); }
template <class T>
concept HasActions = Like<T, ApplyActions> || Like<T, WriteActions>;
void body(auto& wire, HasActions auto& instruction) {
  wire.pad(4);
  layout(wire, instruction.actions);
}

void body(Writer& writer, const SetField& action) { write_field(writer, action.field); }

void nicira(Writer& writer, std::uint16_t subtype) {
  writer.number(kNicira);
  writer.number(subtype);
}
std::uint32_t header_of(Writer& writer, FieldId id) {
  const FieldKind* kind = find_field(id);
  if (kind == nullptr) writer.refuse("a field that has no kind");
  return kind == nullptr ? 0 : field_header(*kind);
}
void body(Writer& writer, const Move& action) {
  nicira(writer, kRegMove);
  writer.number(action.from.count);
  writer.number(action.from.first);
  writer.number(action.to_first);
  writer.number(header_of(writer, action.from.field));
  writer.number(header_of(writer, action.to));
}
void body(Writer& writer, const Load& action) {
  nicira(writer, kRegLoad);
  if (action.to.count < 1 || action.to.count > 64 || action.to.first > 1023) {
    writer.refuse(fmt::format("a load of {} bits from bit {}", action.to.count, action.to.first));
  }
  writer.number(static_cast<std::uint16_t>(action.to.first << 6U | (action.to.count - 1U)));
  writer.number(header_of(writer, action.to.field));
  writer.number(action.value);
}

template <class Item>
void write_items(Writer& writer, const std::vector<Item>& items) {
  for (const Item& item : items) {
    const std::size_t start = writer.size();
    std::visit(
        [&](const auto& value) {
          writer.number(type_of(value));
          writer.pad(2);
          body(writer, value);
        },
        item);
    writer.pad_to_8(start);
    writer.set_length(start + 2, writer.size() - start);
  }
}

// The header of a list's next item, and its body as a reader of its own.
struct Item {
  std::uint16_t type;
  Reader body;
};
Item next_item(Reader& reader, std::string_view what) {
  const std::size_t start = reader.offset();
  const auto type = reader.take<std::uint16_t>();
  const auto length = reader.take<std::uint16_t>();
  if (length < 8 || length % 8 != 0)
    reader.refuse_at(fmt::format("{} of {} bytes", what, length), start);
  return {type, reader.part(length < 4 ? 0 : length - 4U)};
}

template <class T>
T read(Reader& reader) {
  T value;
  body(reader, value);
  reader.expect_end();
  return value;
}

OtherAction other(std::uint16_t type, Reader& reader) {
  OtherAction action{type, {}};
  reader.rest(action.body);
  return action;
}

Action read_set_field(Reader& reader) {
  const FieldKind* kind = field_of_header(static_cast<std::uint32_t>(reader.peek(0, 4)));
  if (kind == nullptr) return other(kSetField, reader);
  reader.pad(4);
  SetField action{{kind->id, reader.low_bytes(kind->bytes)}};
  reader.pad((8 - (8U + kind->bytes) % 8) % 8);
  reader.expect_end();
  return action;
}

// Open vSwitch gives a load back with the name that the field had before OpenFlow 1.2.
const FieldKind* field_of_any_header(std::uint32_t header) {
  constexpr std::uint32_t kOldEthDst = 0x0206;
  constexpr std::uint32_t kOldEthSrc = 0x0406;
  if (header == kOldEthDst) return find_field(FieldId::eth_dst);
  if (header == kOldEthSrc) return find_field(FieldId::eth_src);
  return field_of_header(header);
}

Action read_move(Reader& reader) {
  const FieldKind* from = field_of_header(static_cast<std::uint32_t>(reader.peek(12, 4)));
  const FieldKind* to = field_of_header(static_cast<std::uint32_t>(reader.peek(16, 4)));
  if (reader.left() != 20 || from == nullptr || to == nullptr) return other(kExperimenter, reader);
  reader.pad(6);
  Move action{{from->id}, to->id};
  reader.number(action.from.count);
  reader.number(action.from.first);
  reader.number(action.to_first);
  reader.pad(8);
  return action;
}

Action read_load(Reader& reader) {
  const FieldKind* to = field_of_any_header(static_cast<std::uint32_t>(reader.peek(8, 4)));
  if (reader.left() != 20 || to == nullptr) return other(kExperimenter, reader);
  reader.pad(6);
  const auto range = reader.take<std::uint16_t>();
  reader.pad(4);
  return Load{{to->id, static_cast<std::uint16_t>(range >> 6U),
               static_cast<std::uint16_t>((range & 63U) + 1U)},
              reader.take<std::uint64_t>()};
}

Action read_experimenter(Reader& reader) {
  if (reader.peek(0, 4) == kNicira && reader.peek(4, 2) == kRegMove) return read_move(reader);
  if (reader.peek(0, 4) == kNicira && reader.peek(4, 2) == kRegLoad) return read_load(reader);
  return other(kExperimenter, reader);
}

Action read_action(std::uint16_t type, Reader& reader) {
  switch (type) {
    case kType<Output>:
      return read<Output>(reader);
    case kType<PushVlan>:
      return read<PushVlan>(reader);
    case kType<PopVlan>:
      return read<PopVlan>(reader);
    case kType<ToGroup>:
      return read<ToGroup>(reader);
    case kSetField:
      return read_set_field(reader);
    case kExperimenter:
      return read_experimenter(reader);
    default:
      return other(type, reader);
  }
}

Instruction read_instruction(std::uint16_t type, Reader& reader) {
  switch (type) {
    case kType<GotoTable>:
      return read<GotoTable>(reader);
    case kType<WriteActions>:
      return read<WriteActions>(reader);
    case kType<ApplyActions>:
      return read<ApplyActions>(reader);
    default:
      break;
  }
  OtherInstruction instruction{type, {}};
  reader.rest(instruction.body);
  return instruction;
}

}  // namespace

void layout(Writer& writer, const Actions& actions) { write_items(writer, actions); }

void layout(Reader& reader, Actions& actions) {
  while (reader.more()) {
    auto item = next_item(reader, "an action");
    actions.push_back(read_action(item.type, item.body));
  }
}

void layout(Writer& writer, const Instructions& instructions) { write_items(writer, instructions); }

void layout(Reader& reader, Instructions& instructions) {
  while (reader.more()) {
    auto item = next_item(reader, "an instruction");
    instructions.push_back(read_instruction(item.type, item.body));
  }
}

}  // namespace ebb::openflow
