// SPDX-License-Identifier: Apache-2.0
//
// Which channels live on which rank, and values by channel that travel between ranks: each sends
// those of its own channels, ascending, and whoever receives them knows whose they are.
#pragma once

#include "world.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::netsim {

class ChannelGathering {
 public:
  explicit ChannelGathering(const World& world);

  // Of this rank, ascending.
  [[nodiscard]] std::span<const std::uint32_t> here() const { return of_[ranks_.rank()]; }

  // Calls put(channel, value) for channels of other ranks, with what `get` gives for a channel
  // where it lives: on every rank, or on rank 0 alone.
  template <class Get, class Put>
  void share(Get get, Put put) const {
    if (!ranks_.alone()) spread(ranks_.share(pack(get)), get, put);
  }
  template <class Get, class Put>
  void collect(Get get, Put put) const {
    if (!ranks_.alone()) spread(ranks_.collect(pack(get)), get, put);
  }

 private:
  template <class Get>
  [[nodiscard]] Bytes pack(Get get) const {
    Bytes bytes;
    bytes.reserve(here().size() * sizeof(get(0)));
    for (const std::uint32_t channel : here()) append(bytes, get(channel));
    return bytes;
  }
  template <class Get, class Put>
  void spread(const std::vector<Bytes>& by_rank, Get /*get*/, Put put) const {
    using Value = std::invoke_result_t<Get, std::uint32_t>;
    for (std::uint32_t r = 0; r < by_rank.size(); ++r) {
      if (r == ranks_.rank()) continue;
      ByteReader reader(by_rank[r]);
      for (const std::uint32_t channel : of_[r]) put(channel, reader.take<Value>());
    }
  }

  mpi::Ranks& ranks_;
  std::vector<std::vector<std::uint32_t>> of_;  // by rank
};

}  // namespace ebb::netsim
