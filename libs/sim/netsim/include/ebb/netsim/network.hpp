// SPDX-License-Identifier: Apache-2.0
//
// The network at work: hosts that cut messages into packets, switches that pass them on, channels
// that carry one packet at a time at the rate of their state, credits that keep buffers from
// overflowing. docs/models/netsim.md has the model in words and pictures.
//
// A packet costs one event per switch, when its head is ready to leave there. A channel that is
// busy when something is queued costs one more when it comes free. Credits and arrivals at hosts
// cost none.
//
// Switches, each with its hosts, can be spread over partitions that run on a thread each, and these
// over ranks. Nothing that happens depends on how. With several ranks each makes the same calls in
// the same order; what is said to be "of this rank" differs among them, all else is the same on
// each.
//
// Time belongs to the caller, who asks for samples, applies actions and reads meters between calls
// of run_until. Nothing is allocated on the way once pools have reached their working size.
//
//   Network network({graph, routing, models, hardware, core}, source, observer);
//   network.run_until(TimePoint(milliseconds(1)));
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/mpi/communicator.hpp"
#include "ebb/netsim/channel_model.hpp"
#include "ebb/netsim/hardware.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/netsim/switch_group.hpp"
#include "ebb/policy/action.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/policy/sample.hpp"
#include "ebb/power/ledger.hpp"
#include "ebb/power/part.hpp"
#include "ebb/routing/routing.hpp"
#include "ebb/traffic/message.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ebb::netsim {

// Where the messages of a run come from: a workload, or a script.
using traffic::MessageSource;

// Messages written down beforehand.
class Script final : public MessageSource {
 public:
  // Those of one host ascend by time.
  Script(std::span<const traffic::Message> messages, std::uint32_t hosts);

  [[nodiscard]] std::optional<traffic::Message> next(std::uint32_t host) override;

 private:
  std::vector<std::vector<traffic::Message>> messages_;  // by host, the next at the back
};

// What a network tells about itself while it runs. Statistics live in observers, not in the model.
struct PacketDelivered {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t message = 0;  // counts the messages of the source
  DataSize size;
  TimePoint sent{};  // its first bit left the host
  TimePoint at{};    // its last bit is at the destination

  bool operator==(const PacketDelivered&) const = default;
};

struct MessageDelivered {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t message = 0;
  TimePoint created{};
  TimePoint at{};  // its last bit is at the destination

  bool operator==(const MessageDelivered&) const = default;
};

// A channel changes its state: it draws `before` until `begin`, `meanwhile` until `end` and then
// `after`.
struct ChannelChange {
  topology::ChannelId channel{};
  TimePoint begin{};
  TimePoint end{};
  policy::State from;
  policy::State to;
  Power before;
  Power meanwhile;
  Power after;
};

// What power states cost a packet at a channel.
struct PacketHeld {
  std::uint32_t source = 0;
  std::uint32_t message = 0;
  topology::ChannelId channel{};
  Duration waking{};  // it waited for the channel, which slept or changed its rate
  Duration slower{};  // it took so much longer than at the full rate of the channel

  bool operator==(const PacketHeld&) const = default;
};

class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  // Called when the last switch begins to send the packet: `at` lies ahead, by one transmission and
  // one cable.
  virtual void packet_delivered(const PacketDelivered&) {}
  // At flow fidelity, where there are no packets: so much has arrived since the last call.
  virtual void data_delivered(DataSize) {}
  // Called with the last of its packets.
  virtual void message_delivered(const MessageDelivered&) {}
  // Whether it hears of changes of channels and of held packets, which takes time. Asked once, when
  // the network is made.
  [[nodiscard]] virtual bool watches_channels() const { return false; }
  // Called when the change is ordered: `begin` and `end` may lie ahead. Those of one channel come
  // in the order of time and do not overlap.
  virtual void channel_changes(const ChannelChange&) {}
  // Of packets of a closed loop, where there is anything to tell.
  virtual void packet_held(const PacketHeld&) {}
};

// What a network is made of. Refers to the graph, the routing and the communicator.
struct NetworkConfig {
  const topology::Graph& graph;
  const routing::Routing& routing;
  std::vector<ChannelModel> models;  // by rate table of the graph
  Hardware hardware;
  Power switch_core;
  std::uint64_t seed = 1;
  mpi::Communicator& communicator = mpi::serial_communicator();
  // By switch, the first on rank 0, as many on each rank; empty: one partition.
  std::vector<std::uint32_t> partition_of = {};
  // Metered beside channels and cores; none: they are not.
  std::optional<power::Components> components = std::nullopt;
  // Flows have one partition.
  Fidelity fidelity = Fidelity::packet;
  std::vector<SwitchGroup> switch_groups = {};  // of `switch_core`; none: switches never sleep
};

// What became of actions.
struct OutcomeCounts {
  std::uint64_t done = 0;
  std::uint64_t refused = 0;

  void count(const policy::Outcome& outcome) {
    ++(outcome.reason == policy::Reason::done ? done : refused);
  }
  OutcomeCounts& operator+=(const OutcomeCounts& other) {
    done += other.done;
    refused += other.refused;
    return *this;
  }
};

class Network;

// Whoever acts on the channels of a network in the place of its policy, which it asks itself: the
// controller of a fabric.
class NetworkControl {
 public:
  NetworkControl() = default;
  NetworkControl(const NetworkControl&) = delete;
  NetworkControl& operator=(const NetworkControl&) = delete;
  virtual ~NetworkControl() = default;

  // When it wants to act next.
  [[nodiscard]] virtual TimePoint next() const = 0;
  // It is that time, or a little later.
  virtual void act() = 0;
  [[nodiscard]] virtual OutcomeCounts outcomes() const = 0;  // of the actions of its policy
};

class Network {
 public:
  // Every channel starts awake at its full rate. Source and observers must outlive the network.
  Network(NetworkConfig config, MessageSource& source, Observer& observer);
  // One observer per partition of this rank, called on its thread.
  Network(NetworkConfig config, MessageSource& source, std::span<Observer* const> observers);
  ~Network();

  // Handles every event before `end`; afterwards it is `end`.
  void run_until(TimePoint end);
  // Handles events until none is left: for sources that end.
  void run_until_idle();
  [[nodiscard]] TimePoint now() const;

  // Tells the policy, always the same one, what there is to see and does what it asks. One that
  // decides link by link (policy.hpp) is asked where the links are, on the threads of their
  // partitions; others see all channels on all ranks.
  void act(policy::Policy& policy);
  [[nodiscard]] OutcomeCounts outcomes() const;  // of act(), since the beginning

  // The same in two steps. A sample is valid until the next one, outcomes until the next.
  [[nodiscard]] policy::Sample sample();
  std::span<const policy::Outcome> apply(std::span<const policy::Action> actions);
  policy::Outcome apply(const policy::Action& action) { return apply({&action, 1}).front(); }

  // From now on the channel is live, or is not, for packets that have another choice, where the
  // routing has choices in order (Routing::takes_first_live). What waits for it stays.
  void divert(topology::ChannelId channel, bool diverted);
  // What took such another choice because this one was not live, since the beginning.
  [[nodiscard]] DataSize bypassed(topology::ChannelId channel) const;

  // The energy account from now on; a new one begins at each call.
  void start_meters();
  // Of the channels, since the account began.
  [[nodiscard]] Energy channel_energy();
  [[nodiscard]] Energy energy_between_switches();
  // The whole account on rank 0, on others their part.
  [[nodiscard]] power::Ledger close_meters();

  // Since the beginning; what is on the wire counts for the part that has been sent. By channel; on
  // ranks other than 0 only their own channels are filled in.
  [[nodiscard]] std::vector<ChannelUse> uses() const;
  // The same with the rest of what is known of a channel, while there is an account.
  struct ChannelSnapshot {
    ChannelUse use;
    Energy energy;    // since the account began
    DataSize queued;  // what waits, the packet on the wire not counted
    policy::State state;
  };
  [[nodiscard]] std::vector<ChannelSnapshot> snapshot();
  // Of this rank.
  [[nodiscard]] ChannelUse use(topology::ChannelId channel) const;
  [[nodiscard]] policy::State state(topology::ChannelId channel) const;

  struct Counts {
    std::uint64_t packets_in_network = 0;
    std::uint64_t packets_sent = 0;   // since the beginning, as all below
    std::uint64_t packet_hops = 0;    // packets through switches
    std::uint64_t transmissions = 0;  // on any channel
    std::uint64_t events = 0;         // may depend on how the work is divided

    Counts& operator+=(const Counts& other);
  };
  [[nodiscard]] Counts counts() const;
  [[nodiscard]] std::uint64_t windows() const;       // in which partitions ran; one needs none
  [[nodiscard]] std::size_t pending_events() const;  // of this rank

  // For a network in which nothing moves: what waits for what, from one waiting packet on.
  [[nodiscard]] std::vector<std::string> blocked_chain() const;
  // What is left over on this rank after run_until_idle(): packets, queued data, credits that
  // did not come back.
  [[nodiscard]] Errors check_conservation();

  // Bytes held by this rank beside graph and routing.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::netsim
