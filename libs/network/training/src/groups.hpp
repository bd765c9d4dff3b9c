// SPDX-License-Identifier: Apache-2.0
//
// Which GPUs work together. Groups are lists of ranks in ascending order. With one rail all ranks
// have the place 0 in their tensor group.
#pragma once

#include "ebb/training/division.hpp"

#include <cstdint>
#include <vector>

namespace ebb::training {

// Where a GPU stands in its groups.
struct Place {
  std::uint32_t tensor = 0;
  std::uint32_t context = 0;
  std::uint32_t stage = 0;
  std::uint32_t data = 0;
};

class Groups {
 public:
  explicit Groups(const Division& division) : division_(division) {}

  [[nodiscard]] Place place_of(std::uint32_t rank) const;
  [[nodiscard]] std::uint32_t rank_of(const Place& place) const;

  // GPUs that share the sequences of a micro-batch.
  [[nodiscard]] std::vector<std::uint32_t> context(const Place& place) const;
  // GPUs with the same parameters but those of experts: all of the data and context groups.
  [[nodiscard]] std::vector<std::uint32_t> replicas(const Place& place) const;
  // Neighbours of a data group that share the experts of a layer.
  [[nodiscard]] std::vector<std::uint32_t> expert(const Place& place) const;
  // GPUs with the same experts.
  [[nodiscard]] std::vector<std::uint32_t> expert_replicas(const Place& place) const;

  [[nodiscard]] bool in_one_server(const std::vector<std::uint32_t>& group) const {
    return group.front() / division_.server_ranks() == group.back() / division_.server_ranks();
  }

 private:
  [[nodiscard]] std::uint32_t tensor_ranks() const {
    return division_.one_rail ? 1 : division_.tensor;
  }

  const Division& division_;
};

}  // namespace ebb::training
