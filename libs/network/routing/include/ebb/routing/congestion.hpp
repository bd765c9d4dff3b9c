// SPDX-License-Identifier: Apache-2.0
//
// What a switch knows of the load of its outputs when a packet enters the network there. Routings
// that choose between a minimal and a non-minimal path ask for it in `Routing::start`; whoever
// moves packets implements it. Two further, optional interfaces are for routings whose switches
// notify each other of congestion, and for those whose packets turn away from a paused output.
//
//   const RouteState state = routing->start(source, destination, random, EmptyNetwork());
//
// A view is of one switch at one moment: it lives no longer than the call that it is handed to.
#pragma once

#include "ebb/routing/routing.hpp"
#include "ebb/units/data.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace ebb::routing {

// Of the switch of the source host. Channels are its outputs.
class CongestionView {
 public:
  CongestionView() = default;
  CongestionView(const CongestionView&) = delete;
  CongestionView& operator=(const CongestionView&) = delete;
  virtual ~CongestionView() = default;

  // Data that a packet would find before it: queued for the channel, and on its wire. A channel in
  // a low-power state may count for more.
  [[nodiscard]] virtual DataSize queued(ChannelId channel) const = 0;

  // Of the buffer at the other end of the candidate's virtual channel, what the switch holds no
  // credits for: data on the cable, data that waits there, and credits that are on their way back.
  // Nothing where no credits are used.
  [[nodiscard]] virtual DataSize missing_credits(const Candidate& candidate) const = 0;

  // The most that is missing of a channel on which nothing waits at the other end: what it sends
  // until the credit of its first bit is back.
  [[nodiscard]] virtual DataSize round_trip(ChannelId channel) const = 0;

  // A full one.
  [[nodiscard]] virtual DataSize packet() const = 0;

  // Paused for the candidate's virtual channel, or the queue for it is full.
  [[nodiscard]] virtual bool is_shut(const Candidate& candidate) const = 0;

  // Whether the channel with this number in the notification group of the switch is reported to be
  // congested: see CongestionNotifications.
  [[nodiscard]] virtual bool is_reported_congested(std::uint32_t number) const = 0;
};

// A network without a packet in it: for tests, and wherever a route is drawn without a simulation.
class EmptyNetwork final : public CongestionView {
 public:
  [[nodiscard]] DataSize queued(ChannelId /*channel*/) const override { return {}; }
  [[nodiscard]] DataSize missing_credits(const Candidate& /*candidate*/) const override {
    return {};
  }
  [[nodiscard]] DataSize round_trip(ChannelId /*channel*/) const override { return {}; }
  [[nodiscard]] DataSize packet() const override { return {}; }
  [[nodiscard]] bool is_shut(const Candidate& /*candidate*/) const override { return false; }
  [[nodiscard]] bool is_reported_congested(std::uint32_t /*number*/) const override {
    return false;
  }
};

// Switches that notify each other which of their channels are congested: numbered in a row.
struct NotificationGroup {
  NodeId first{};
  std::uint32_t switches = 0;
  std::uint32_t channels_each = 0;  // that a switch sends notifications about, at most
};

// Of a routing whose switches notify each other (`Routing::notifications`).
class CongestionNotifications {
 public:
  CongestionNotifications() = default;
  CongestionNotifications(const CongestionNotifications&) = delete;
  CongestionNotifications& operator=(const CongestionNotifications&) = delete;
  virtual ~CongestionNotifications() = default;

  // Which switches receive the notifications of `at`, and about which of its channels. Notification
  // i of switch first + j has number j * channels_each + i in the group. All groups are of one
  // size.
  [[nodiscard]] virtual NotificationGroup group(NodeId at) const = 0;
  [[nodiscard]] virtual std::span<const ChannelId> channels(NodeId at) const = 0;
};

// Of a routing whose packets turn away from an output that is paused while they wait for it at
// their first switch (`Routing::pause_diversion`). Such a routing needs pause frames.
class PauseDiversion {
 public:
  PauseDiversion() = default;
  PauseDiversion(const PauseDiversion&) = delete;
  PauseDiversion& operator=(const PauseDiversion&) = delete;
  virtual ~PauseDiversion() = default;

  // The state in which the packet goes another way, if it does.
  [[nodiscard]] virtual std::optional<RouteState> divert(NodeId source_host,
                                                         NodeId destination_host,
                                                         const Candidate& waits_for,
                                                         const CongestionView& view) const = 0;
};

}  // namespace ebb::routing
