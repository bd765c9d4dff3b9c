// SPDX-License-Identifier: Apache-2.0
//
// The rule of every change: the packet on the wire finishes as it began, then the channel carries
// nothing for the time of the change, neither packets nor the credits of the reverse channel, then
// it is in its new state.
#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;
using policy::active;
using policy::changing;
using policy::RateStep;
using policy::Reason;
using policy::SetStep;

constexpr RateStep kSlow{0};
constexpr RateStep kFull{1};
const topology::RateLadder kTwoRates = {k10G, k40G};

// h0 - s0 - h1; a change takes 1 us. Channel 2 leads from s0 to h1.
TinyWorld one_switch(const std::vector<traffic::Message>& messages,
                     DataSize buffer = bytes(65'536)) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = buffer;
  return {line(1, {kTwoRates}), rates_only(kTwoRates, 1us), hardware, messages};
}

// The first packet is on the wire 150-550. Then 1 us of silence, then the second in 1600.
TEST(ARateChange, WaitsForThePacketOnTheWireAndThenIsSilent) {
  TinyWorld world = one_switch({message({}, 2 * kPacket)});
  world.network.run_until(at(200ns));
  const policy::Outcome outcome = world.order(2, SetStep{kSlow});
  EXPECT_EQ(outcome.reason, Reason::done);
  EXPECT_EQ(outcome.at, at(200ns));
  EXPECT_EQ(outcome.applied, changing(active(kSlow), at(1550ns)));
  world.network.run_dry();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), (Nanoseconds{600, 1550 + 1600 + 50}));
}

TEST(ARateChange, OfAnIdleChannelBeginsAtOnce) {
  TinyWorld world = one_switch({message({}, kPacket)});
  EXPECT_EQ(world.order(2, SetStep{kSlow}).applied, changing(active(kSlow), at(1us)));
  world.network.run_until(at(1us) - Duration(1));
  EXPECT_TRUE(world.state(2).changing);
  EXPECT_EQ(world.use(2).busy, 0ns);
  world.network.run_until(at(1us));
  EXPECT_EQ(world.state(2), active(kSlow));
  world.network.run_dry();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), Nanoseconds{1000 + 1600 + 50});
}

TEST(ARateChange, LeavesTheOtherDirectionAlone) {
  TinyWorld world = one_switch({message({}, kPacket, 1, 0)});
  (void)world.order(2, SetStep{kSlow});
  EXPECT_EQ(world.state(3), active(kFull));
  world.network.run_dry();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), Nanoseconds{600});
}

TEST(ARateChange, OfAHostsChannelHoldsItsPacketsBack) {
  TinyWorld world = one_switch({message(100ns, 2 * kPacket)});
  (void)world.order(0, SetStep{kSlow});
  world.network.run_dry();
  EXPECT_EQ(nanoseconds(world.seen.sent()), (Nanoseconds{1000, 2600}));
}

TEST(ARateChange, ThatIsAskedForDuringAnotherChangesNothing) {
  TinyWorld world = one_switch({});
  (void)world.order(2, SetStep{kSlow});
  world.network.run_until(at(999ns));
  const policy::Outcome refused = world.order(2, SetStep{kFull});
  EXPECT_EQ(refused.reason, Reason::changing);
  EXPECT_EQ(refused.applied, changing(active(kSlow), at(1us)));
  world.network.run_until(at(1us));
  EXPECT_EQ(world.order(2, SetStep{kFull}).applied, changing(active(kFull), at(2us)));
}

TEST(ARateChange, ToTheSameRateTakesNoTime) {
  TinyWorld world = one_switch({});
  const policy::Outcome outcome = world.order(2, SetStep{kFull});
  EXPECT_EQ(outcome.reason, Reason::done);
  EXPECT_EQ(outcome.applied, active(kFull));
}

TEST(ARateChange, OffTheLadderIsNotSupported) {
  TinyWorld world = one_switch({});
  EXPECT_EQ(world.order(2, SetStep{RateStep{2}}).reason, Reason::not_supported);
  EXPECT_EQ(world.state(2), active(kFull));
}

TEST(ARateChange, ThatTakesNoTimeComesBetweenTwoPackets) {
  TinyWorld world(line(1, {kTwoRates}), rates_only(kTwoRates), tiny_hardware(),
                  {message({}, 2 * kPacket)});
  world.network.run_until(at(200ns));
  EXPECT_EQ(world.order(2, SetStep{kSlow}).applied, changing(active(kSlow), at(550ns)));
  world.network.run_dry();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), (Nanoseconds{600, 550 + 1600 + 50}));
}

TEST(ARateChange, TakesLongerWhenTheNumberOfLanesDiffers) {
  ChannelModel model = rates_only({k2500M, k10G, k40G});
  model.steps[0].lanes = 1;
  model.steps[1].lanes = 4;
  model.steps[2].lanes = 4;
  model.rate_change = 1us;
  model.lane_change = 3us;
  TinyWorld world(line(1, {{k2500M, k10G, k40G}}), model, tiny_hardware(), {});
  EXPECT_EQ(world.order(0, SetStep{RateStep{1}}).applied.until, at(1us));
  EXPECT_EQ(world.order(1, SetStep{RateStep{0}}).applied.until, at(3us));
  world.network.run_until(at(3us));
  EXPECT_EQ(world.order(0, SetStep{RateStep{0}}).applied.until, at(6us));
  EXPECT_EQ(world.order(1, SetStep{RateStep{2}}).applied.until, at(6us));
}

// A packet that follows a slow one closely must wait until its tail is near: it may start on the
// full-rate channel 400 before its tail, wherever the rate of the channel before it changed.
TEST(ARateChange, OfTheLinkBeforeMovesTheTail) {
  TinyWorld world = one_switch({message(2us, kPacket)});
  (void)world.order(0, SetStep{kSlow});
  world.network.run_until(at(2us + 1600ns + 150ns - 400ns));
  EXPECT_EQ(world.use(2).busy, 0ns);
  world.network.run_dry();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), Nanoseconds{2000 + 1600 + 200});
}

// One packet of buffer: the first leaves s0 at 550, and channel 1 carries its credit then, if it
// can.
struct DarkCase {
  Duration change;
  std::int64_t second_packet_ns;
};
class CreditsOfAChangingChannel : public testing::TestWithParam<DarkCase> {};

TEST_P(CreditsOfAChangingChannel, WaitForItsEnd) {
  TinyWorld world = one_switch({message({}, 2 * kPacket)}, kPacket);
  world.network.run_until(at(GetParam().change));
  (void)world.order(1, SetStep{kSlow});
  world.network.run_dry();
  EXPECT_EQ(nanoseconds(world.seen.sent()), (Nanoseconds{0, GetParam().second_packet_ns}));
  EXPECT_EQ(to_string(world.network.leftovers()), "");
}

INSTANTIATE_TEST_SUITE_P(From, CreditsOfAChangingChannel,
                         testing::Values(DarkCase{0ns, 1000 + 50}, DarkCase{100ns, 1100 + 50},
                                         DarkCase{549ns, 1549 + 50},
                                         DarkCase{550ns, 550 + 50},  // has left
                                         DarkCase{580ns, 550 + 50}   // is on the cable
                                         ));

// h1's packet is on channel 1 from 150 to 550; only then the change begins.
TEST(Credits, AreCarriedUntilTheChangeBegins) {
  TinyWorld world = one_switch({message({}, 2 * kPacket), message({}, kPacket, 1, 0)}, kPacket);
  world.network.run_until(at(200ns));
  (void)world.order(1, SetStep{kSlow});
  world.network.run_dry();
  EXPECT_EQ(nanoseconds(world.seen.sent()), (Nanoseconds{0, 0, 600}));
}

TEST(Credits, BetweenSwitchesWaitForAChangeToo) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = kPacket;
  TinyWorld world(line(2, {kTwoRates}), rates_only(kTwoRates, 1us), hardware,
                  {message({}, 2 * kPacket)});
  (void)world.order(3, SetStep{kSlow});
  world.network.run_dry();
  // The second packet leaves s0 not at 750 but at 1050, and is there 400 + 150 + 50 later.
  EXPECT_EQ(nanoseconds(world.seen.arrived()), (Nanoseconds{750, 1050 + 600}));
}

}  // namespace
}  // namespace ebb::netsim
