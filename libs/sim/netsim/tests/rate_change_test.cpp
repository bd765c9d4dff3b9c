// SPDX-License-Identifier: Apache-2.0
// The rule of every change: the packet on the wire finishes as it began, then the channel carries
// nothing for the time of the change, neither packets nor the credits of the reverse channel, then
// it is in its new state.

#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;
using policy::active;
using policy::changing;
using policy::RateLevel;
using policy::Reason;
using policy::SetRateLevel;
using policy::Sleep;
using policy::Wake;

constexpr RateLevel kSlow{0};
constexpr RateLevel kFull{1};
const topology::RateTable kTwoRates = {k10G, k40G};

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
  const policy::Outcome outcome = world.order(2, SetRateLevel{kSlow});
  EXPECT_EQ(outcome.reason, Reason::done);
  EXPECT_EQ(outcome.at, at(200ns));
  EXPECT_EQ(outcome.applied, changing(active(kSlow), at(1550ns)));
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), (Nanoseconds{600, 1550 + 1600 + 50}));
}

TEST(ARateChange, OfAnIdleChannelBeginsAtOnce) {
  TinyWorld world = one_switch({message({}, kPacket)});
  EXPECT_EQ(world.order(2, SetRateLevel{kSlow}).applied, changing(active(kSlow), at(1us)));
  world.network.run_until(at(1us) - Duration(1));
  EXPECT_TRUE(world.state(2).changing);
  EXPECT_EQ(world.use(2).busy, 0ns);
  world.network.run_until(at(1us));
  EXPECT_EQ(world.state(2), active(kSlow));
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), Nanoseconds{1000 + 1600 + 50});
}

TEST(ARateChange, LeavesTheOtherDirectionAlone) {
  TinyWorld world = one_switch({message({}, kPacket, 1, 0)});
  (void)world.order(2, SetRateLevel{kSlow});
  EXPECT_EQ(world.state(3), active(kFull));
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), Nanoseconds{600});
}

TEST(ARateChange, OfAHostsChannelHoldsItsPacketsBack) {
  TinyWorld world = one_switch({message(100ns, 2 * kPacket)});
  (void)world.order(0, SetRateLevel{kSlow});
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.sent()), (Nanoseconds{1000, 2600}));
}

TEST(ARateChange, ThatIsAskedForDuringAnotherChangesNothing) {
  TinyWorld world = one_switch({});
  (void)world.order(2, SetRateLevel{kSlow});
  world.network.run_until(at(999ns));
  const policy::Outcome refused = world.order(2, SetRateLevel{kFull});
  EXPECT_EQ(refused.reason, Reason::changing);
  EXPECT_EQ(refused.applied, changing(active(kSlow), at(1us)));
  world.network.run_until(at(1us));
  EXPECT_EQ(world.order(2, SetRateLevel{kFull}).applied, changing(active(kFull), at(2us)));
}

TEST(ARateChange, ToTheSameRateTakesNoTime) {
  TinyWorld world = one_switch({});
  const policy::Outcome outcome = world.order(2, SetRateLevel{kFull});
  EXPECT_EQ(outcome.reason, Reason::done);
  EXPECT_EQ(outcome.applied, active(kFull));
}

TEST(ARateChange, NotInTheRateTableIsNotSupported) {
  TinyWorld world = one_switch({});
  EXPECT_EQ(world.order(2, SetRateLevel{RateLevel{2}}).reason, Reason::not_supported);
  EXPECT_EQ(world.state(2), active(kFull));
}

TEST(ARateChange, ThatTakesNoTimeComesBetweenTwoPackets) {
  TinyWorld world(line(1, {kTwoRates}), rates_only(kTwoRates), tiny_hardware(),
                  {message({}, 2 * kPacket)});
  world.network.run_until(at(200ns));
  EXPECT_EQ(world.order(2, SetRateLevel{kSlow}).applied, changing(active(kSlow), at(550ns)));
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), (Nanoseconds{600, 550 + 1600 + 50}));
}

TEST(ARateChange, TakesLongerWhenTheNumberOfLanesDiffers) {
  ChannelModel model = rates_only({k2500M, k10G, k40G});
  model.rate_levels[0].serdes_lanes = 1;
  model.rate_levels[1].serdes_lanes = 4;
  model.rate_levels[2].serdes_lanes = 4;
  model.rate_change = 1us;
  model.lane_change = 3us;
  TinyWorld world(line(1, {{k2500M, k10G, k40G}}), model, tiny_hardware(), {});
  EXPECT_EQ(world.order(0, SetRateLevel{RateLevel{1}}).applied.until, at(1us));
  EXPECT_EQ(world.order(1, SetRateLevel{RateLevel{0}}).applied.until, at(3us));
  world.network.run_until(at(3us));
  EXPECT_EQ(world.order(0, SetRateLevel{RateLevel{0}}).applied.until, at(6us));
  EXPECT_EQ(world.order(1, SetRateLevel{RateLevel{2}}).applied.until, at(6us));
}

// A packet that follows a slow one closely must wait until its tail is near: it may start on the
// full-rate channel 400 before its tail, wherever the rate of the channel before it changed.
TEST(ARateChange, OfTheLinkBeforeMovesTheTail) {
  TinyWorld world = one_switch({message(2us, kPacket)});
  (void)world.order(0, SetRateLevel{kSlow});
  world.network.run_until(at(2us + 1600ns + 150ns - 400ns));
  EXPECT_EQ(world.use(2).busy, 0ns);
  world.network.run_until_idle();
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
  (void)world.order(1, SetRateLevel{kSlow});
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.sent()), (Nanoseconds{0, GetParam().second_packet_ns}));
  EXPECT_EQ(to_string(world.network.check_conservation()), "");
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
  (void)world.order(1, SetRateLevel{kSlow});
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.sent()), (Nanoseconds{0, 0, 600}));
}

TEST(Credits, BetweenSwitchesWaitForAChangeToo) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = kPacket;
  TinyWorld world(line(2, {kTwoRates}), rates_only(kTwoRates, 1us), hardware,
                  {message({}, 2 * kPacket)});
  (void)world.order(3, SetRateLevel{kSlow});
  world.network.run_until_idle();
  // The second packet leaves s0 not at 750 but at 1050, and is there 400 + 150 + 50 later.
  EXPECT_EQ(nanoseconds(world.seen.arrived()), (Nanoseconds{750, 1050 + 600}));
}

// Channels whose voltage follows their rate: 8 us from nothing to that of 10 Gb/s, 18 us to that of
// 40 Gb/s. Locking to another rate takes 1 us, waking 2 us.
ChannelModel scaled() {
  ChannelModel model = sleepy({k10G, k40G}, 2us, 1us);
  model.rate_levels[0].ramp_time = 8us;
  model.rate_levels[1].ramp_time = 18us;
  model.sleep->wakes_at = kSlow;
  return model;
}

TinyWorld one_scaled_switch(const std::vector<traffic::Message>& messages) {
  return {line(1, {{k10G, k40G}}), scaled(), tiny_hardware(), messages};
}

TEST(AVoltageRamp, DecidesHowLongAChangeOfRateTakes) {
  TinyWorld world = one_scaled_switch({});
  EXPECT_EQ(world.order(2, SetRateLevel{kSlow}).applied, changing(active(kSlow), at(10us)));
  ChannelModel quick = scaled();
  quick.rate_change = 12us;  // locking takes longer than the voltage ramp
  EXPECT_EQ(quick.change_time(active(kSlow), active(kFull)), Duration(12us));
}

// Woken at 10 us the channel runs at 10 Gb/s from 12 us on: a packet takes 1600. At 30 us its
// voltage ramp is over, and at 31 us it runs at 40 Gb/s.
TEST(AWokenChannel, RunsSlowlyUntilItsSupplyIsUp) {
  TinyWorld world = one_scaled_switch({message(12us, kPacket), message(32us, kPacket)});
  (void)world.order(2, Sleep{});
  world.network.run_until(at(10us));
  EXPECT_EQ(world.order(2, Wake{}).applied, changing(active(kSlow), at(12us)));
  world.network.run_until(at(29us));
  EXPECT_EQ(world.state(2), active(kSlow));
  world.network.run_until(at(30'500ns));
  EXPECT_EQ(world.state(2), changing(active(kFull), at(31us)));
  world.network.run_until_idle();
  EXPECT_EQ(world.state(2), active(kFull));
  EXPECT_EQ(nanoseconds(world.seen.arrived()),
            (Nanoseconds{12'150 + 1600 + 50, 32'150 + 400 + 50}));
}

TEST(AWokenChannel, ThatIsPutToSleepBeforeRemembersItsRate) {
  TinyWorld world = one_scaled_switch({});
  (void)world.order(2, Sleep{});
  (void)world.order(2, Wake{});
  world.network.run_until(at(5us));
  EXPECT_EQ(world.order(2, Sleep{}).applied, policy::asleep(kFull));
  world.network.run_until(at(40us));
  EXPECT_EQ(world.state(2), policy::asleep(kFull));
  EXPECT_EQ(world.order(2, SetRateLevel{kSlow}).applied, policy::asleep(kSlow));
  EXPECT_EQ(world.order(2, SetRateLevel{kFull}).applied, policy::asleep(kFull));
  (void)world.order(2, Wake{});
  world.network.run_until(at(70us));
  EXPECT_EQ(world.state(2), active(kFull));
}

TEST(AWokenChannel, CanBeToldAnotherRateMeanwhile) {
  TinyWorld world = one_scaled_switch({});
  (void)world.order(2, Sleep{});
  (void)world.order(2, Wake{});
  world.network.run_until(at(5us));
  EXPECT_EQ(world.order(2, SetRateLevel{kSlow}).applied, active(kSlow));
  world.network.run_until(at(60us));
  EXPECT_EQ(world.state(2), active(kSlow));
}

// Woken at 10 us to run at 10 Gb/s, with a trigger that sends it to 40 Gb/s for whatever waits: the
// packets go meanwhile, and the jump is made when the voltage ramp is over, at 12 + 8 us, if
// something waits.
TEST(AWokenChannel, CarriesOnAlthoughItIsToJump) {
  TinyWorld world = one_scaled_switch({message(13us, kPacket), message(25us, kPacket)});
  (void)world.order(2, SetRateLevel{kSlow});
  world.network.run_until(at(10us));
  (void)world.order(2, Sleep{});
  (void)world.order(2, Wake{});
  (void)world.order(2, policy::SpeedUpWhenQueued{bits(1), kFull});
  world.network.run_until_idle();
  // The second finds the voltage of 10 Gb/s reached, and waits for the change to that of 40 Gb/s.
  EXPECT_EQ(nanoseconds(world.seen.arrived()),
            (Nanoseconds{13'150 + 1600 + 50, 25'150 + 10'000 + 400 + 50}));
}

}  // namespace
}  // namespace ebb::netsim
