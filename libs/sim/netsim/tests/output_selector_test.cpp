// SPDX-License-Identifier: Apache-2.0
// Which output a packet takes, by what the channels are like.

#include "../src/output_selector.hpp"

#include "../src/channel_view.hpp"
#include "../src/router.hpp"
#include "parts_under_test.hpp"

#include <set>

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;
using routing::Candidates;

// Any two channels will do for a choice.
constexpr ChannelId kA{2};
constexpr ChannelId kB{4};

struct Choice : PartsUnderTest {
  explicit Choice(OutputSelection selection, const ChannelModel& model = sleepy({k10G, k40G}, 1us),
                  DataSize penalty = {})
      : PartsUnderTest(hardware_for(selection, penalty), model),
        view(part),
        selector(make_output_selector(net.config.hardware, net.config.routing, view)) {
    both.push({kA, 0, 0});
    both.push({kB, 0, 0});
  }

  static Hardware hardware_for(OutputSelection selection, DataSize penalty) {
    Hardware hardware = tiny_hardware();
    hardware.output_selection = selection;
    hardware.low_power_penalty = penalty;
    return hardware;
  }
  ChannelId taken() { return selector->select(both, 0, ties).channel; }

  ChannelView view;
  std::unique_ptr<OutputSelector> selector;
  Candidates both;
  RandomStream ties{1, "test"};
};

TEST(ByQueue, TakesTheLeastWaitingAndOnTheWire) {
  Choice choice(OutputSelection::queue);
  choice.net.channels[kA].queued_bits = 10;
  EXPECT_EQ(choice.taken(), kB);
  choice.net.channels[kB].wire_end = at(1us);
  choice.net.channels[kB].wire_bits = 11;
  EXPECT_EQ(choice.taken(), kA);
}

TEST(ByQueue, DrawsAmongEqualOnes) {
  Choice choice(OutputSelection::queue);
  std::set<ChannelId> seen;
  for (int i = 0; i < 50; ++i) seen.insert(choice.taken());
  EXPECT_EQ(seen.size(), 2U);
}

TEST(ByQueue, KeepsAwayFromAChannelThatIsDrained) {
  Choice choice(OutputSelection::queue);
  choice.net.channels[kA].draining = true;
  choice.net.channels[kB].queued_bits = 1'000'000;
  EXPECT_EQ(choice.taken(), kB);
}

// A channel below its full rate counts as if 100 bits more waited for it.
TEST(ByQueue, PrefersChannelsAtFullRateByThePenalty) {
  Choice choice(OutputSelection::queue, sleepy({k10G, k40G}, 1us), bits(100));
  choice.net.channels[kA].rate_level = 0;
  choice.net.channels[kA].at_full_rate = false;
  choice.net.channels[kB].queued_bits = 99;
  EXPECT_EQ(choice.taken(), kB);
  choice.net.channels[kB].queued_bits = 101;
  EXPECT_EQ(choice.taken(), kA);
}

// What is missing of a buffer beyond the quarter that a sleeping channel may defer.
TEST(ByCredits, CountsWhatWaitsDownstream) {
  Choice choice(OutputSelection::credits);
  VcQueue& queue = choice.net.queue(kA, 0);
  queue.credit_bits -= queue.credit_bits / 4;
  choice.net.channels[kB].queued_bits = 10;
  EXPECT_EQ(choice.taken(), kA);
  queue.credit_bits -= 11;
  EXPECT_EQ(choice.taken(), kB);
}

TEST(ByUse, TakesWhatSentLeastSinceTheSample) {
  Choice choice(OutputSelection::least_used);
  choice.net.channels[kA].sent_bits = 100;
  choice.net.controls[kA].sampled_bits = 95;
  choice.net.channels[kB].sent_bits = 6;
  EXPECT_EQ(choice.taken(), kA);
  choice.net.channels[kA].free_at = kNever;  // asleep
  EXPECT_EQ(choice.taken(), kB);
}

TEST(AtRandom, LooksAtNoQueue) {
  Choice choice(OutputSelection::random);
  choice.net.channels[kA].queued_bits = 1'000'000;
  std::set<ChannelId> seen;
  for (int i = 0; i < 50; ++i) seen.insert(choice.taken());
  EXPECT_EQ(seen.size(), 2U);
  choice.net.channels[kA].draining = true;
  for (int i = 0; i < 50; ++i) EXPECT_EQ(choice.taken(), kB);
}

TEST(TheFirst, IsTakenWhateverWaits) {
  Choice choice(OutputSelection::first);
  choice.net.channels[kA].queued_bits = 1'000'000;
  EXPECT_EQ(choice.taken(), kA);
}

// The candidates of another routing are choices in order.
class InOrder final : public routing::Routing {
 public:
  [[nodiscard]] int virtual_channels() const override { return 1; }
  [[nodiscard]] bool takes_first_live() const override { return true; }
  void candidates(NodeId, NodeId, routing::RouteState, Candidates& out) const override {
    out.clear();
    out.push({kA, 0, 0});
    out.push({kB, 0, 0});
  }
  [[nodiscard]] routing::RouteState advance(NodeId, const routing::Candidate&,
                                            routing::RouteState state) const override {
    return state;
  }
  [[nodiscard]] int remaining_hops(NodeId, NodeId, routing::RouteState) const override { return 0; }
  [[nodiscard]] std::size_t memory_bytes() const override { return 0; }
};

TEST(TheFirstLive, IsTakenWhateverWaitsAndWhateverTheHardwareSelects) {
  Choice choice(OutputSelection::queue);
  choice.selector = make_output_selector(choice.net.config.hardware, InOrder(), choice.view);
  choice.net.channels[kA].queued_bits = 1'000'000;
  EXPECT_EQ(choice.taken(), kA);
  choice.net.channels[kA].draining = true;
  EXPECT_EQ(choice.taken(), kB);
  choice.net.channels[kB].free_at = kNever;  // asleep
  EXPECT_EQ(choice.taken(), kA) << "none is live: the first it would have been";
  choice.net.channels[kA].draining = false;
  EXPECT_EQ(choice.taken(), kA);
}

// Waking up it carries nothing yet; with a rate that changes it is up.
TEST(TheFirstLive, IsNotOneThatWakesUp) {
  Choice choice(OutputSelection::queue, sleepy({k10G, k40G}, 1us, 1us));
  choice.selector = make_output_selector(choice.net.config.hardware, InOrder(), choice.view);
  (void)choice.outputs.apply({policy::ChannelId{index(kA)}, policy::Sleep{}});
  (void)choice.run(at(1ns));
  EXPECT_EQ(choice.taken(), kB);
  (void)choice.outputs.apply({policy::ChannelId{index(kA)}, policy::Wake{}});
  EXPECT_EQ(choice.taken(), kB);
  (void)choice.run(at(2us));
  EXPECT_EQ(choice.taken(), kA);
  const policy::SetRateLevel slow{policy::RateLevel{0}};
  (void)choice.outputs.apply({policy::ChannelId{index(kA)}, slow});
  EXPECT_EQ(choice.taken(), kA);
}

// With flits a virtual channel that another packet has is worth a packet.
TEST(Flits, AvoidAVirtualChannelThatIsTaken) {
  Hardware hardware = tiny_hardware();
  hardware.switching = Switching::wormhole;
  PartsUnderTest under(hardware);
  ChannelView view(under.part);
  const auto selector = make_output_selector(hardware, under.net.config.routing, view);
  Candidates both;
  both.push({kA, 0, 0});
  both.push({kB, 0, 0});
  under.net.output_vc_states[under.net.place(kA, 0)].owner = VcPlace{0};
  under.net.channels[kB].queued_bits = kPacket.count() - 1;
  RandomStream ties{1, "test"};
  EXPECT_EQ(selector->select(both, 0, ties).channel, kB);
  under.net.channels[kB].queued_bits = kPacket.count() + 1;
  EXPECT_EQ(selector->select(both, 0, ties).channel, kA);
}

TEST(TheRouter, StartsAPacketOnceAndSendsItToItsHost) {
  PartsUnderTest under;
  Router router(under.part, under.outputs);
  Candidates scratch;
  Packet packet{.source = 0, .destination = 1};
  EXPECT_EQ(router.route(kFirstSwitch, packet, 0, scratch).channel, kBetween);
  EXPECT_TRUE(packet.routed);
  EXPECT_EQ(router.route(kSecondSwitch, packet, 0, scratch).channel, kToHost);
}

}  // namespace
}  // namespace ebb::netsim
