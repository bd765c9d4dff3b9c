// SPDX-License-Identifier: Apache-2.0
//
// Rules that cover the values of one field by their outputs and classes.
#pragma once

#include "way.hpp"

#include <optional>
#include <span>

namespace ebb::forwarding {

// `steps` by value of the field; nothing: a value that earlier layers have dealt with.
[[nodiscard]] Layers covered(const Field& field, std::span<const std::optional<Way::Step>> steps);

}  // namespace ebb::forwarding
