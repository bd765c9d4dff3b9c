// SPDX-License-Identifier: Apache-2.0
//
// Which hosts a job gets. Jobs take theirs one after the other, from those that no earlier job has.
//
//   linear    in the order of the network
//   random    drawn by the seed
//   by-rack   those of one switch together, switches in an order drawn by the seed
//   FILE      one host in each line, by its number or name, rank after rank
#pragma once

#include "ebb/config/jobs_spec.hpp"
#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::config {

class HostPool {
 public:
  HostPool(const topology::Graph& graph, std::uint64_t seed)
      : graph_(graph), seed_(seed), taken_(graph.hosts_of_plane()) {}

  // By rank.
  [[nodiscard]] Result<std::vector<std::uint32_t>> take(const JobSpec& job, std::uint32_t ranks);

 private:
  [[nodiscard]] Result<std::vector<std::uint32_t>> from_file(const std::string& path,
                                                             std::uint32_t ranks);
  [[nodiscard]] std::vector<std::uint32_t> free() const;
  void shuffle(std::vector<std::uint32_t>& list) const;
  void gather_racks(std::vector<std::uint32_t>& hosts) const;

  const topology::Graph& graph_;
  std::uint64_t seed_;
  std::vector<bool> taken_;
};

}  // namespace ebb::config
