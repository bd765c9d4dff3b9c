// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "wire.hpp"

#include "ebb/openflow/action.hpp"

namespace ebb::openflow {

// A Reader's lists end with the reader.
void layout(Writer& writer, const Actions& actions);
void layout(Reader& reader, Actions& actions);
void layout(Writer& writer, const Instructions& instructions);
void layout(Reader& reader, Instructions& instructions);

}  // namespace ebb::openflow
