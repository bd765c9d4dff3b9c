// SPDX-License-Identifier: Apache-2.0
//
// The hosts fill an m x m matrix by rows, N = m^2: host (row, column) sends to (column, row). The m
// hosts of the diagonal stay silent.
#pragma once

#include "ebb/traffic/pattern.hpp"

namespace ebb::traffic::transpose {

[[nodiscard]] PatternKind kind();

}  // namespace ebb::traffic::transpose
