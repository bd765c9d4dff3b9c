// SPDX-License-Identifier: Apache-2.0
#include "families/clos_chassis.hpp"

#include "schemes.hpp"

#include <algorithm>

namespace ebb::routing {
namespace {

constexpr std::int64_t kTraces = 2;  // between a leaf chip and a spine chip

}  // namespace

ClosChassis::ClosChassis(const Graph& graph) : graph_(graph), hosts_(graph.host_count()) {
  const std::int64_t ports = parameters_of(graph).integer("chip_ports");
  leaf_chips_ = ports / 2;
  chips_ = leaf_chips_ + ports / 4;
  chip_hosts_ = ports / 4;
  lower_ = ceil_div(hosts_, leaf_chips_ * chip_hosts_);
  upper_ = ceil_div(hosts_, 2 * leaf_chips_ * chip_hosts_);
}

int ClosChassis::virtual_channels() const {
  return uplinks_of_box(lower_ - 1).length < upper_ ? 2 : 1;
}

std::uint8_t ClosChassis::last_vc() const {
  return static_cast<std::uint8_t>(virtual_channels() - 1);
}

std::uint32_t ClosChassis::switch_of(NodeId host) const {
  const std::int64_t leaf = graph_.host_number(host) / chip_hosts_;
  return static_cast<std::uint32_t>(leaf / leaf_chips_ * chips_ + leaf % leaf_chips_);
}

ClosChassis::Run ClosChassis::uplinks_of_chip(Chip chip) const {
  const std::int64_t first = (chip.box * leaf_chips_ + chip.number) * chip_hosts_;
  return {first, std::clamp<std::int64_t>(hosts_ - first, 0, chip_hosts_)};
}

ClosChassis::Run ClosChassis::uplinks_of_box(std::int64_t box) const {
  const std::int64_t size = leaf_chips_ * chip_hosts_;
  return {box * size, std::min(size, hosts_ - box * size)};
}

ClosChassis::Run ClosChassis::in_box(Run run, std::int64_t z) const {
  const std::int64_t skip = ((z - run.first) % upper_ + upper_) % upper_;
  return {run.first + skip, run.length > skip ? ceil_div(run.length - skip, upper_) : 0};
}

bool ClosChassis::meets(Run a, Run b) const {
  if (a.length == 0 || b.length == 0) return false;
  const std::int64_t ahead = ((b.first - a.first) % upper_ + upper_) % upper_;
  return ahead < a.length || ahead + b.length > upper_;
}

// Leaf chip c has the uplinks z + n * (c + leaf chips * k), k ascending with the port.
ClosChassis::Run ClosChassis::ports_down(Run run, std::int64_t z, std::int64_t number) const {
  const std::int64_t base = z + upper_ * number;
  const std::int64_t stride = upper_ * leaf_chips_;
  const auto first_at_or_after = [&](std::int64_t u) {
    return u <= base ? 0 : ceil_div(u - base, stride);
  };
  const std::int64_t first = first_at_or_after(run.first);
  return {first, first_at_or_after(run.first + run.length) - first};
}

void ClosChassis::up(std::uint32_t from, Run mine, Run wanted, Candidates& out) const {
  const auto outputs = graph_.outputs(NodeId{from}).last(static_cast<std::size_t>(mine.length));
  for (std::int64_t i = 0; i < mine.length; ++i) {
    if (reaches(wanted, (mine.first + i) % upper_))
      out.push({outputs[static_cast<std::size_t>(i)], 0});
  }
}

void ClosChassis::to_spines(std::uint32_t from, std::uint8_t vc, Candidates& out) const {
  const Chip at = chip_of(from);
  // Stage-2 leaf chips have their hosts first.
  const std::int64_t hosts = at.box < lower_ ? uplinks_of_chip(at).length : 0;
  const auto outputs = graph_.outputs(NodeId{from});
  const std::int64_t traces = kTraces * (chips_ - leaf_chips_);
  for (std::int64_t i = hosts; i < hosts + traces; ++i)
    out.push({outputs[static_cast<std::size_t>(i)], vc});
}

void ClosChassis::to_leaf_chip(std::uint32_t from, std::int64_t number, std::uint8_t vc,
                               Candidates& out) const {
  const auto outputs = graph_.outputs(NodeId{from});
  for (std::int64_t i = kTraces * number; i < kTraces * (number + 1); ++i)
    out.push({outputs[static_cast<std::size_t>(i)], vc});
}

void ClosChassis::step_in_stage_2(std::uint32_t from, Chip at, Chip to, Candidates& out) const {
  if (at.box == to.box) {
    if (is_spine(at)) return to_leaf_chip(from, to.number, last_vc(), out);
    return to_spines(from, last_vc(), out);
  }
  const Run wanted = uplinks_of_box(to.box);
  if (is_spine(at)) {
    for (std::int64_t number = 0; number < leaf_chips_; ++number) {
      if (meets(uplinks_of_chip({at.box, number}), wanted)) to_leaf_chip(from, number, 0, out);
    }
    return;
  }
  const Run mine = uplinks_of_chip(at);
  if (meets(mine, wanted)) return up(from, mine, wanted, out);
  to_spines(from, 0, out);
}

void ClosChassis::step_in_stage_3(std::uint32_t from, Chip at, Chip to, Candidates& out) const {
  const std::int64_t z = at.box - lower_;
  const Run chip = uplinks_of_chip(to);
  const Run box = uplinks_of_box(to.box);
  const bool has_chip = reaches(chip, z);
  if (is_spine(at)) {
    const Run wanted = has_chip ? chip : box;
    for (std::int64_t number = 0; number < leaf_chips_; ++number) {
      if (ports_down(wanted, z, number).length > 0) to_leaf_chip(from, number, 0, out);
    }
    return;
  }
  Run ports = ports_down(chip, z, at.number);
  const bool is_last = ports.length > 0;
  if (!is_last) ports = ports_down(box, z, at.number);
  const auto outputs = graph_.outputs(NodeId{from});
  const std::int64_t traces = kTraces * (chips_ - leaf_chips_);
  for (std::int64_t i = ports.first; i < ports.first + ports.length; ++i)
    out.push({outputs[static_cast<std::size_t>(traces + i)], 0});
  // A link to the chip itself elsewhere in this chassis is as near as one to its chassis here.
  if (!is_last && (has_chip || ports.length == 0)) to_spines(from, 0, out);
}

void ClosChassis::step(std::uint32_t from, std::uint32_t to, Candidates& out) const {
  const Chip at = chip_of(from);
  if (at.box < lower_) return step_in_stage_2(from, at, chip_of(to), out);
  step_in_stage_3(from, at, chip_of(to), out);
}

int ClosChassis::remaining_hops(std::uint32_t from, std::uint32_t to) const {
  const Chip at = chip_of(from);
  const Chip last = chip_of(to);
  if (from == to) return 0;
  if (at.box == last.box) return is_spine(at) ? 1 : 2;
  const Run box = uplinks_of_box(last.box);
  if (at.box < lower_) {
    if (is_spine(at)) return 7;
    return meets(uplinks_of_chip(at), box) ? 6 : 8;
  }
  const std::int64_t z = at.box - lower_;
  const Run chip = uplinks_of_chip(last);
  const bool has_chip = reaches(chip, z);
  if (is_spine(at)) return has_chip ? 2 : 4;
  if (ports_down(chip, z, at.number).length > 0) return 1;
  return has_chip || ports_down(box, z, at.number).length > 0 ? 3 : 5;
}

}  // namespace ebb::routing
