// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/mpi/ranks.hpp"

#include <memory>

namespace ebb::mpi {

// The ranks this process was started with by mpirun or srun, or it alone. At most once in the life
// of a process; the ranks part when the result is destroyed. An error when there are others but
// this program was built without MPI.
[[nodiscard]] Result<std::unique_ptr<Ranks>> join();

}  // namespace ebb::mpi
