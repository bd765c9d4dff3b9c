// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace ebb::training {

Place Groups::place_of(std::uint32_t rank) const {
  Place place;
  place.tensor = rank % tensor_ranks();
  rank /= tensor_ranks();
  place.context = rank % division_.context;
  rank /= division_.context;
  place.stage = rank % division_.stages;
  place.data = rank / division_.stages;
  return place;
}

std::uint32_t Groups::rank_of(const Place& place) const {
  const std::uint32_t replica = place.stage + division_.stages * place.data;
  return place.tensor + tensor_ranks() * (place.context + division_.context * replica);
}

std::vector<std::uint32_t> Groups::context(const Place& place) const {
  std::vector<std::uint32_t> ranks;
  ranks.reserve(division_.context);
  for (std::uint32_t c = 0; c < division_.context; ++c)
    ranks.push_back(rank_of({place.tensor, c, place.stage, place.data}));
  return ranks;
}

std::vector<std::uint32_t> Groups::replicas(const Place& place) const {
  std::vector<std::uint32_t> ranks;
  ranks.reserve(std::size_t{division_.data} * division_.context);
  for (std::uint32_t d = 0; d < division_.data; ++d) {
    for (std::uint32_t c = 0; c < division_.context; ++c)
      ranks.push_back(rank_of({place.tensor, c, place.stage, d}));
  }
  return ranks;
}

std::vector<std::uint32_t> Groups::expert(const Place& place) const {
  const std::uint32_t first = place.data / division_.expert * division_.expert;
  std::vector<std::uint32_t> ranks;
  ranks.reserve(division_.expert);
  for (std::uint32_t i = 0; i < division_.expert; ++i)
    ranks.push_back(rank_of({place.tensor, place.context, place.stage, first + i}));
  return ranks;
}

std::vector<std::uint32_t> Groups::expert_replicas(const Place& place) const {
  std::vector<std::uint32_t> ranks;
  ranks.reserve(std::size_t{division_.data / division_.expert} * division_.context);
  for (std::uint32_t d = place.data % division_.expert; d < division_.data; d += division_.expert) {
    for (std::uint32_t c = 0; c < division_.context; ++c)
      ranks.push_back(rank_of({place.tensor, c, place.stage, d}));
  }
  return ranks;
}

}  // namespace ebb::training
