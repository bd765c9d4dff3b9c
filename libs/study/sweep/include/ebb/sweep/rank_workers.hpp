// SPDX-License-Identifier: Apache-2.0
//
// Other ranks as workers: rank 0 hands out, the others serve, one run at a time each.
#pragma once

#include "ebb/mpi/post.hpp"
#include "ebb/mpi/ranks.hpp"
#include "ebb/sweep/workers.hpp"

#include <memory>

namespace ebb::sweep {

// On rank 0. The other ranks are sent home when it is destroyed.
[[nodiscard]] std::unique_ptr<Workers> rank_workers(const mpi::Ranks& ranks, mpi::Post& post);

// On the others: performs what rank 0 hands out, until it sends them home.
void serve(mpi::Post& post, const Perform& perform);

}  // namespace ebb::sweep
