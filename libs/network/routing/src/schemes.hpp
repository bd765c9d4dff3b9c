// SPDX-License-Identifier: Apache-2.0
//
// The schemes that schemes.cpp lists. Each is a source under schemes/, which begins with what the
// scheme does and promises.
#pragma once

#include "ebb/routing/scheme.hpp"

// clang-format off
namespace ebb::routing {

namespace conditional { [[nodiscard]] Scheme scheme(); }
namespace dimension_order { [[nodiscard]] Scheme scheme(); }
namespace minimal { [[nodiscard]] Scheme scheme(); }
namespace minimal_adaptive { [[nodiscard]] Scheme scheme(); }
namespace piggyback { [[nodiscard]] Scheme scheme(); }
namespace shortest_path { [[nodiscard]] Scheme scheme(); }
namespace sparse { [[nodiscard]] Scheme mesh(); [[nodiscard]] Scheme torus(); [[nodiscard]] Scheme star(); }
namespace ugal { [[nodiscard]] Scheme scheme(); }
namespace up_down { [[nodiscard]] Scheme scheme(); }
namespace up_down_nonminimal { [[nodiscard]] Scheme scheme(); }
namespace up_down_tree { [[nodiscard]] Scheme scheme(); }
namespace valiant { [[nodiscard]] Scheme scheme(); }

}  // namespace ebb::routing
// clang-format on
