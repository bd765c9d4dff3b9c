// SPDX-License-Identifier: Apache-2.0
#include "ebb/mpi/ranks.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace ebb::mpi {

void Alone::fail(std::string_view why) {
  fmt::print(stderr, "ebb: {}\n", why);
  std::exit(70);  // a bug in ebb; docs/exit-codes.md
}

Ranks& alone() {
  static Alone process;
  return process;
}

}  // namespace ebb::mpi
