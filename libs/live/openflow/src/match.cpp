// SPDX-License-Identifier: Apache-2.0
#include "match.hpp"

#include "ebb/core/check.hpp"

namespace ebb::openflow {
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

}  // namespace ebb::openflow
