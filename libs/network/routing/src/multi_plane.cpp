// SPDX-License-Identifier: Apache-2.0
//
// Routing in several planes: that of one plane, of which all others are copies. A packet stays in
// the plane of the interface that it left by, and its destination is an interface of the same
// plane. Planes share no channel, so that what is proved of one plane holds for all of them
// together.
#include "schemes.hpp"

#include "ebb/routing/congestion.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ebb::routing {
namespace {

ChannelId moved(ChannelId channel, std::uint32_t channels) {
  return ChannelId{topology::index(channel) + channels};
}

// What a switch of a plane sees, in the numbers of the first plane.
class ViewOfPlane final : public CongestionView {
 public:
  ViewOfPlane(const CongestionView& all, std::uint32_t first_channel)
      : all_(all), first_channel_(first_channel) {}

  [[nodiscard]] DataSize queued(ChannelId channel) const override {
    return all_.queued(moved(channel, first_channel_));
  }
  [[nodiscard]] DataSize missing_credits(const Candidate& candidate) const override {
    return all_.missing_credits(in_its_plane(candidate));
  }
  [[nodiscard]] DataSize round_trip(ChannelId channel) const override {
    return all_.round_trip(moved(channel, first_channel_));
  }
  [[nodiscard]] DataSize packet() const override { return all_.packet(); }
  [[nodiscard]] bool is_shut(const Candidate& candidate) const override {
    return all_.is_shut(in_its_plane(candidate));
  }
  [[nodiscard]] bool is_reported_congested(std::uint32_t number) const override {
    return all_.is_reported_congested(number);
  }

 private:
  [[nodiscard]] Candidate in_its_plane(Candidate candidate) const {
    candidate.channel = moved(candidate.channel, first_channel_);
    return candidate;
  }

  const CongestionView& all_;
  const std::uint32_t first_channel_;
};

class MultiPlane final : public Routing {
 public:
  MultiPlane(const Graph& all, std::unique_ptr<const Graph> one, std::unique_ptr<Routing> routing)
      : all_(all),
        one_(std::move(one)),
        routing_(std::move(routing)),
        switches_(one_->switch_count()),
        hosts_(one_->host_count()),
        channels_(one_->channel_count()) {}

  [[nodiscard]] int virtual_channels() const override { return routing_->virtual_channels(); }

  [[nodiscard]] RouteState start(NodeId source_host, NodeId destination_host, RandomStream& random,
                                 const CongestionView& view) const override {
    const std::uint32_t plane = plane_of(destination_host);
    return routing_->start(host(source_host, plane), host(destination_host, plane), random,
                           ViewOfPlane(view, plane * channels_));
  }
  [[nodiscard]] std::vector<RouteState> all_starts(NodeId source_host,
                                                   NodeId destination_host) const override {
    const std::uint32_t plane = plane_of(destination_host);
    return routing_->all_starts(host(source_host, plane), host(destination_host, plane));
  }
  void candidates(NodeId at, NodeId destination_host, RouteState state,
                  Candidates& out) const override {
    const std::uint32_t plane = plane_of(destination_host);
    routing_->candidates(switch_node(at, plane), host(destination_host, plane), state, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      Candidate candidate = out[i];
      candidate.channel = moved(candidate.channel, plane * channels_);
      out.set(i, candidate);
    }
  }
  [[nodiscard]] RouteState advance(NodeId at, const Candidate& taken,
                                   RouteState state) const override {
    const std::uint32_t plane = topology::index(at) / switches_;
    Candidate in_first = taken;
    in_first.channel = ChannelId{topology::index(taken.channel) - plane * channels_};
    return routing_->advance(switch_node(at, plane), in_first, state);
  }
  [[nodiscard]] int remaining_hops(NodeId at, NodeId destination_host,
                                   RouteState state) const override {
    const std::uint32_t plane = plane_of(destination_host);
    return routing_->remaining_hops(switch_node(at, plane), host(destination_host, plane), state);
  }
  // The first plane can do without the second, both without the third, and so on.
  [[nodiscard]] int tier(ChannelId channel) const override {
    return routing_->tier(ChannelId{topology::index(channel) % channels_}) +
           static_cast<int>(topology::index(channel) / channels_);
  }
  [[nodiscard]] bool takes_first_live() const override { return routing_->takes_first_live(); }
  [[nodiscard]] std::size_t memory_bytes() const override {
    return routing_->memory_bytes() + one_->memory_bytes();
  }

 private:
  // In the numbers of the first plane.
  [[nodiscard]] std::uint32_t plane_of(NodeId host) const {
    return all_.host_number(host) / hosts_;
  }
  [[nodiscard]] NodeId host(NodeId host, std::uint32_t plane) const {
    return one_->host_node(all_.host_number(host) - plane * hosts_);
  }
  [[nodiscard]] NodeId switch_node(NodeId node, std::uint32_t plane) const {
    return NodeId{topology::index(node) - plane * switches_};
  }

  const Graph& all_;
  const std::unique_ptr<const Graph> one_;
  const std::unique_ptr<Routing> routing_;
  const std::uint32_t switches_;  // of a plane, as those below
  const std::uint32_t hosts_;
  const std::uint32_t channels_;
};

}  // namespace

Result<std::unique_ptr<Routing>> make_multi_plane(std::string_view name, const Graph& graph) {
  auto one = std::make_unique<const Graph>(topology::one_plane(graph));
  auto routing = make_routing(name, *one);
  if (!routing) return routing;
  if ((*routing)->notifications() != nullptr || (*routing)->pause_diversion() != nullptr)
    return fail(fmt::format("routing '{}' cannot be used in several planes", name));
  return std::make_unique<MultiPlane>(graph, std::move(one), std::move(*routing));
}

}  // namespace ebb::routing
