// SPDX-License-Identifier: Apache-2.0
#include "gpu_operations.hpp"

#include "ebb/training/chunk.hpp"

#include <algorithm>
#include <utility>

namespace ebb::training {
namespace {

constexpr std::uint8_t kPassesCpu = 1;

}  // namespace

std::int64_t part_of(std::int64_t whole, std::size_t parts) {
  const auto count = static_cast<std::int64_t>(parts);
  return (whole + count - 1) / count;
}

GpuOperations::GpuOperations(const Division& division, DataRate scale_up, std::uint32_t rank)
    : division_(division),
      scale_up_(scale_up),
      groups_(division),
      rank_(rank),
      place_(groups_.place_of(rank)) {}

GpuOperations::Group GpuOperations::group(std::vector<std::uint32_t> ranks) const {
  const bool inside = groups_.in_one_server(ranks);
  return {std::move(ranks), inside};
}

bool GpuOperations::is_inside(std::uint32_t other) const {
  return other / division_.server_ranks() == rank_ / division_.server_ranks();
}

Duration GpuOperations::inside_time(Kind kind, const Group& group, DataSize size) const {
  if (!group.is_inside || group.ranks.size() < 2) return {};
  const auto n = static_cast<std::uint32_t>(group.ranks.size());
  const DataSize sent =
      kind == Kind::all_reduce ? all_reduce_data(size, n) : size * (std::int64_t{n} - 1);
  return serialization_time(sent, scale_up_);
}

std::uint32_t GpuOperations::compute(Duration time, std::span<const After> after) {
  const auto whole = std::chrono::ceil<std::chrono::nanoseconds>(time);
  const auto made =
      built_.add({.kind = program::Operation::Kind::compute, .time = whole, .cpu = kPassesCpu});
  for (const After& one : after) {
    if (one) built_.wait_for_end(made, *one);
  }
  return made;
}

std::uint32_t GpuOperations::message(program::Operation::Kind kind, std::uint32_t peer,
                                     std::uint32_t tag, DataSize size) {
  // Inside of a server it says only that the data is there: the pass before it has its time.
  return built_.add(
      {.kind = kind, .peer = peer, .tag = tag, .size = is_inside(peer) ? DataSize() : size});
}

GpuOperations::After GpuOperations::collective(Kind kind, const Group& group, DataSize size,
                                               std::uint32_t tag, After after) {
  if (group.is_inside || group.ranks.size() < 2 || size == DataSize()) return after;
  const auto me = std::ranges::lower_bound(group.ranks, rank_) - group.ranks.begin();
  return append(built_,
                {.kind = kind,
                 .ranks = group.ranks,
                 .me = static_cast<std::uint32_t>(me),
                 .size = size,
                 .tag = tag},
                after);
}

}  // namespace ebb::training
