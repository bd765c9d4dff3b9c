// SPDX-License-Identifier: Apache-2.0
#include "chakra_dependencies.hpp"

#include "ebb/program/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>

namespace ebb::trace {
namespace {

using Places = std::vector<std::uint64_t>;

// Ids become places; those that are not there are dropped.
void find_places(ChakraRank& rank, Repaired& missing) {
  std::unordered_map<std::uint64_t, std::uint64_t> place_of;
  place_of.reserve(rank.nodes.size());
  for (const ChakraNode& node : rank.nodes) place_of.emplace(node.id, place_of.size());
  for (ChakraNode& node : rank.nodes) {
    for (Places* ids : {&node.data_deps, &node.ctrl_deps}) {
      Places found;
      found.reserve(ids->size());
      for (const std::uint64_t id : *ids) {
        const auto place = place_of.find(id);
        if (place != place_of.end()) {
          found.push_back(place->second);
        } else {
          missing.add(fmt::format("node {} on node {} of {}", node.id, id, rank.file));
        }
      }
      *ids = std::move(found);
    }
  }
}

// Puts nodes in order, each after all that it waits for. Where none is left that waits for nothing,
// the first node of the file that waits for ctrl_deps alone goes on without them.
class Order {
 public:
  Order(ChakraRank& rank, Repaired& cyclic)
      : rank_(rank), cyclic_(cyclic), left_(rank.nodes.size()), later_(rank.nodes.size()) {
    for (std::uint64_t place = 0; place < left_.size(); ++place) {
      const ChakraNode& node = rank_.nodes[place];
      left_[place] = {node.data_deps.size(), node.ctrl_deps.size()};
      for (const std::uint64_t earlier : node.data_deps) later_[earlier].push_back({place, false});
      for (const std::uint64_t earlier : node.ctrl_deps) later_[earlier].push_back({place, true});
    }
  }

  Errors run() {
    for (std::uint64_t place = 0; place < left_.size(); ++place) look_at(place);
    while (!ready_.empty() || !held_.empty()) {
      if (ready_.empty()) {
        release(held_.top());
        held_.pop();
        continue;
      }
      const std::uint64_t place = ready_.back();
      ready_.pop_back();
      end(place);
    }
    return cycles();
  }

 private:
  struct Left {  // what a node waits for still
    std::uint64_t data = 0;
    std::uint64_t ctrl = 0;
    bool is_done = false;
  };
  struct Later {
    std::uint64_t place = 0;
    bool by_ctrl = false;
  };

  void look_at(std::uint64_t place) {
    if (left_[place].data > 0) return;
    if (left_[place].ctrl == 0) {
      ready_.push_back(place);
    } else {
      held_.push(place);
    }
  }
  void end(std::uint64_t place) {
    left_[place].is_done = true;
    for (const auto& [later, by_ctrl] : later_[place]) {
      Left& left = left_[later];
      if (by_ctrl && left.ctrl == 0) continue;  // it went on without
      --(by_ctrl ? left.ctrl : left.data);
      if (by_ctrl && left.data > 0) continue;
      if (!by_ctrl || left.ctrl == 0) look_at(later);
    }
  }
  // Without the ctrl_deps that have not ended, unless they have ended since it was held.
  void release(std::uint64_t place) {
    if (left_[place].ctrl == 0) return;
    ChakraNode& node = rank_.nodes[place];
    std::erase_if(node.ctrl_deps, [&](std::uint64_t earlier) {
      if (left_[earlier].is_done) return false;
      cyclic_.add(
          fmt::format("node {} on node {} of {}", node.id, rank_.nodes[earlier].id, rank_.file));
      return true;
    });
    left_[place].ctrl = 0;
    ready_.push_back(place);
  }

  // What is left waits for data_deps that are left: following one of each ends in a cycle.
  [[nodiscard]] Errors cycles() const {
    Errors errors;
    std::vector<std::uint64_t> seen(left_.size());  // on which walk
    for (std::uint64_t start = 0; start < left_.size(); ++start) {
      if (left_[start].is_done || seen[start] > 0) continue;
      Places walk;
      std::uint64_t place = start;
      while (seen[place] == 0) {
        seen[place] = start + 1;
        walk.push_back(place);
        place = *std::ranges::find_if(rank_.nodes[place].data_deps, [&](std::uint64_t earlier) {
          return !left_[earlier].is_done;
        });
      }
      if (seen[place] != start + 1) continue;
      walk.erase(walk.begin(), std::ranges::find(walk, place));
      errors.push_back({cycle_text(walk), {rank_.file}});
      if (errors.size() >= program::kMostErrors) break;
    }
    return errors;
  }
  [[nodiscard]] std::string cycle_text(const Places& walk) const {
    constexpr std::size_t kMostNamed = 10;
    if (walk.size() == 1) return fmt::format("node {} waits for itself", rank_.nodes[walk[0]].id);
    std::string names;
    for (std::size_t i = 0; i < std::min(walk.size(), kMostNamed); ++i)
      names += fmt::format("{}{}", i == 0 ? "" : ", ", rank_.nodes[walk[i]].id);
    return fmt::format("{} nodes wait for each other: {}{}", walk.size(), names,
                       walk.size() > kMostNamed ? " ..." : "");
  }

  ChakraRank& rank_;
  Repaired& cyclic_;
  std::vector<Left> left_;
  std::vector<std::vector<Later>> later_;
  std::vector<std::uint64_t> ready_;
  // Nodes that wait for ctrl_deps alone, the first of the file first.
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> held_;
};

}  // namespace

Errors resolve_dependencies(ChakraRank& rank, DependencyRepairs& repairs) {
  find_places(rank, repairs.missing);
  return Order(rank, repairs.cyclic).run();
}

}  // namespace ebb::trace
