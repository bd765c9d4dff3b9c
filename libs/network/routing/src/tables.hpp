// SPDX-License-Identifier: Apache-2.0
//
// A byte per (destination switch, switch), for schemes that cannot compute where a link leads. Only
// switches with hosts are destinations: s switches with hosts of S switches take s*S bytes.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/routing/routing.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::routing {

inline constexpr std::uint8_t kUnreachable = 255;
inline constexpr std::uint64_t kMostTableBytes = 256U << 20U;

class Tables {
 public:
  explicit Tables(const Graph& graph);

  // Refuses networks that would need more than kMostTableBytes, before anything is allocated.
  [[nodiscard]] static Result<void> check_size(const Graph& graph, std::uint64_t tables);

  // Switches with hosts.
  [[nodiscard]] std::span<const NodeId> destinations() const { return destinations_; }
  // By switch.
  [[nodiscard]] std::span<std::uint8_t> row(NodeId destination) {
    return std::span(entries_).subspan(row_of_[index(destination)] * switches_, switches_);
  }
  [[nodiscard]] std::span<const std::uint8_t> row(NodeId destination) const {
    return std::span(entries_).subspan(row_of_[index(destination)] * switches_, switches_);
  }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  std::size_t switches_ = 0;
  std::vector<std::size_t> row_of_;  // by switch
  std::vector<NodeId> destinations_;
  std::vector<std::uint8_t> entries_;
};

}  // namespace ebb::routing
