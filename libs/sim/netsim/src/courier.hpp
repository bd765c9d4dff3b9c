// SPDX-License-Identifier: Apache-2.0
//
// Carries mail between the partitions of this rank and those of others. Buffers are kept: once they
// have reached their working size nothing is allocated.
#pragma once

#include "mail.hpp"
#include "world.hpp"

#include <cstdint>
#include <vector>

namespace ebb::netsim {

class Courier {
 public:
  Courier(const World& world, Mail& mail);

  // Swaps what was posted in `round` with the neighbours; gives the earliest time of all ranks.
  TimePoint meet(std::uint32_t round, TimePoint earliest);

 private:
  void pack(std::uint32_t round, std::uint32_t rank, Bytes& bytes);
  void unpack(std::uint32_t round, std::uint32_t rank, const Bytes& bytes);

  const World& world_;
  Mail& mail_;
  std::vector<std::uint32_t> neighbours_;  // ranks at the other end of a cut link
  std::vector<Bytes> out_;                 // by neighbour
  std::vector<Bytes> in_;
};

}  // namespace ebb::netsim
