// SPDX-License-Identifier: Apache-2.0
//
// The applications that registry.cpp lists. Each stands in a source of this folder, after what it
// sends in words; those of one family share a source.
#pragma once

#include "ebb/applications/application.hpp"

#include <vector>

namespace ebb::applications {

// One for each collective operation.
[[nodiscard]] std::vector<Application> collectives();

// clang-format off
namespace halo2d { [[nodiscard]] Application application(); }
namespace halo3d { [[nodiscard]] Application application(); }
namespace sweep3d { [[nodiscard]] Application application(); }
namespace fft3d { [[nodiscard]] Application application(); }
namespace nas_bt { [[nodiscard]] Application application(); }
namespace nas_cg { [[nodiscard]] Application application(); }
namespace nas_ep { [[nodiscard]] Application application(); }
namespace nas_ft { [[nodiscard]] Application application(); }
namespace nas_is { [[nodiscard]] Application application(); }
namespace nas_lu { [[nodiscard]] Application application(); }
namespace nas_mg { [[nodiscard]] Application application(); }
namespace nas_sp { [[nodiscard]] Application application(); }
namespace hpl { [[nodiscard]] Application application(); }
// clang-format on

}  // namespace ebb::applications
