// SPDX-License-Identifier: Apache-2.0
//
// The families that families.cpp lists. Each is one source under families/, which begins with what
// the network is and how its switches, hosts and ports are numbered.
#pragma once

#include "ebb/topology/family.hpp"

// clang-format off
namespace ebb::topology {

namespace clos { [[nodiscard]] Family family(); }
namespace clos_chassis { [[nodiscard]] Family family(); }
namespace complete { [[nodiscard]] Family family(); }
namespace dragonfly { [[nodiscard]] Family family(); }
namespace fbfly { [[nodiscard]] Family family(); }
namespace irregular { [[nodiscard]] Family family(); }
namespace mesh { [[nodiscard]] Family family(); }
namespace torus { [[nodiscard]] Family family(); }
namespace tree { [[nodiscard]] Family family(); }

}  // namespace ebb::topology
// clang-format on
