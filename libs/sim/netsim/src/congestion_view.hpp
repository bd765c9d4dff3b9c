// SPDX-License-Identifier: Apache-2.0
//
// What a switch of the simulator knows of its outputs at one moment, for routings that choose a
// packet's path by it (ebb/routing/congestion.hpp). Virtual channels are those of the routing: the
// view adds the lane of the packet in hand.
//
//   const RouteState state = routing.start(from, to, random, SwitchView(view, net, at, first_vc));
#pragma once

#include "channel_view.hpp"

#include "ebb/routing/congestion.hpp"

#include <cstdint>

namespace ebb::netsim {

class SwitchView final : public routing::CongestionView {
 public:
  // `first_vc` is the first virtual channel of the lane.
  SwitchView(ChannelView& view, const NetworkState& net, NodeId at, std::uint8_t first_vc)
      : view_(view), net_(net), at_(at), first_vc_(first_vc) {}

  [[nodiscard]] DataSize queued(ChannelId channel) const override;
  [[nodiscard]] DataSize missing_credits(const routing::Candidate& candidate) const override;
  [[nodiscard]] DataSize round_trip(ChannelId channel) const override;
  [[nodiscard]] DataSize packet() const override;
  [[nodiscard]] bool is_shut(const routing::Candidate& candidate) const override;
  [[nodiscard]] bool is_reported_congested(std::uint32_t number) const override;

 private:
  [[nodiscard]] std::uint8_t vc_of(const routing::Candidate& candidate) const {
    return static_cast<std::uint8_t>(first_vc_ + candidate.vc);
  }

  ChannelView& view_;
  const NetworkState& net_;
  NodeId at_;
  std::uint8_t first_vc_;
};

}  // namespace ebb::netsim
