// SPDX-License-Identifier: Apache-2.0
//
// Routing: which outputs of a switch a packet may take, and on which virtual channel. Choosing one
// of them (by queue depth, link state or at random) is the caller's business.
//
// A Routing never changes after it was made: any number of threads may share it. It refers to the
// graph, which must outlive it. It never allocates on a call; what a packet needs on its way is in
// its RouteState. A host is served by its first link: that link's switch is the host's switch.
//
//   const auto routing = make_routing("minimal-adaptive", graph).value();
//   RouteState state = routing->start(source, destination, random, view);
//   NodeId at = <the switch of `source`>;
//   for (Candidates outputs; at != destination; at = graph.target(outputs[i].channel)) {
//     routing->candidates(at, destination, state, outputs);
//     const std::size_t i = <the one the caller likes best>;
//     state = routing->advance(at, outputs[i], state);
//   }
//
// Schemes that choose between a minimal and a non-minimal path do so in `start`, by what the first
// switch knows of its outputs: `view` (congestion.hpp).
#pragma once

#include "ebb/core/random.hpp"
#include "ebb/topology/graph.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ebb::routing {

using topology::ChannelId;
using topology::Graph;
using topology::NodeId;

// What a packet carries for its route. Only the scheme that made a state can read it.
struct RouteState {
  std::uint32_t intermediate = 0;  // switch or group to visit first; in `tables` the source host
  std::uint8_t phase = 0;
  std::uint8_t hops = 0;  // links taken, where the scheme counts them
  // The port of the switch by which the packet came, from 1, where the scheme asks for it.
  std::uint16_t input_port = 0;

  bool operator==(const RouteState&) const = default;
};
static_assert(sizeof(RouteState) == 8);

// A legal output, and the virtual channel to use on it.
struct Candidate {
  ChannelId channel{};
  std::uint8_t vc = 0;
  // Hops by which the longest path over this output exceeds that over the shortest candidate; in
  // up-down-nonminimal, by which the shortest path over this output exceeds it.
  std::uint8_t extra_hops = 0;
  // RouteState::phase of a packet that takes it, where the scheme knows it only now.
  std::uint8_t phase = 0;

  bool operator==(const Candidate&) const = default;
};

// The legal outputs of one packet at one switch, in port order within each rule of the scheme.
class Candidates {
 public:
  // Schemes are refused on networks where a packet could have more legal outputs than this.
  static constexpr std::size_t kCapacity = 256;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const Candidate& operator[](std::size_t i) const { return list_[i]; }
  [[nodiscard]] const Candidate* begin() const { return list_.data(); }
  [[nodiscard]] const Candidate* end() const { return list_.data() + size_; }

  void clear() { size_ = 0; }
  void push(Candidate candidate) { list_.at(size_++) = candidate; }
  // Replaces one.
  void set(std::size_t i, Candidate candidate) { list_[i] = candidate; }

 private:
  std::array<Candidate, kCapacity> list_;
  std::size_t size_ = 0;
};

// congestion.hpp
class CongestionView;
class CongestionNotifications;
class PauseDiversion;

class Routing {
 public:
  Routing() = default;
  Routing(const Routing&) = delete;
  Routing& operator=(const Routing&) = delete;
  virtual ~Routing() = default;

  // Candidates use 0 .. virtual_channels()-1. Channels to and from hosts use only 0.
  [[nodiscard]] virtual int virtual_channels() const = 0;

  // Once per packet, when it enters the network at the switch of its source, whose view it is. By
  // default there is one, empty state.
  [[nodiscard]] virtual RouteState start(NodeId source_host, NodeId destination_host,
                                         RandomStream& random, const CongestionView& view) const;

  // Everything that `start` can give: what a proof must look at.
  [[nodiscard]] virtual std::vector<RouteState> all_starts(NodeId source_host,
                                                           NodeId destination_host) const;

  // Replaces `out` by the legal outputs of switch `at`: never empty for a state that a packet can
  // have there. At the destination's switch this is the channel to the host.
  virtual void candidates(NodeId at, NodeId destination_host, RouteState state,
                          Candidates& out) const = 0;

  // The state of the packet after it left `at` by `taken`.
  [[nodiscard]] virtual RouteState advance(NodeId at, const Candidate& taken,
                                           RouteState state) const = 0;

  // The most switch-to-switch hops that remain, whatever candidates are taken; exact for schemes
  // that are minimal. Every hop lowers it, so every packet arrives.
  [[nodiscard]] virtual int remaining_hops(NodeId at, NodeId destination_host,
                                           RouteState state) const = 0;

  // How dispensable a channel is. Packets reach their destinations over the channels of tier 0
  // alone if those of higher tiers sleep, on longer paths; the higher the tier, the less is lost.
  [[nodiscard]] virtual int tier(ChannelId channel) const;

  // Whether the candidates are in order of preference, as the buckets of a fast-failover group are:
  // a switch then takes the first that is live, however much waits for it. Otherwise it selects.
  [[nodiscard]] virtual bool takes_first_live() const { return false; }

  // What only some schemes need of the network; null: nothing.
  [[nodiscard]] virtual const CongestionNotifications* notifications() const { return nullptr; }
  [[nodiscard]] virtual const PauseDiversion* pause_diversion() const { return nullptr; }

  // Bytes held beside the graph.
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
};

}  // namespace ebb::routing
