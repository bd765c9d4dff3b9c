// SPDX-License-Identifier: Apache-2.0
//
// Steps on a folded Clos, computed from switch numbers; topology's clos.hpp has the wiring rule:
// uplink u of a sub-block goes to switch (o + u) mod n of its block, where o counts the uplinks of
// the sub-blocks before it. So switch i of a block has the uplinks i, i+n, i+2n, ... of all its
// sub-blocks at its ports 0, 1, 2, ..., and those of one sub-block are a run of ports.
#pragma once

#include "ebb/routing/routing.hpp"
#include "ebb/topology/rails.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::routing {

class Clos {
 public:
  // Blocks of one level; all but the last are full.
  struct Level {
    std::int64_t first_switch = 0;
    std::int64_t blocks = 0;
    std::int64_t sub_blocks = 0;  // of a full block
    std::int64_t leaves = 0;      // below a full block
    std::int64_t switches = 0;    // of a full block
    std::int64_t last_switches = 0;
    std::int64_t uplinks = 0;  // of a full block
    std::int64_t last_uplinks = 0;
    std::int64_t ups = 0;  // uplinks of a switch

    [[nodiscard]] std::int64_t switches_of(std::int64_t block) const {
      return block + 1 < blocks ? switches : last_switches;
    }
    [[nodiscard]] std::int64_t uplinks_of(std::int64_t block) const {
      return block + 1 < blocks ? uplinks : last_uplinks;
    }
  };

  // From the parameters of the family alone: leaves first.
  [[nodiscard]] static std::vector<Level> levels_of(const Parameters& parameters);
  [[nodiscard]] static std::int64_t hosts_per_leaf(const Parameters& parameters);

  // Of a graph that passed check_origin, made by clos or rail-clos.
  explicit Clos(const Graph& graph);

  [[nodiscard]] static int virtual_channels() { return 1; }
  [[nodiscard]] std::uint32_t switch_of(NodeId host) const {
    const std::uint32_t number = graph_.host_number(host);
    if (rails_) return rails_->leaf_of(number);
    return static_cast<std::uint32_t>(number / hosts_per_leaf_);
  }
  [[nodiscard]] std::size_t memory_bytes() const { return levels_.capacity() * sizeof(Level); }

  // Up by any uplink until the switch's block holds the leaf, then down by any link into the
  // sub-block that holds it. Every switch of a block reaches every sub-block, so both always exist.
  void step(std::uint32_t from, std::uint32_t leaf, Candidates& out) const;
  [[nodiscard]] int remaining_hops(std::uint32_t from, std::uint32_t leaf) const;

 private:
  // The level above `below` whose blocks join `sub_blocks` of its blocks with switches of so many
  // ports down and up.
  [[nodiscard]] static Level joined(const Level& below, std::int64_t sub_blocks,
                                    std::int64_t down_ports, std::int64_t ups);
  [[nodiscard]] std::size_t level_of(std::uint32_t s) const;
  [[nodiscard]] bool holds(std::size_t level, std::uint32_t s, std::uint32_t leaf) const;
  void step_down(std::size_t level, std::uint32_t from, std::uint32_t leaf, Candidates& out) const;

  const Graph& graph_;
  std::optional<topology::Rails> rails_;  // nothing: hosts are numbered leaf by leaf
  std::int64_t hosts_per_leaf_ = 1;
  std::vector<Level> levels_;
};

}  // namespace ebb::routing
