// SPDX-License-Identifier: Apache-2.0
// What the first switch of a packet tells the routing of its outputs, by hand.

#include "tiny_network.hpp"

#include "ebb/routing/congestion.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

struct Seen {
  DataSize queued;
  DataSize missing;
  DataSize round_trip;
  DataSize packet;

  bool operator==(const Seen&) const = default;
};

// The only path, and what the view said of the channel from s0 to s1 when each packet started.
class Recording final : public routing::Routing {
 public:
  explicit Recording(const topology::Graph& graph) : path_(graph) {}

  [[nodiscard]] int virtual_channels() const override { return path_.virtual_channels(); }
  [[nodiscard]] routing::RouteState start(topology::NodeId source, topology::NodeId destination,
                                          RandomStream& random,
                                          const routing::CongestionView& view) const override {
    const routing::Candidate output{kToNext, 0};
    seen.push_back({view.queued(kToNext), view.missing_credits(output), view.round_trip(kToNext),
                    view.packet()});
    EXPECT_FALSE(view.is_shut(output));
    return path_.start(source, destination, random, view);
  }
  void candidates(topology::NodeId at, topology::NodeId destination, routing::RouteState state,
                  routing::Candidates& out) const override {
    path_.candidates(at, destination, state, out);
  }
  [[nodiscard]] routing::RouteState advance(topology::NodeId at, const routing::Candidate& taken,
                                            routing::RouteState state) const override {
    return path_.advance(at, taken, state);
  }
  [[nodiscard]] int remaining_hops(topology::NodeId, topology::NodeId,
                                   routing::RouteState) const override {
    return 0;
  }
  [[nodiscard]] std::size_t memory_bytes() const override { return 0; }

  mutable std::vector<Seen> seen;

 private:
  static constexpr topology::ChannelId kToNext{2};

  FirstPath path_;
};

// h0 sends packets to h1, whose link runs at `last`, and all others at 40 Gb/s.
std::vector<Seen> seen_with(DataRate last, const Hardware& hardware, int packets,
                            const ChannelModel& model = rates_only({k40G})) {
  const topology::Graph graph = line(2, {{k40G}, {k40G}, {last}});
  const Recording routing(graph);
  const std::vector<traffic::Message> messages = {message({}, packets * kPacket)};
  Script script(messages, 2);
  Watcher watcher;
  Network network({graph, routing, {model, model, rates_only({last})}, hardware, {}, 1}, script,
                  watcher);
  network.run_until_idle();
  return routing.seen;
}

// A channel on which nothing waits. Packet k is at s0 at 150 + 400 k, when the one before has just
// left; that one is away from s1 at 700 + 400 (k - 1), and its credit is back 50 later. In the 100
// of the cable, there and back, and the 100 of a switch, 40 Gb/s are 8,000 bits.
TEST(SwitchView, OfAChannelThatNeverWaitsLacksLessThanARoundTrip) {
  const DataSize round_trip = 2 * kPacket + bits(8'000);
  const std::vector<Seen> seen = seen_with(k40G, tiny_hardware(), 4);
  const Seen alone{{}, {}, round_trip, kPacket};
  const Seen later{{}, kPacket, round_trip, kPacket};
  EXPECT_EQ(seen, (std::vector<Seen>{alone, later, later, later}));
}

// Packets leave s1 every 1600: packet j is away at 1900 + 1600 j, and its credit back 50 later.
// When packet k starts, k were sent.
TEST(SwitchView, LacksTheCreditsOfWhatWaitsAtTheNextSwitch) {
  const std::vector<Seen> seen = seen_with(k10G, tiny_hardware(), 12);
  ASSERT_EQ(seen.size(), 12U);
  for (std::int64_t k = 0; k < 12; ++k) {
    const std::int64_t start = 150 + 400 * k;
    const std::int64_t back = start < 1950 ? 0 : 1 + (start - 1950) / 1600;
    EXPECT_EQ(seen[static_cast<std::size_t>(k)].missing, (k - back) * kPacket) << k;
  }
  EXPECT_EQ(seen[11].missing, 9 * kPacket);
}

// s1 has room for four packets. The fifth starts at 1750 and is sent at 1950, when the first credit
// is back; the sixth starts at 2150 and finds it on the wire.
TEST(SwitchView, CountsTheQueueOfItsOwnSwitch) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = 4 * kPacket;
  const std::vector<Seen> seen = seen_with(k10G, hardware, 7);
  ASSERT_EQ(seen.size(), 7U);
  EXPECT_EQ(seen[4].missing, 4 * kPacket);
  EXPECT_EQ(seen[4].queued, DataSize{});
  EXPECT_EQ(seen[5].queued, kPacket);
}

// A channel that can sleep may keep a quarter of the credits back.
TEST(SwitchView, AllowsForCreditsThatASleepingChannelDefers) {
  const Hardware hardware = tiny_hardware();
  const std::vector<Seen> seen = seen_with(k40G, hardware, 1, sleepy({k40G}, 1us));
  const DataSize quarter = bits(hardware.input_buffer.count() / 4);
  EXPECT_EQ(seen.front().round_trip, 2 * kPacket + bits(8'000) + quarter);
}

// Pause frames take the place of credits.
TEST(SwitchView, LacksNoCreditsWithPauses) {
  Hardware hardware = tiny_hardware();
  hardware.flow_control = FlowControl::pause;
  for (const Seen& one : seen_with(k10G, hardware, 12)) EXPECT_EQ(one.missing, DataSize{});
}

}  // namespace
}  // namespace ebb::netsim
