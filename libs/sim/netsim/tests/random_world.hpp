// SPDX-License-Identifier: Apache-2.0
//
// A network, its traffic and what a policy does to it, all drawn from one number.
#pragma once

#include "card_groups.hpp"
#include "tiny_network.hpp"

#include "ebb/core/random.hpp"
#include "ebb/netsim/hardware.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ebb::netsim {

class Dice {
 public:
  explicit Dice(std::uint64_t seed, std::string_view name) : stream_(seed, name) {}

  // Both ends can come.
  [[nodiscard]] std::int64_t between(std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(stream_.below(static_cast<std::uint64_t>(most - least) + 1));
  }
  [[nodiscard]] bool one_in(int n) { return between(1, n) == 1; }
  [[nodiscard]] Duration upto(Duration most) { return Duration(between(0, most.count())); }
  template <class T>
  [[nodiscard]] const T& of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(
        between(0, static_cast<std::int64_t>(choices.size()) - 1))];
  }

 private:
  RandomStream stream_;
};

struct NetworkCase {
  std::string scheme;
  std::string family;
  ParameterTexts parameters;
};

// Every scheme on a small network of each family it knows.
inline std::vector<NetworkCase> network_cases() {
  const std::vector<std::pair<std::string, ParameterTexts>> networks = {
      {"fbfly", {{"hosts", "2"}, {"dims", "3x2"}}},
      {"mesh", {{"hosts", "1"}, {"dims", "3x2"}, {"parallel", "1x2"}}},
      {"torus", {{"hosts", "1"}, {"dims", "5x2"}}},
      {"dragonfly", {{"p", "1"}, {"a", "2"}, {"h", "1"}}},
      {"dragonfly-plus", {{"p", "1"}, {"leaves", "2"}, {"spines", "2"}, {"h", "1"}}},
      {"slim-fly", {{"q", "3"}, {"p", "1"}}},
      {"polarfly", {{"q", "2"}, {"p", "1"}}},
      {"jellyfish", {{"switches", "8"}, {"ports", "4"}, {"degree", "3"}}},
      {"clos", {{"ports", "4"}, {"levels", "3"}, {"hosts", "11"}}},
      {"rail-clos", {{"ports", "4"}, {"pods", "2"}, {"servers", "1"}, {"gpus", "2"}}},
      {"clos_chassis", {{"hosts", "7"}, {"chip_ports", "4"}}},
      {"irregular", {{"switches", "6"}, {"degree", "3"}, {"hosts", "1"}}},
      {"complete", {{"switches", "4"}, {"hosts", "2"}, {"parallel", "2"}}},
      {"tree", {{"switches", "5"}, {"hosts", "1"}}}};
  std::vector<NetworkCase> cases;
  for (const routing::Scheme& scheme : routing::schemes()) {
    for (const auto& [family, parameters] : networks) {
      if (scheme.supports(family)) cases.push_back({scheme.name, family, parameters});
    }
  }
  return cases;
}

inline ChannelModel random_model(const topology::RateTable& rates, Dice& dice) {
  ChannelModel model = rates_only(rates, dice.upto(std::chrono::microseconds(3)));
  model.lane_change = dice.upto(std::chrono::microseconds(5));
  model.rate_levels.back().serdes_lanes = 4;
  model.sleep = ChannelModel::Sleep{watts(1), dice.upto(std::chrono::microseconds(3)), {}};
  if (dice.one_in(2)) return model;
  for (ChannelModel::RateLevel& level : model.rate_levels) {
    level.ramp_time = dice.upto(std::chrono::microseconds(6));
  }
  model.sleep->wakes_at = policy::RateLevel{static_cast<std::uint8_t>(dice.between(0, 2))};
  return model;
}

inline std::optional<power::Components> random_components(Dice& dice) {
  if (dice.one_in(2)) return std::nullopt;
  power::Components parts;
  parts.buffers = {.cell = bits(dice.between(1, 600)),
                   .write = {picojoules(2)},
                   .read = {picojoules(1)},
                   .leakage = {microwatts(25)},
                   .gated = power::Sourced<Ratio>{Ratio(1, 8)}};
  parts.crossbar_bit = {picojoules(3)};
  parts.lookup = {picojoules(70)};
  parts.nic_packet = {picojoules(900)};
  parts.nic_idle = {milliwatts(5)};
  return parts;
}

inline void add_lanes(Hardware& hardware, Dice& dice) {
  for (std::int64_t more = dice.between(0, 3); more > 0; --more) {
    hardware.virtual_lanes.push_back(
        {dice.one_in(3), static_cast<std::int32_t>(dice.between(1, 40))});
  }
  if (dice.one_in(2)) hardware.high_limit = bits(dice.between(1, 60'000));
  if (dice.one_in(2))
    hardware.service_lanes = {static_cast<std::uint8_t>(hardware.virtual_lanes.size() - 1)};
}

inline void make_wormhole(Hardware& hardware, Dice& dice) {
  hardware.switching = Switching::wormhole;
  hardware.flit = bits(dice.between(1 + hardware.packet.count() / 40, hardware.packet.count()));
  hardware.input_buffer = hardware.flit + bits(dice.between(0, 3 * hardware.packet.count()));
  hardware.output_buffer = {};
}

// Pauses in place of credits, with no more room than they need or somewhat more.
inline void make_pausing(Hardware& hardware, Dice& dice) {
  hardware.flow_control = FlowControl::pause;
  if (hardware.output_selection == OutputSelection::credits)
    hardware.output_selection = OutputSelection::queue;
  const DataSize needed = headroom(hardware, {k40G, hardware.link_latency});
  const DataSize above = 2 * hardware.packet + bits(dice.between(0, 3 * hardware.packet.count()));
  hardware.input_buffer = needed + above;
  if (dice.one_in(2)) hardware.xoff = bits(dice.between(hardware.packet.count(), above.count()));
  if (dice.one_in(2)) {
    const DataSize xoff = hardware.xoff.value_or(above);
    hardware.xon = bits(dice.between(0, xoff.count() - 1));
  }
}

inline Hardware random_hardware(Dice& dice) {
  Hardware hardware;
  hardware.switching = dice.one_in(3) ? Switching::store_and_forward : Switching::cut_through;
  hardware.packet = bits(dice.between(1, 16'000));
  hardware.input_buffer = hardware.packet + bits(dice.between(0, 3 * hardware.packet.count()));
  if (dice.one_in(2)) {
    hardware.output_buffer = hardware.packet + bits(dice.between(0, 3 * hardware.packet.count()));
  }
  hardware.output_selection = dice.of(std::vector<OutputSelection>{
      OutputSelection::queue, OutputSelection::credits, OutputSelection::least_used});
  if (dice.one_in(3)) hardware.credits = CreditPath::own_wires;
  if (dice.one_in(3)) hardware.nic = {dice.upto(std::chrono::nanoseconds(900)), {}, k10G};
  if (dice.one_in(3)) add_lanes(hardware, dice);
  if (dice.one_in(3)) make_wormhole(hardware, dice);
  hardware.gated_buffers = dice.one_in(2);
  if (dice.one_in(2)) hardware.low_power_penalty = bits(dice.between(0, 40'000));
  if (dice.one_in(2)) hardware.drain_from = dice.upto(std::chrono::microseconds(4));
  hardware.switch_latency = dice.upto(std::chrono::nanoseconds(200));
  hardware.link_latency = Duration(1) + dice.upto(std::chrono::nanoseconds(300));
  if (hardware.switching != Switching::wormhole && dice.one_in(3)) make_pausing(hardware, dice);
  return hardware;
}

// To everybody, to the neighbour, or mostly to host 0; of up to four packets.
inline std::vector<traffic::Message> random_messages(std::uint32_t hosts, DataSize packet,
                                                     Dice& dice) {
  std::vector<traffic::Message> messages;
  const auto pattern = dice.between(0, 2);
  const Duration gap = dice.upto(std::chrono::microseconds(8));
  for (std::uint32_t h = 0; h < hosts; ++h) {
    TimePoint created;
    for (std::int64_t left = dice.between(0, 6); left > 0; --left) {
      created += dice.upto(gap);
      const auto by = pattern == 0 ? dice.between(1, hosts - 1) : 1;
      const auto other = static_cast<std::uint32_t>((h + by) % hosts);
      const std::uint32_t to = pattern == 2 && h != 0 && !dice.one_in(4) ? 0 : other;
      const auto service = static_cast<std::uint8_t>(dice.between(0, 5));
      messages.push_back({created, h, to, bits(dice.between(1, 4 * packet.count())), service});
    }
  }
  return messages;
}

class RandomWorld {
 public:
  explicit RandomWorld(std::uint64_t seed, Fidelity fidelity = Fidelity::packet)
      : dice_(seed, "world"), case_(dice_.of(network_cases())) {
    const topology::RateTable rates = {k2500M, k10G, k40G};
    graph_ = std::make_unique<topology::Graph>(
        topology::build(case_.family, case_.parameters, rates).value());
    routing_ = routing::make_routing(case_.scheme, *graph_).value();
    const Hardware hardware = random_hardware(dice_);
    messages = random_messages(graph_->host_count(), hardware.packet, dice_);
    script_ = std::make_unique<Script>(messages, graph_->host_count());
    network_ = std::make_unique<Network>(NetworkConfig{.graph = *graph_,
                                                       .routing = *routing_,
                                                       .models = {random_model(rates, dice_)},
                                                       .hardware = hardware,
                                                       .switch_core = watts(1),
                                                       .seed = seed,
                                                       .components = random_components(dice_),
                                                       .fidelity = fidelity,
                                                       .switch_groups = cards_after_chip(*graph_)},
                                         *script_, watcher_);
  }

  [[nodiscard]] Network& network() { return *network_; }
  [[nodiscard]] Dice& dice() { return dice_; }
  [[nodiscard]] const Deliveries& seen() const { return watcher_.seen; }
  [[nodiscard]] const topology::Graph& graph() const { return *graph_; }
  [[nodiscard]] std::uint32_t channels() const { return graph_->channel_count(); }
  [[nodiscard]] std::string name() const { return case_.scheme + " on " + case_.family; }

  // An action that leaves no channel asleep for ever, if all have WakeWhenQueued.
  [[nodiscard]] policy::Action harmless_action() {
    const policy::ChannelId channel{static_cast<std::uint32_t>(dice_.between(0, channels() - 1))};
    const policy::RateLevel level{static_cast<std::uint8_t>(dice_.between(0, 2))};
    switch (dice_.between(0, 6)) {
      case 0:
        return {channel, policy::SetRateLevel{level}};
      case 1:
        return {channel, policy::Sleep{}};
      case 2:
        return {channel, policy::Wake{}};
      case 3:
        return {channel, policy::SleepWhenIdle{dice_.upto(std::chrono::microseconds(4)), bits(1)}};
      case 4:
        return {channel, policy::SlowDownWhenIdle{dice_.upto(std::chrono::microseconds(4)), level}};
      case 5:
        return {channel, policy::WakeWhenAnnounced{dice_.upto(std::chrono::microseconds(2))}};
      default:
        return {channel, policy::SpeedUpWhenQueued{bits(dice_.between(1, 40'000)), level}};
    }
  }

  [[nodiscard]] policy::Action any_action() {
    const policy::ChannelId channel{static_cast<std::uint32_t>(dice_.between(0, channels()))};
    const DataSize size = bits(dice_.between(1, 40'000));
    switch (dice_.between(0, 4)) {
      case 0:
        return {channel, policy::Disarm{}};
      case 1:
        return {channel, policy::WakeWhenQueued{size}};
      case 2:
        return {channel, policy::SleepWhenIdle{dice_.upto(std::chrono::microseconds(4)), size,
                                               dice_.upto(std::chrono::microseconds(9))}};
      default:
        return harmless_action();
    }
  }

  // Removes every trigger and wakes every channel.
  void wake_all() {
    for (bool all_awake = false; !all_awake;) {
      all_awake = true;
      for (std::uint32_t c = 0; c < channels(); ++c) {
        network_->apply({policy::ChannelId{c}, policy::Disarm{}});
        network_->apply({policy::ChannelId{c}, policy::Wake{}});
        const policy::State state = network_->state(topology::ChannelId{c});
        all_awake = all_awake && state.mode == policy::Mode::active;
      }
      network_->run_until(network_->now() + std::chrono::microseconds(1));
    }
  }

  std::vector<traffic::Message> messages;

 private:
  Dice dice_;
  NetworkCase case_;
  std::unique_ptr<topology::Graph> graph_;
  std::unique_ptr<routing::Routing> routing_;
  std::unique_ptr<Script> script_;
  Watcher watcher_;
  std::unique_ptr<Network> network_;
};

}  // namespace ebb::netsim
