// SPDX-License-Identifier: Apache-2.0
//
// What links between switches draw, by the measured model of a box (power/port_watts.hpp), and the
// boxes that can be switched off. Hosts' ports and the base of other boxes never change, and are
// not counted here.
#pragma once

#include "ebb/controller/link_machine.hpp"
#include "ebb/power/port_watts.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <utility>

namespace ebb::controller {

// Savings are three claims, and are never mixed: what the model says that sleeping ports save
// (modelled), how many ports were seen to be down (actuated), and what a meter shows (measured;
// software switches have none).
class Watts {
 public:
  // `boxes`: what those that can be switched off draw beside their ports, all together.
  Watts(power::PortWatts port, std::uint32_t links, Power boxes = {})
      : port_(std::move(port)), links_(links), boxes_(boxes) {}

  // From now on that many links are asleep, and so much is saved by those that run more slowly and
  // by boxes without power. The state until now is the one that was told last.
  void pass(TimePoint now, std::uint32_t asleep, Power slower = {}, Power off = {}) {
    const Duration time = now - last_;
    saved_energy_ = saved_energy_ + saved() * time;
    asleep_time_ += time * asleep_;
    time_ += time;
    last_ = now;
    asleep_ = asleep;
    slower_ = slower;
    off_ = off;
  }

  [[nodiscard]] Power all_awake() const {
    return port_.awake * (2 * std::int64_t{links_}) + boxes_;
  }
  [[nodiscard]] Power boxes() const { return boxes_; }
  [[nodiscard]] Power present() const { return all_awake() - saved(); }
  [[nodiscard]] Power saved() const {
    return (port_.awake - port_.asleep) * (2 * std::int64_t{asleep_}) + slower_ + off_;
  }
  [[nodiscard]] Energy saved_energy() const { return saved_energy_; }
  [[nodiscard]] Energy used_energy() const { return all_awake() * time_ - saved_energy_; }
  [[nodiscard]] const power::PortWatts& port() const { return port_; }
  [[nodiscard]] std::uint32_t ports_down() const { return 2 * asleep_; }
  // Mean over time of the share of links that slept.
  [[nodiscard]] double asleep_share() const {
    if (time_ <= Duration{} || links_ == 0) return 0;
    return static_cast<double>(asleep_time_.count()) / static_cast<double>(time_.count()) / links_;
  }

 private:
  power::PortWatts port_;
  std::uint32_t links_;
  Power boxes_;
  std::uint32_t asleep_ = 0;
  Power slower_;
  Power off_;
  TimePoint last_{};
  Energy saved_energy_;
  Duration asleep_time_{};  // summed over links
  Duration time_{};
};

}  // namespace ebb::controller
