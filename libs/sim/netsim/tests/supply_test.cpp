// SPDX-License-Identifier: Apache-2.0
//
// Channels whose supply follows their rate: 8 us from nothing to that of 10 Gb/s, 18 us to that of
// 40 Gb/s. Locking to another rate takes 1 us, waking 2 us.
#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;
using policy::active;
using policy::changing;
using policy::RateStep;
using policy::SetStep;
using policy::Sleep;
using policy::Wake;

constexpr RateStep kSlow{0};
constexpr RateStep kFull{1};

ChannelModel scaled() {
  ChannelModel model = sleepy({k10G, k40G}, 2us, 1us);
  model.steps[0].supply = 8us;
  model.steps[1].supply = 18us;
  model.sleep->wakes_at = kSlow;
  return model;
}

TinyWorld one_switch(const std::vector<traffic::Message>& messages) {
  return {line(1, {{k10G, k40G}}), scaled(), tiny_hardware(), messages};
}

TEST(ASupply, DecidesHowLongAChangeOfRateTakes) {
  TinyWorld world = one_switch({});
  EXPECT_EQ(world.order(2, SetStep{kSlow}).applied, changing(active(kSlow), at(10us)));
  ChannelModel quick = scaled();
  quick.rate_change = 12us;  // locking takes longer than the supply
  EXPECT_EQ(quick.change_time(active(kSlow), active(kFull)), Duration(12us));
}

// Woken at 10 us the channel runs at 10 Gb/s from 12 us on: a packet takes 1600. At 30 us its
// supply is up, and at 31 us it runs at 40 Gb/s.
TEST(AWokenChannel, RunsSlowlyUntilItsSupplyIsUp) {
  TinyWorld world = one_switch({message(12us, kPacket), message(32us, kPacket)});
  (void)world.order(2, Sleep{});
  world.network.run_until(at(10us));
  EXPECT_EQ(world.order(2, Wake{}).applied, changing(active(kSlow), at(12us)));
  world.network.run_until(at(29us));
  EXPECT_EQ(world.state(2), active(kSlow));
  world.network.run_until(at(30'500ns));
  EXPECT_EQ(world.state(2), changing(active(kFull), at(31us)));
  world.network.run_dry();
  EXPECT_EQ(world.state(2), active(kFull));
  EXPECT_EQ(nanoseconds(world.seen.arrived()),
            (Nanoseconds{12'150 + 1600 + 50, 32'150 + 400 + 50}));
}

TEST(AWokenChannel, ThatIsPutToSleepBeforeRemembersItsRate) {
  TinyWorld world = one_switch({});
  (void)world.order(2, Sleep{});
  (void)world.order(2, Wake{});
  world.network.run_until(at(5us));
  EXPECT_EQ(world.order(2, Sleep{}).applied, policy::asleep(kFull));
  world.network.run_until(at(40us));
  EXPECT_EQ(world.state(2), policy::asleep(kFull));
  EXPECT_EQ(world.order(2, SetStep{kSlow}).applied, policy::asleep(kSlow));
  EXPECT_EQ(world.order(2, SetStep{kFull}).applied, policy::asleep(kFull));
  (void)world.order(2, Wake{});
  world.network.run_until(at(70us));
  EXPECT_EQ(world.state(2), active(kFull));
}

TEST(AWokenChannel, CanBeToldAnotherRateMeanwhile) {
  TinyWorld world = one_switch({});
  (void)world.order(2, Sleep{});
  (void)world.order(2, Wake{});
  world.network.run_until(at(5us));
  EXPECT_EQ(world.order(2, SetStep{kSlow}).applied, active(kSlow));
  world.network.run_until(at(60us));
  EXPECT_EQ(world.state(2), active(kSlow));
}

// Woken at 10 us to run at 10 Gb/s, with a trigger that sends it to 40 Gb/s for whatever waits: the
// packets go meanwhile, and the jump is made when the supply is up, at 12 + 8 us, if something
// waits.
TEST(AWokenChannel, CarriesOnAlthoughItIsToJump) {
  TinyWorld world = one_switch({message(13us, kPacket), message(25us, kPacket)});
  (void)world.order(2, SetStep{kSlow});
  world.network.run_until(at(10us));
  (void)world.order(2, Sleep{});
  (void)world.order(2, Wake{});
  (void)world.order(2, policy::JumpWhenQueued{bits(1), kFull});
  world.network.run_dry();
  // The second finds the supply of 10 Gb/s up, and waits for the change to that of 40 Gb/s.
  EXPECT_EQ(nanoseconds(world.seen.arrived()),
            (Nanoseconds{13'150 + 1600 + 50, 25'150 + 10'000 + 400 + 50}));
}

}  // namespace
}  // namespace ebb::netsim
