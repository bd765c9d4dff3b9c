// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ebb::mpi {

// Whether a launcher started this process as one of several, by what it left in the environment.
// Asking MPI itself takes half a second, even where there is but one process.
[[nodiscard]] bool started_together();

}  // namespace ebb::mpi
