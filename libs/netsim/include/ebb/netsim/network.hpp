// SPDX-License-Identifier: Apache-2.0
//
// The network at work: hosts that cut messages into packets, switches that pass them on, channels
// that carry one packet at a time at the rate of their state, credits that keep buffers from
// overflowing. docs/models/netsim.md has the model in words and pictures.
//
// A packet costs one event per switch, when its head is ready to leave there. A channel that is
// busy when something is queued costs one more when it comes free. Credits cost none (see
// credit_pool.hpp), nor does the arrival at the destination, whose time is known when the last
// switch begins to send. Everything that happens belongs to one node, its source for a channel, and
// reaches others only after a delay: nodes can be spread over threads and processes.
//
// Time belongs to the caller, who asks for samples, applies actions and reads meters between calls
// of run_until. Nothing is allocated on the way once pools have reached their working size.
#pragma once

#include "ebb/des/simulation.hpp"
#include "ebb/netsim/channel.hpp"
#include "ebb/netsim/channel_model.hpp"
#include "ebb/netsim/credit_pool.hpp"
#include "ebb/netsim/hardware.hpp"
#include "ebb/netsim/message_source.hpp"
#include "ebb/netsim/nic.hpp"
#include "ebb/netsim/observer.hpp"
#include "ebb/netsim/packet.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/policy/action.hpp"
#include "ebb/policy/sample.hpp"
#include "ebb/power/ledger.hpp"
#include "ebb/routing/routing.hpp"

#include <absl/container/flat_hash_map.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ebb::netsim {

class Network {
 public:
  // What it is made of. Refers to the graph and the routing.
  struct Build {
    const topology::Graph& graph;
    const routing::Routing& routing;
    std::vector<ChannelModel> models;  // by ladder of the graph
    Hardware hardware;
    Power switch_core;
    std::uint64_t seed = 1;
  };

  // Every channel starts awake at its full rate. Source and observer must outlive the network.
  Network(Build build, MessageSource& source, Observer& observer);

  // Handles every event before `end`; afterwards it is `end`.
  void run_until(TimePoint end);
  // Handles events until none is left: for sources that end.
  void run_dry();
  [[nodiscard]] TimePoint now() const { return now_; }

  // What a policy sees and asks for. A sample is valid until the next one.
  [[nodiscard]] policy::Sample sample();
  policy::Outcome apply(const policy::Action& action);

  // The energy account from now on; a new one begins at each call.
  void start_meters();
  // Charges every meter up to now, and gives the energy of the channels so far.
  [[nodiscard]] Energy channel_energy();
  [[nodiscard]] power::Ledger close_meters();

  // Since the beginning; what is on the wire counts for the part that has been sent.
  [[nodiscard]] ChannelUse use(topology::ChannelId channel) const;
  [[nodiscard]] policy::State state(topology::ChannelId channel) const;

  [[nodiscard]] std::size_t packets_in_network() const { return packets_.in_use(); }
  [[nodiscard]] std::uint64_t packets_sent() const { return packets_sent_; }
  [[nodiscard]] std::uint64_t packet_hops() const { return packet_hops_; }
  [[nodiscard]] std::uint64_t transmissions() const { return transmissions_; }
  [[nodiscard]] std::uint64_t events() const { return simulation_.handled(); }
  [[nodiscard]] std::size_t pending_events() const { return simulation_.pending(); }

  // For a network in which nothing moves: what waits for what, from one waiting packet on.
  [[nodiscard]] std::vector<std::string> blocked_chain() const;
  // What is left over after run_dry(): packets, queued data, credits that did not come back.
  [[nodiscard]] Errors leftovers();

  // Bytes held beside graph and routing.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  // In the order in which they happen when they fall on one moment: credits come back before they
  // stay away again.
  enum class What : std::uint32_t { arrival, attempt, idle_check, credits_lit, credits_dark };
  // 4 bytes: an event has 24 with it.
  class Payload {
   public:
    Payload() = default;
    Payload(What what, std::uint32_t which)
        : bits_(static_cast<std::uint32_t>(what) << kShift | which) {}
    [[nodiscard]] What what() const { return What{bits_ >> kShift}; }
    [[nodiscard]] std::uint32_t which() const { return bits_ & ((1U << kShift) - 1); }

   private:
    static constexpr int kShift = 29;
    std::uint32_t bits_ = 0;  // what, and which packet or channel
  };
  using Event = des::Event<Payload>;

  // build.cpp
  void make_channels();
  void make_nodes();

  // network.cpp: packets through switches
  void prefetch() const;
  void handle(const Event& event);
  void arrive(std::uint32_t node, PacketIndex packet);
  void start_route(topology::NodeId at, Packet& packet);
  [[nodiscard]] routing::Candidate choose(std::uint32_t node);
  [[nodiscard]] std::int64_t shortest_queue(topology::NodeId at, topology::NodeId destination,
                                            routing::RouteState state);
  [[nodiscard]] std::int64_t depth(const Channel& channel) const;
  [[nodiscard]] TimePoint send_or_wait(std::uint32_t channel, std::uint8_t vc, PacketIndex packet);
  void enqueue(std::uint32_t channel, std::uint8_t vc, PacketIndex packet);
  void attempt(std::uint32_t channel);
  bool send_next(std::uint32_t channel, TimePoint& earliest);
  void send(std::uint32_t channel, std::uint8_t vc, PacketIndex packet);
  void forward(std::uint32_t channel, std::uint8_t vc, PacketIndex packet);
  void deliver(const Packet& packet, TimePoint at);
  void attempt_at(std::uint32_t channel, TimePoint at);
  void schedule(std::uint32_t sender, std::uint32_t receiver, TimePoint at, What what,
                std::uint32_t channel, std::uint32_t which);
  void schedule_own(std::uint32_t channel, TimePoint at, What what);
  void darken(std::uint32_t channel, int by);
  [[nodiscard]] Duration transmission_time(const Channel& channel, std::uint32_t bits) const;
  [[nodiscard]] std::uint32_t source_of(std::uint32_t channel) const {
    return channels_[channel ^ 1U].target;
  }
  [[nodiscard]] VcQueue& queue(std::uint32_t channel, std::uint8_t vc) {
    return queues_[channel * virtual_channels_ + vc];
  }

  // credits.cpp: buffers and credits
  [[nodiscard]] bool take_credits(std::uint32_t channel, VcQueue& queue, std::uint32_t bits);
  [[nodiscard]] TimePoint next_credit(std::uint32_t channel, const VcQueue& queue) const;
  void free_input(const Packet& packet, TimePoint at);
  [[nodiscard]] TimePoint credits_until(std::uint32_t channel) const;
  void enter_output(std::uint32_t channel, std::uint8_t vc, VcQueue& queue, PacketIndex packet);
  void pass_output(VcQueue& queue, const Packet& packet);
  void leave_output(VcQueue& queue, std::uint32_t bits, TimePoint at);

  // hosts.cpp: network cards
  void attempt_host(std::uint32_t channel);
  [[nodiscard]] bool take_message(Nic& nic);
  void send_packet(Nic& nic, std::uint32_t bits);

  // states.cpp: rates, sleep, triggers
  [[nodiscard]] policy::Reason obey(std::uint32_t channel, const policy::SetStep& order);
  [[nodiscard]] policy::Reason obey(std::uint32_t channel, const policy::Sleep& order);
  [[nodiscard]] policy::Reason obey(std::uint32_t channel, const policy::Wake& order);
  [[nodiscard]] policy::Reason obey(std::uint32_t channel, const policy::SleepWhenIdle& order);
  [[nodiscard]] policy::Reason obey(std::uint32_t channel, const policy::WakeWhenQueued& order);
  [[nodiscard]] policy::Reason obey(std::uint32_t channel, const policy::JumpWhenQueued& order);
  [[nodiscard]] policy::Reason obey(std::uint32_t channel, const policy::Disarm& order);
  [[nodiscard]] bool is_changing(std::uint32_t channel) const {
    return now_ < controls_[channel].change_end;
  }
  void change(std::uint32_t channel, policy::State to);
  void set_step(std::uint32_t channel, policy::RateStep step);
  void fall_asleep(std::uint32_t channel);
  void wake(std::uint32_t channel);
  void on_queued(std::uint32_t channel);
  void on_sent(std::uint32_t channel);
  [[nodiscard]] std::optional<DataSize> wakes_at(std::uint32_t channel) const;
  [[nodiscard]] bool must_wake(std::uint32_t channel) const;
  void tell_credits(std::uint32_t carrier, TimePoint at, What what);
  void on_credit(std::uint32_t carrier, std::uint32_t bits, TimePoint at);
  void idle_check(std::uint32_t channel);
  void idle_check_after(std::uint32_t channel, TimePoint quiet_since);
  [[nodiscard]] bool has_waiting(std::uint32_t channel) const;
  [[nodiscard]] DataSize waiting(std::uint32_t channel) const;
  [[nodiscard]] policy::ChannelSample sample_of(std::uint32_t channel);

  // blocked_chain.cpp
  struct Place {
    std::uint32_t channel = 0;
    std::uint8_t vc = 0;
    bool operator==(const Place&) const = default;
  };
  [[nodiscard]] std::optional<Place> first_waiting() const;
  [[nodiscard]] std::optional<Place> waiting_in_buffer(Place buffer) const;
  [[nodiscard]] std::string why_waiting(Place place) const;

  // meters.cpp: the energy account
  void meter_change(std::uint32_t channel, TimePoint until);
  [[nodiscard]] power::MeterStart meter_start(std::uint32_t channel);

  Build build_;
  MessageSource& messages_;
  Observer& observer_;
  std::uint32_t virtual_channels_;
  std::uint32_t packet_bits_;
  bool has_output_buffers_;
  bool can_sleep_;  // some channel can

  TimePoint now_{};
  des::Simulation<Payload> simulation_;
  std::vector<Channel> channels_;
  std::vector<VcQueue> queues_;  // channel by channel
  PacketPool packets_;
  CreditPool credits_;
  std::vector<std::uint32_t> first_step_;   // by model: where its steps begin in ...
  std::vector<Duration> full_packet_time_;  // ... transmission times of a full packet
  routing::Candidates candidates_;          // of the packet in hand
  std::vector<RandomStream> ties_;          // by switch
  std::vector<Nic> nics_;                   // by host
  // Packets still to come of messages that have begun to arrive, by (source, message).
  absl::flat_hash_map<std::uint64_t, std::uint32_t> arriving_;

  std::vector<ChannelControl> controls_;
  std::vector<policy::ChannelSample> samples_;
  TimePoint sampled_at_{};
  std::optional<power::Ledger> ledger_;
  std::vector<std::uint32_t> meter_of_;  // by channel

  std::uint64_t packets_sent_ = 0;
  std::uint64_t packet_hops_ = 0;
  std::uint64_t transmissions_ = 0;
};

}  // namespace ebb::netsim
