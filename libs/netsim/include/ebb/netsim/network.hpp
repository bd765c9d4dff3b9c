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
// Switches, each with its hosts, can be spread over partitions that run on a thread each. Nothing
// that happens depends on how.
//
// Time belongs to the caller, who asks for samples, applies actions and reads meters between calls
// of run_until. Nothing is allocated on the way once pools have reached their working size.
#pragma once

#include "ebb/core/error.hpp"
#include "ebb/netsim/channel_model.hpp"
#include "ebb/netsim/hardware.hpp"
#include "ebb/netsim/message_source.hpp"
#include "ebb/netsim/observer.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/policy/action.hpp"
#include "ebb/policy/sample.hpp"
#include "ebb/power/ledger.hpp"
#include "ebb/routing/routing.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
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
    std::vector<std::uint32_t> partition_of;  // by switch; empty: one partition
  };

  // Every channel starts awake at its full rate. Source and observers must outlive the network.
  Network(Build build, MessageSource& source, Observer& observer);
  // One observer per partition, called on its thread.
  Network(Build build, MessageSource& source, std::span<Observer* const> observers);
  ~Network();

  // Handles every event before `end`; afterwards it is `end`.
  void run_until(TimePoint end);
  // Handles events until none is left: for sources that end.
  void run_dry();
  [[nodiscard]] TimePoint now() const;

  // What a policy sees and asks for. A sample is valid until the next one.
  [[nodiscard]] policy::Sample sample();
  policy::Outcome apply(const policy::Action& action);

  // The energy account from now on; a new one begins at each call.
  void start_meters();
  // Of the channels, since the account began.
  [[nodiscard]] Energy channel_energy();
  [[nodiscard]] Energy channel_energy(topology::ChannelId channel);
  [[nodiscard]] power::Ledger close_meters();

  // Since the beginning; what is on the wire counts for the part that has been sent.
  [[nodiscard]] ChannelUse use(topology::ChannelId channel) const;
  [[nodiscard]] policy::State state(topology::ChannelId channel) const;
  // What waits, the packet on the wire not counted.
  [[nodiscard]] DataSize queued(topology::ChannelId channel) const;

  [[nodiscard]] std::size_t packets_in_network() const;
  [[nodiscard]] std::uint64_t packets_sent() const;
  [[nodiscard]] std::uint64_t packet_hops() const;
  [[nodiscard]] std::uint64_t transmissions() const;
  [[nodiscard]] std::uint64_t events() const;
  [[nodiscard]] std::size_t pending_events() const;

  // For a network in which nothing moves: what waits for what, from one waiting packet on.
  [[nodiscard]] std::vector<std::string> blocked_chain() const;
  // What is left over after run_dry(): packets, queued data, credits that did not come back.
  [[nodiscard]] Errors leftovers();

  // Bytes held beside graph and routing.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace ebb::netsim
