// SPDX-License-Identifier: Apache-2.0
#include "ebb/mpi/join.hpp"

#include "started_together.hpp"

#ifdef EBB_HAVE_MPI
#include "mpi_ranks.hpp"
#endif

namespace ebb::mpi {

Result<std::unique_ptr<Ranks>> join() {
  if (!started_together()) return std::make_unique<Alone>();
#ifdef EBB_HAVE_MPI
  return std::make_unique<MpiRanks>();
#else
  return fail("started as one of several processes, but this ebb was built without MPI");
#endif
}

}  // namespace ebb::mpi
