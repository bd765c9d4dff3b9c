// SPDX-License-Identifier: Apache-2.0
//
// Which algorithm `auto` takes: that of MPICH (R. Thakur, R. Rabenseifner, W. Gropp, "Optimization
// of collective communication operations in MPICH", 2005), which has few rounds for small sizes and
// few bytes for large ones. Where it has an algorithm that is not here, the nearest one stands for
// it: `linear` for Bruck's all-to-all of up to 256 bytes, `ring` for the pairwise reduce-scatter,
// a binomial tree for the reduce of more than 2 KiB.
#include "ebb/program/collective.hpp"
#include "ebb/units/quantity.hpp"

#include <bit>
#include <limits>

namespace ebb::program {
namespace {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

// In bytes, of a rank where they differ by rank.
std::int64_t mean_size(const Collective& collective) {
  if (collective.sizes.empty()) return collective.size.count() / 8;
  Int128 sum = 0;
  for (const DataSize size : collective.sizes) sum += size.count() / 8;
  return static_cast<std::int64_t>(sum / static_cast<std::int64_t>(collective.sizes.size()));
}

}  // namespace

std::string_view automatic_algorithm(const Collective& collective) {
  const auto ranks = static_cast<std::int64_t>(collective.ranks.size());
  const bool is_power_of_two = std::has_single_bit(collective.ranks.size());
  const std::int64_t size = mean_size(collective);
  const std::int64_t whole = size > kUnbounded / ranks ? kUnbounded : size * ranks;
  switch (collective.kind) {
    case Collective::Kind::all_reduce:
      return size <= 2 * kKiB ? "recursive-doubling" : "halving-doubling";
    case Collective::Kind::all_gather:
      if (is_power_of_two) return whole < 512 * kKiB ? "recursive-doubling" : "ring";
      return whole < 80 * kKiB ? "bruck" : "ring";
    case Collective::Kind::broadcast:
      if (size < 12 * kKiB || ranks < 8) return "binomial-tree";
      return size < 512 * kKiB && is_power_of_two ? "scatter-doubling" : "scatter-ring";
    case Collective::Kind::all_to_all:
      return size <= 32 * kKiB ? "linear" : "pairwise";
    case Collective::Kind::reduce_scatter:
      return whole < 512 * kKiB ? "recursive-halving" : "ring";
    default:
      return {};  // the first of the kind, a tree or a dissemination
  }
}

}  // namespace ebb::program
