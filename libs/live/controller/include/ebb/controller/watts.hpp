// SPDX-License-Identifier: Apache-2.0
//
// What links between switches draw, by the measured model of a box: an awake port draws its own
// power, its module's and what the link adds, at a slower rate that of the box's setup for it where
// it has one (step_watts()); a port that is down keeps the module plugged. Hosts'
// ports and the base of the boxes never change, and are not counted here.
#pragma once

#include "ebb/controller/link_machine.hpp"
#include "ebb/power/part.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace ebb::controller {

struct PortWatts {
  Power awake;
  Power asleep;
  // By step of a rate table; none: a port draws the same at every rate.
  std::function<std::vector<Power>(std::span<const DataRate>)> by_step = nullptr;

  [[nodiscard]] std::vector<Power> at(std::span<const DataRate> rate_table) const {
    return by_step ? by_step(rate_table) : std::vector<Power>(rate_table.size(), awake);
  }
};

// Savings are three claims, and are never mixed: what the model says that sleeping ports save
// (modelled), how many ports were seen to be down (actuated), and what a meter shows (measured;
// software switches have none).
class Watts {
 public:
  Watts(PortWatts port, std::uint32_t links) : port_(std::move(port)), links_(links) {}

  // From now on that many links are asleep, and what those that run more slowly save is so much.
  void pass(TimePoint now, std::uint32_t asleep, Power slower = {});

  [[nodiscard]] Power all_awake() const { return port_.awake * (2 * std::int64_t{links_}); }
  [[nodiscard]] Power present() const { return all_awake() - saved(); }
  [[nodiscard]] Power saved() const {
    return (port_.awake - port_.asleep) * (2 * std::int64_t{asleep_}) + slower_;
  }
  [[nodiscard]] Energy saved_energy() const { return saved_energy_; }
  [[nodiscard]] std::uint32_t ports_down() const { return 2 * asleep_; }
  // Mean over time of the share of links that slept.
  [[nodiscard]] double asleep_share() const;

 private:
  PortWatts port_;
  std::uint32_t links_;
  std::uint32_t asleep_ = 0;
  Power slower_;
  TimePoint last_{};
  Energy saved_energy_;
  Duration asleep_time_{};  // summed over links
  Duration time_{};
};

// What a port draws at each rate of a rate table. A box that was measured at several rates has a
// setup for each; rates of a fabric may be scaled (100 Mb/s for 100 Gb/s), so a setup stands for
// the step that is the same share of the full rate. A step without a setup draws what the full rate
// does: then only sleep saves.
//
// Port enabled, module plugged, link up.
[[nodiscard]] Power awake_watts(const power::PortSetup& setup);

// By step, slowest first. `full` is the setup of the full rate, and of the box.
[[nodiscard]] std::vector<Power> step_watts(const power::Box& box, const power::PortSetup& full,
                                            std::span<const DataRate> rate_table);

}  // namespace ebb::controller
