// SPDX-License-Identifier: Apache-2.0
#include "started_together.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace ebb::mpi {

bool started_together() {
  // Open MPI's mpirun; PMIx (srun --mpi=pmix, prun); PMI-1 and PMI-2 (srun --mpi=pmi2).
  constexpr std::array kSigns = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  return std::any_of(kSigns.begin(), kSigns.end(),
                     [](const char* sign) { return std::getenv(sign) != nullptr; });
}

}  // namespace ebb::mpi
