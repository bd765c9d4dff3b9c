// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "wire.hpp"

#include "ebb/openflow/action.hpp"

namespace ebb::openflow {

// The header of an unmasked field, as the actions move and load name it.
[[nodiscard]] std::uint32_t field_header(const FieldKind& kind);
// Null unless the header is that of a whole, unmasked field that ebb knows.
[[nodiscard]] const FieldKind* field_of_header(std::uint32_t header);

void write_field(Writer& writer, const Field& field);

// With its padding to 8 bytes.
void layout(Writer& writer, const Match& match);
void layout(Reader& reader, Match& match);

// A Reader's lists end with the reader.
void layout(Writer& writer, const Actions& actions);
void layout(Reader& reader, Actions& actions);
void layout(Writer& writer, const Instructions& instructions);
void layout(Reader& reader, Instructions& instructions);

}  // namespace ebb::openflow
