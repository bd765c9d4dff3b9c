// SPDX-License-Identifier: Apache-2.0
#include "deadlock/dependencies.hpp"

#include <algorithm>

namespace ebb::routing {
namespace {

constexpr std::uint32_t kUnseen = 0xFFFF'FFFF;

// Breadth-first searches for the way back to where they started.
class CycleSearch {
 public:
  CycleSearch(const Dependencies& dependencies, const std::vector<bool>& inside)
      : dependencies_(dependencies), inside_(inside), before_(dependencies.vertices(), kUnseen) {}

  // The shortest cycle through `start` if it has fewer than `limit` vertices, else nothing.
  std::vector<std::uint32_t> through(std::uint32_t start, std::size_t limit) {
    for (const std::uint32_t vertex : queue_) before_[vertex] = kUnseen;
    queue_.assign(1, start);
    before_[start] = start;
    std::size_t level_end = 1;
    std::size_t length = 1;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (i == level_end) {
        level_end = queue_.size();
        ++length;
      }
      if (length >= limit) return {};
      for (const std::uint32_t next : dependencies_.of(queue_[i])) {
        if (next == start) return back_from(queue_[i], start);
        if (!inside_[next] || before_[next] != kUnseen) continue;
        before_[next] = queue_[i];
        queue_.push_back(next);
      }
    }
    return {};
  }

 private:
  [[nodiscard]] std::vector<std::uint32_t> back_from(std::uint32_t vertex,
                                                     std::uint32_t start) const {
    std::vector<std::uint32_t> cycle = {vertex};
    while (cycle.back() != start) cycle.push_back(before_[cycle.back()]);
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
  }

  const Dependencies& dependencies_;
  const std::vector<bool>& inside_;
  std::vector<std::uint32_t> before_;
  std::vector<std::uint32_t> queue_;
};

}  // namespace

void Dependencies::add(std::uint32_t from, std::uint32_t to) {
  constexpr std::size_t kLeastBatch = 1'000'000;
  pairs_.push_back(std::uint64_t{from} << 32U | to);
  if (pairs_.size() > 2 * known_ + kLeastBatch) drop_duplicates();
}

void Dependencies::drop_duplicates() {
  const auto middle = pairs_.begin() + static_cast<std::ptrdiff_t>(known_);
  std::sort(middle, pairs_.end());
  std::inplace_merge(pairs_.begin(), middle, pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  known_ = pairs_.size();
}

void Dependencies::finish() {
  drop_duplicates();
  first_.assign(vertices_ + std::size_t{1}, 0);
  targets_.reserve(pairs_.size());
  for (const std::uint64_t pair : pairs_) {
    ++first_[(pair >> 32U) + 1];
    targets_.push_back(static_cast<std::uint32_t>(pair));
  }
  for (std::size_t vertex = 1; vertex < first_.size(); ++vertex)
    first_[vertex] += first_[vertex - 1];
  pairs_ = {};
}

std::vector<bool> Dependencies::core() const {
  std::vector<std::vector<std::uint32_t>> sources(vertices_);
  std::vector<std::uint32_t> in(vertices_, 0);
  std::vector<std::uint32_t> out(vertices_, 0);
  for (std::uint32_t vertex = 0; vertex < vertices_; ++vertex) {
    for (const std::uint32_t next : of(vertex)) {
      sources[next].push_back(vertex);
      ++in[next];
      ++out[vertex];
    }
  }
  std::vector<bool> inside(vertices_, true);
  std::vector<std::uint32_t> leaving;
  const auto leave_if_loose = [&](std::uint32_t vertex) {
    if (!inside[vertex] || (in[vertex] > 0 && out[vertex] > 0)) return;
    inside[vertex] = false;
    leaving.push_back(vertex);
  };
  for (std::uint32_t vertex = 0; vertex < vertices_; ++vertex) leave_if_loose(vertex);
  while (!leaving.empty()) {
    const std::uint32_t vertex = leaving.back();
    leaving.pop_back();
    for (const std::uint32_t next : of(vertex)) {
      --in[next];
      leave_if_loose(next);
    }
    for (const std::uint32_t before : sources[vertex]) {
      --out[before];
      leave_if_loose(before);
    }
  }
  return inside;
}

std::vector<std::uint32_t> Dependencies::shortest_cycle() const {
  const std::vector<bool> inside = core();
  CycleSearch search(*this, inside);
  std::vector<std::uint32_t> shortest;
  for (std::uint32_t vertex = 0; vertex < vertices_; ++vertex) {
    if (!inside[vertex]) continue;
    const std::size_t limit = shortest.empty() ? vertices_ + std::size_t{1} : shortest.size();
    auto cycle = search.through(vertex, limit);
    if (!cycle.empty()) shortest = std::move(cycle);
  }
  return shortest;
}

}  // namespace ebb::routing
