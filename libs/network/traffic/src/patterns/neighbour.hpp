// SPDX-License-Identifier: Apache-2.0
//
// The halo exchange of a stencil on a periodic grid: a host sends to the hosts in its place at the
// neighbouring switches in turn, one up and one down in each dimension, the first dimension first.
// A dimension of 2 switches has one neighbour, a dimension of 1 none. Lines are closed: on a mesh
// the two ends of a line are partners too.
#pragma once

#include "ebb/traffic/pattern.hpp"

namespace ebb::traffic::neighbour {

[[nodiscard]] PatternKind kind();

}  // namespace ebb::traffic::neighbour
