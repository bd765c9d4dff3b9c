// SPDX-License-Identifier: Apache-2.0
//
// The dependencies between (channel, virtual channel) buffers, as a graph whose vertices are
// numbered channel * virtual channels + virtual channel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ebb::routing {

class Dependencies {
 public:
  explicit Dependencies(std::uint32_t vertices) : vertices_(vertices) {}

  [[nodiscard]] std::uint32_t vertices() const { return vertices_; }

  void add(std::uint32_t from, std::uint32_t to);
  // No more `add` after this.
  void finish();

  // After `finish`:
  [[nodiscard]] std::uint64_t size() const { return targets_.size(); }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t vertex) const {
    return std::span(targets_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
  }

  // A shortest cycle, starting from its smallest vertex; empty when there is none.
  [[nodiscard]] std::vector<std::uint32_t> shortest_cycle() const;

 private:
  void drop_duplicates();
  // Vertices that have both a way in from and a way out to such vertices: all cycles are among
  // them.
  [[nodiscard]] std::vector<bool> core() const;

  std::uint32_t vertices_ = 0;
  std::vector<std::uint64_t> pairs_;  // from * 2^32 + to; those below known_ are sorted and unique
  std::size_t known_ = 0;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> targets_;
};

}  // namespace ebb::routing
