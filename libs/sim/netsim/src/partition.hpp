// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a network that live on one thread: their events, the packets that are with them, and
// all that happens to them. docs/models/netsim.md has the model in words.
//
// Everything belongs to one node, a channel to the one that sends on it, and reaches others only
// after a delay. What is for a node of another partition is enqueued in the outbox.
#pragma once

#include "network_state.hpp"
#include "packet.hpp"
#include "partition_exchange.hpp"

#include "ebb/des/simulation.hpp"
#include "ebb/netsim/network.hpp"
#include "ebb/policy/action.hpp"
#include "ebb/power/ledger.hpp"
#include "ebb/routing/routing.hpp"

#include <absl/container/flat_hash_map.h>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ebb::netsim {

// A sleeping channel defers no more credits than this part of a buffer.
inline constexpr std::int64_t kDeferredCreditShare = 4;

class Partition {
 public:
  Partition(NetworkState& net, Outbox& outbox, std::uint32_t number, Observer& observer);

  // For des::ConservativeScheduler.
  [[nodiscard]] TimePoint next() { return std::min(earliest_enqueued_, simulation_.next_time()); }
  void receive(std::uint32_t round);

  void run_until(TimePoint end);
  void run_until_idle();

  // Only between runs, at their end.
  policy::Outcome apply(const policy::Action& action);
  [[nodiscard]] Errors check_conservation();

  [[nodiscard]] TimePoint now() const { return now_; }
  [[nodiscard]] const PacketPool& packets() const { return packets_; }
  [[nodiscard]] std::uint64_t packets_sent() const { return packets_sent_; }
  [[nodiscard]] std::uint64_t packet_hops() const { return packet_hops_; }
  [[nodiscard]] std::uint64_t transmissions() const { return transmissions_; }
  [[nodiscard]] std::uint64_t events() const { return simulation_.handled(); }
  [[nodiscard]] std::size_t pending_events() const { return simulation_.pending(); }
  [[nodiscard]] std::size_t memory_bytes() const {
    return packets_.memory_bytes() + credits_.memory_bytes() + simulation_.memory_bytes();
  }

  // meters.cpp: the energy account of the partition's channels and switches, from now on
  void start_meters();
  // Of its channels, up to now.
  [[nodiscard]] Energy channel_energy();
  [[nodiscard]] Energy channel_energy(std::uint32_t channel);
  [[nodiscard]] power::Ledger close_meters();

 private:
  // In the order in which they happen when they fall on one moment: a trigger acts before the next
  // packet, credits come back before they stay away again.
  enum class EventKind : std::uint32_t {
    arrival,
    check,
    ramp_end,
    try_send,
    credit_return_unblocked,
    credit_return_blocked,
    // Of places, not of channels.
    pause,
    look,
    congestion_notification
  };
  // 4 bytes: an event has 24 with it.
  class Payload {
   public:
    Payload() = default;
    Payload(EventKind what, std::uint32_t which)
        : bits_(static_cast<std::uint32_t>(what) << kShift | which) {}
    [[nodiscard]] EventKind what() const { return EventKind{bits_ >> kShift}; }
    [[nodiscard]] std::uint32_t which() const { return bits_ & ((1U << kShift) - 1); }

   private:
    static constexpr int kShift = 28;
    std::uint32_t bits_ = 0;  // what, and which packet or channel
  };
  using Event = des::Event<Payload>;

  // partition.cpp: events and exchange
  void handle(const Event& event);
  void prefetch() const;
  [[nodiscard]] static std::uint32_t order(EventKind what, std::uint32_t channel);
  void schedule(std::uint32_t sender, std::uint32_t receiver, TimePoint at, EventKind what,
                std::uint32_t channel, std::uint32_t which);
  void schedule_own(std::uint32_t channel, TimePoint at, EventKind what);
  void try_send_at(std::uint32_t channel, TimePoint at);
  [[nodiscard]] ExchangeBatch& enqueue(std::uint32_t to_node, TimePoint at);
  void take_in(ExchangeBatch& batch);
  void receive(const PacketItem& item);
  void receive(const NoticeItem& item);
  void receive(const EventItem& item);
  // To a neighbour, wherever it lives.
  struct ControlMessage {
    TimePoint at;
    std::uint32_t sender = 0;
    std::uint32_t receiver = 0;
    std::uint32_t which = 0;
  };
  void send(const ControlMessage& notice, EventKind what);

  // switches.cpp: packets through switches
  void arrive(std::uint32_t node, PacketIndex packet);
  [[nodiscard]] routing::Candidate route(std::uint32_t node, Packet& packet);
  [[nodiscard]] routing::Candidate take_step(std::uint32_t node, Packet& packet);
  void set_lane(const Packet& packet);
  void start_route(topology::NodeId at, Packet& packet);
  [[nodiscard]] bool prefers_non_minimal(topology::NodeId at, topology::NodeId destination,
                                         const routing::Start& start);
  [[nodiscard]] routing::Candidate select_output(std::uint32_t node);
  [[nodiscard]] std::int64_t shortest_queue(topology::NodeId at, topology::NodeId destination,
                                            routing::RouteState state);
  [[nodiscard]] std::int64_t depth(std::uint32_t channel) const;
  [[nodiscard]] bool is_in_low_power(std::uint32_t channel) const;
  [[nodiscard]] bool is_closed(std::uint32_t channel) const;
  [[nodiscard]] std::uint8_t vc_of(const routing::Candidate& candidate) const {
    return static_cast<std::uint8_t>(lane_start_ + candidate.vc);
  }
  [[nodiscard]] std::int64_t used(std::uint32_t channel) const;
  [[nodiscard]] std::int64_t output_cost(const routing::Candidate& candidate);
  [[nodiscard]] std::int64_t downstream_occupancy(const routing::Candidate& candidate);
  [[nodiscard]] std::optional<TimePoint> send_or_wait(std::uint32_t channel, std::uint8_t vc,
                                                      PacketIndex packet);
  void enqueue(std::uint32_t channel, std::uint8_t vc, PacketIndex packet);
  void try_send(std::uint32_t channel);
  bool send_next(std::uint32_t channel, TimePoint& earliest);
  bool send_next_of(std::uint32_t channel, std::uint32_t lane, TimePoint& earliest);
  void send(std::uint32_t channel, std::uint8_t vc, PacketIndex packet);
  void forward(std::uint32_t channel, std::uint8_t vc, PacketIndex packet);
  void deliver(const Packet& packet, TimePoint at);
  [[nodiscard]] Duration transmission_time(std::uint32_t channel, std::uint32_t bits) const;
  [[nodiscard]] VcQueue& queue(std::uint32_t channel, std::uint8_t vc) {
    return net_.queues[net_.place(channel, vc)];
  }

  // switches.cpp: flits through switches
  void arrive_flit(std::uint32_t node, PacketIndex flit);
  void route_worm(std::uint32_t node, std::uint32_t input);
  void grant(std::uint32_t output, std::uint32_t input);
  void pass_flits(InputVcState& input);
  void release(std::uint32_t node, std::uint32_t output);

  // credits.cpp: buffers and credits
  [[nodiscard]] TimePoint credits_until(const Channel& channel) const;
  [[nodiscard]] bool take_credits(const Channel& channel, VcQueue& queue, std::uint32_t bits);
  [[nodiscard]] TimePoint next_credit(const Channel& channel, const VcQueue& queue) const;
  void free_input(const Packet& packet, TimePoint at, Duration leaving);
  void return_credit(std::uint32_t channel, std::uint8_t vc, std::uint32_t bits, TimePoint at);
  void block_credit_return(std::uint32_t channel, int by);
  void enter_output(std::uint32_t channel, std::uint8_t vc, VcQueue& queue, PacketIndex packet);
  void pass_output(VcQueue& queue, Packet& packet);
  void move_to_output(Packet& packet, TimePoint room_at);
  void leave_output(VcQueue& queue, std::uint32_t bits, TimePoint at);

  // pauses.cpp: pause frames
  void enter_input(const Packet& packet);
  void leave_input(const Packet& packet, TimePoint at);
  void look_at(std::size_t place, TimePoint at);
  void look(std::uint32_t place);
  void tell_pause(std::size_t place, bool pause);
  void hear_pause(std::uint32_t message);
  [[nodiscard]] bool is_shut(const routing::Candidate& candidate);
  [[nodiscard]] bool is_paused(topology::NodeId at, topology::NodeId destination,
                               routing::RouteState state);
  [[nodiscard]] std::optional<routing::RouteState> way_out(topology::NodeId at,
                                                           const Packet& packet, std::size_t place);
  void divert_waiting(std::uint32_t channel, std::size_t place);
  void send_diverted(topology::NodeId at, PacketIndex first);

  // pauses.cpp: congestion notifications
  void review_congestion(std::uint32_t node);
  void send_notification(std::uint32_t node, const routing::NotificationGroup& group,
                         std::uint32_t number);
  void receive_notification(std::uint32_t place);
  [[nodiscard]] bool is_congested_ahead(topology::NodeId at, topology::NodeId destination) const;

  // hosts.cpp: network cards
  void attempt_host(std::uint32_t channel);
  [[nodiscard]] TimePoint send_from_host(Nic& nic);
  bool fetch_born(Nic& nic);
  [[nodiscard]] Nic& nic_of(std::uint32_t channel) { return net_.nics[net_.host_of(channel)]; }
  [[nodiscard]] SequencedMessage take_next(Nic& nic);
  [[nodiscard]] std::uint32_t lane_of(const traffic::Message& message) const;
  [[nodiscard]] bool open_messages(Nic& nic, TransmitState& sending);
  [[nodiscard]] bool open_messages(Nic& nic, std::uint32_t host);
  void choose_next_packet(Nic& nic, TransmitState& sending);
  void fetch_packet(Nic& nic, TransmitState& sending, TimePoint from);
  [[nodiscard]] bool send_of_lanes(Nic& nic, std::uint32_t host, TimePoint& earliest);
  [[nodiscard]] bool send_of_lane(Nic& nic, std::uint32_t host, std::uint8_t lane,
                                  TimePoint& earliest);
  [[nodiscard]] std::uint32_t next_packet_bits(const TransmitState& sending) const;
  void begin_packet(Nic& nic, TransmitState& sending, std::uint32_t bits);
  void send_piece(Nic& nic, TransmitState& sending, std::uint8_t vc, std::uint32_t bits);

  // states.cpp: rates, sleep, triggers
  [[nodiscard]] policy::Reason apply_order(std::uint32_t channel,
                                           const policy::SetRateLevel& order);
  [[nodiscard]] policy::Reason apply_order(std::uint32_t channel, const policy::Sleep& order);
  [[nodiscard]] policy::Reason apply_order(std::uint32_t channel, const policy::Wake& order);
  [[nodiscard]] policy::Reason apply_order(std::uint32_t channel,
                                           const policy::SleepWhenIdle& order);
  [[nodiscard]] policy::Reason apply_order(std::uint32_t channel,
                                           const policy::WakeWhenQueued& order);
  [[nodiscard]] policy::Reason apply_order(std::uint32_t channel,
                                           const policy::SpeedUpWhenQueued& order);
  [[nodiscard]] policy::Reason apply_order(std::uint32_t channel,
                                           const policy::SlowDownWhenIdle& order);
  [[nodiscard]] policy::Reason apply_order(std::uint32_t channel, const policy::Disarm& order);
  [[nodiscard]] bool is_changing(std::uint32_t channel) const {
    return now_ < net_.controls[channel].change_end;
  }
  [[nodiscard]] bool must_drain(std::uint32_t channel, Setting to) const;
  [[nodiscard]] policy::Reason begin_drain(std::uint32_t channel, Setting to);
  void change_drained(std::uint32_t channel);
  void begin_wake_stall(std::uint32_t channel, TimePoint from);
  void end_wake_stall(std::uint32_t channel);
  void change(std::uint32_t channel, Setting to);
  void change(std::uint32_t channel, Setting to, Duration time);
  void set_rate_level(std::uint32_t channel, policy::RateLevel rate_level);
  void fall_asleep(std::uint32_t channel);
  void wake(std::uint32_t channel);
  void ramp_later(std::uint32_t channel, policy::RateLevel rate_level);
  void end_ramp(std::uint32_t channel);
  void tell_credits(std::uint32_t carrier, TimePoint at, EventKind what);

  // triggers.cpp: what a channel does by itself
  [[nodiscard]] bool has_waiting(std::uint32_t channel) const {
    return net_.waiting(channel, now_) > DataSize{};
  }
  void make_triggers();
  void arm(std::uint32_t channel);
  [[nodiscard]] bool may_rest(std::uint32_t channel) const;
  void enter_low_power(std::uint32_t channel);
  [[nodiscard]] bool must_wake(std::uint32_t channel) const;
  [[nodiscard]] bool wakes_by_itself(std::uint32_t channel) const;
  [[nodiscard]] bool coalescing_delay_is_over(std::uint32_t channel) const;
  void check_coalescing_delay(std::uint32_t channel);
  [[nodiscard]] bool must_jump(std::uint32_t channel, std::int64_t more_bits = 0) const;
  [[nodiscard]] bool must_return_credits(std::uint32_t carrier) const;
  void on_queued(std::uint32_t channel);
  void on_sent(std::uint32_t channel);
  void on_credit(std::uint32_t carrier, std::uint32_t bits, TimePoint at);
  void check(std::uint32_t channel);
  void check_at(std::uint32_t channel, TimePoint at);
  void check_when_idle(std::uint32_t channel);
  [[nodiscard]] TimePoint idle_by(std::uint32_t channel) const;

  // components.cpp: what the components of a node do
  void count_work(std::uint32_t node, std::uint32_t packets, std::int64_t bits);
  void count_input_cells(const Packet& packet, TimePoint begin, Duration leaving);
  struct Passage {
    TimePoint begin{};
    Duration time{};
  };
  void count_cells(std::uint32_t node, std::uint32_t bits, Passage in, Passage out);

  // meters.cpp
  [[nodiscard]] power::MeterStart meter_start(std::uint32_t channel);
  [[nodiscard]] power::MeterClass channel_class(std::size_t rate_table) const;
  void add_component_meters(std::vector<power::MeterClass>& classes,
                            std::vector<power::MeterStart>& meters);
  void charge_components();
  template <class Visit>  // (kind of component, node, number of the switch or host)
  void for_each_component(Visit visit) const;
  void meter_change(std::uint32_t channel, TimePoint until);
  [[nodiscard]] bool owns(std::uint32_t channel) const {
    return net_.owner_of(net_.source_of(channel)) == number_;
  }

  NetworkState& net_;
  Outbox& outbox_;
  const std::uint32_t number_;  // of all ranks' partitions
  Observer& observer_;
  std::uint32_t round_ = 0;               // in which it enqueues
  TimePoint earliest_enqueued_ = kNever;  // enqueued in this round

  TimePoint now_{};
  des::Simulation<Payload> simulation_;
  PacketPool packets_;
  CreditPool credits_;
  routing::Candidates candidates_;  // of the packet in hand
  std::uint8_t lane_start_ = 0;     // the first virtual channel of its lane
  // Packets still to come of messages that have begun to arrive, by (source, message).
  absl::flat_hash_map<std::uint64_t, std::uint32_t> arriving_;
  std::optional<power::Ledger> ledger_;
  std::size_t first_component_meter_ = 0;  // in the ledger
  std::vector<NodeWork> work_before_;      // the account; by node

  std::uint64_t packets_sent_ = 0;
  std::uint64_t packet_hops_ = 0;
  std::uint64_t transmissions_ = 0;
};

}  // namespace ebb::netsim
