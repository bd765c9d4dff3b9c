// SPDX-License-Identifier: Apache-2.0
//
// Steps on a folded Clos of chassis, computed from chip numbers; topology's clos_chassis.hpp has
// the wiring. Uplink u of host u goes from the host's chip to stage-3 chassis u mod n, there to
// leaf chip (u div n) mod (leaf chips). A chip or a chassis owns a run of uplinks, and whether two
// runs meet in a stage-3 chassis is arithmetic modulo n.
//
// A partial stage-2 chassis does not reach every stage-3 chassis, so an uplink is legal only if the
// stage-3 chassis at its end has a link to the destination's chassis.
#pragma once

#include "ebb/routing/routing.hpp"

#include <cstdint>

namespace ebb::routing {

class ClosChassis {
 public:
  // Of a graph that passed check_origin, made by clos_chassis.
  explicit ClosChassis(const Graph& graph);

  // Two when packets to a partial chassis may have to change chips before they go up.
  [[nodiscard]] int virtual_channels() const;
  [[nodiscard]] std::uint32_t switch_of(NodeId host) const;
  [[nodiscard]] static std::size_t memory_bytes() { return 0; }

  // In the destination's chassis: over any spine chip. Elsewhere in stage 2: up by the chip's own
  // uplinks that can reach the chassis; without one, over a spine chip to a chip that has one. In
  // stage 3: down to the chip itself if there is a link, else to its chassis; over a spine chip
  // when the link is on another chip.
  void step(std::uint32_t from, std::uint32_t to, Candidates& out) const;
  [[nodiscard]] int remaining_hops(std::uint32_t from, std::uint32_t to) const;

 private:
  // Uplinks first .. first+length-1.
  struct Run {
    std::int64_t first = 0;
    std::int64_t length = 0;
  };
  struct Chip {
    std::int64_t box = 0;  // chassis, stage 2 first
    std::int64_t number = 0;
  };

  [[nodiscard]] Chip chip_of(std::uint32_t s) const { return {s / chips_, s % chips_}; }
  [[nodiscard]] bool is_spine(Chip chip) const { return chip.number >= leaf_chips_; }
  [[nodiscard]] Run uplinks_of_chip(Chip chip) const;
  [[nodiscard]] Run uplinks_of_box(std::int64_t box) const;
  // Uplinks of the run that lead to stage-3 chassis z: the first and every n-th after it.
  [[nodiscard]] Run in_box(Run run, std::int64_t z) const;
  [[nodiscard]] bool reaches(Run run, std::int64_t z) const { return in_box(run, z).length > 0; }
  [[nodiscard]] bool meets(Run a, Run b) const;
  // Ports of leaf chip `number` of stage-3 chassis z to the uplinks of the run.
  [[nodiscard]] Run ports_down(Run run, std::int64_t z, std::int64_t number) const;

  void up(std::uint32_t from, Run mine, Run wanted, Candidates& out) const;
  void to_spines(std::uint32_t from, std::uint8_t vc, Candidates& out) const;
  void to_leaf_chip(std::uint32_t from, std::int64_t number, std::uint8_t vc,
                    Candidates& out) const;
  void step_in_stage_2(std::uint32_t from, Chip at, Chip to, Candidates& out) const;
  void step_in_stage_3(std::uint32_t from, Chip at, Chip to, Candidates& out) const;
  [[nodiscard]] std::uint8_t last_vc() const;

  const Graph& graph_;
  std::int64_t hosts_ = 0;
  std::int64_t leaf_chips_ = 0;  // of a chassis
  std::int64_t chips_ = 0;       // of a chassis
  std::int64_t chip_hosts_ = 0;
  std::int64_t lower_ = 0;  // stage-2 chassis
  std::int64_t upper_ = 0;  // stage-3 chassis: the n of the wiring rule
};

}  // namespace ebb::routing
