// SPDX-License-Identifier: Apache-2.0
//
// Energy computed by hand: 40 W at 40 Gb/s, 10 W at 10 Gb/s, 1 W asleep, the higher of both during
// a change; a switch core draws 10 W. 1 W over 1 us is 1 uJ = 10^12 aJ.
#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;
using policy::RateLevel;
using policy::SetRateLevel;
using policy::Sleep;
using policy::Wake;
using power::MeterIndex;
using power::StateIndex;

constexpr RateLevel kSlow{0};
constexpr RateLevel kFull{1};
constexpr StateIndex kAsleep{0};
constexpr StateIndex kChanging{1};
constexpr StateIndex kAtSlow{2};
constexpr StateIndex kAtFull{3};
const topology::RateTable kTwoRates = {k10G, k40G};

constexpr Energy microjoules(std::int64_t n) {
  return attojoules(static_cast<Int128>(n) * 1'000'000'000'000);
}

// h0 - s0 - h1: four channels, which have the meters 0 to 3, and one core. Waking takes 2 us, a
// change 1 us.
TinyWorld one_switch(const std::vector<traffic::Message>& messages) {
  return {line(1, {kTwoRates}), sleepy(kTwoRates, 2us, 1us), tiny_hardware(), messages};
}

std::string text(Energy energy) {
  return std::to_string(static_cast<std::int64_t>(energy.count() / 1'000'000)) + " pJ and " +
         std::to_string(static_cast<std::int64_t>(energy.count() % 1'000'000)) + " aJ";
}

TEST(TheAccount, OfAQuietNetworkIsPowerTimesTime) {
  TinyWorld world = one_switch({});
  world.network.start_meters();
  world.network.run_until(at(10us));
  EXPECT_EQ(text(world.network.channel_energy()), text(microjoules(4 * 40 * 10)));
  const power::Ledger ledger = world.network.close_meters();
  EXPECT_EQ(text(ledger.total()), text(microjoules(4 * 40 * 10 + 10 * 10)));
  EXPECT_EQ(to_string(ledger.check()), "");
}

// Channel 2, in us:
//    0 -  2     40 W   full rate
//    2 -  3     40 W   changes to 10 Gb/s
//    3 - 10     10 W
//   10 - 15      1 W   asleep
//   15 - 17     10 W   wakes
//   17 - 20     10 W
//   20 - 21     40 W   changes to 40 Gb/s
//   21 - 24     40 W
TEST(TheAccount, FollowsAStaircaseOfStates) {
  TinyWorld world = one_switch({});
  world.network.start_meters();
  const auto order_at = [&](Duration time, const policy::Order& order) {
    world.network.run_until(at(time));
    EXPECT_EQ(world.order(2, order).reason, policy::Reason::done);
  };
  const auto energy_of_2 = [&] {
    const Duration time = world.network.now() - TimePoint{};
    return world.network.channel_energy() - 3 * (watts(40) * time);
  };
  order_at(2us, SetRateLevel{kSlow});
  EXPECT_EQ(text(energy_of_2()), text(microjoules(80)));
  world.network.run_until(at(2500ns));
  EXPECT_EQ(text(energy_of_2()), text(microjoules(100)));
  world.network.run_until(at(3us));
  EXPECT_EQ(text(energy_of_2()), text(microjoules(120)));
  world.network.run_until(at(4us));
  EXPECT_EQ(text(energy_of_2()), text(microjoules(130)));
  order_at(10us, Sleep{});
  EXPECT_EQ(text(energy_of_2()), text(microjoules(190)));
  order_at(15us, Wake{});
  EXPECT_EQ(text(energy_of_2()), text(microjoules(195)));
  order_at(20us, SetRateLevel{kFull});
  EXPECT_EQ(text(energy_of_2()), text(microjoules(245)));
  world.network.run_until(at(24us));
  EXPECT_EQ(text(energy_of_2()), text(microjoules(405)));

  const power::Ledger ledger = world.network.close_meters();
  EXPECT_EQ(text(ledger.energy(MeterIndex{2})), text(microjoules(405)));
  EXPECT_EQ(ledger.residency(MeterIndex{2}, kAsleep), 5us);
  EXPECT_EQ(ledger.residency(MeterIndex{2}, kChanging), 4us);
  EXPECT_EQ(ledger.residency(MeterIndex{2}, kAtSlow), 10us);
  EXPECT_EQ(ledger.residency(MeterIndex{2}, kAtFull), 5us);
  // To changing and slow, asleep, changing and slow, changing and full.
  EXPECT_EQ(ledger.transitions(MeterIndex{2}), 7U);
  EXPECT_EQ(to_string(ledger.check()), "");
}

// The packet is on the wire 150-550, and the change begins only then: 550 - 1550 at 40 W, then 10
// W.
TEST(TheAccount, ChargesTheOldPowerUntilThePacketHasLeft) {
  TinyWorld world = one_switch({message({}, kPacket)});
  world.network.start_meters();
  world.network.run_until(at(200ns));
  (void)world.order(2, SetRateLevel{kSlow});
  world.network.run_until(at(3550ns));
  const power::Ledger ledger = world.network.close_meters();
  EXPECT_EQ(ledger.residency(MeterIndex{2}, kAtFull), 550ns);
  EXPECT_EQ(ledger.residency(MeterIndex{2}, kChanging), 1us);
  EXPECT_EQ(ledger.residency(MeterIndex{2}, kAtSlow), 2us);
  // 40 x 1.55 + 10 x 2
  EXPECT_EQ(text(ledger.energy(MeterIndex{2})), text(microjoules(82)));
}

TEST(TheAccount, ChargesSleepFromTheEndOfThePacket) {
  TinyWorld world = one_switch({message({}, kPacket)});
  world.network.start_meters();
  world.network.run_until(at(200ns));
  (void)world.order(2, Sleep{});
  world.network.run_until(at(10'550ns));
  const power::Ledger ledger = world.network.close_meters();
  // 40 x 0.55 + 1 x 10
  EXPECT_EQ(text(ledger.energy(MeterIndex{2})), text(microjoules(32)));
}

// A change of 1 us is cut in the middle by the begin of one account and by the end of another.
TEST(TheAccount, CanBeginAndEndInTheMiddleOfAChange) {
  TinyWorld world = one_switch({});
  (void)world.order(2, SetRateLevel{kSlow});
  world.network.run_until(at(400ns));
  world.network.start_meters();
  world.network.run_until(at(5us));
  (void)world.order(2, SetRateLevel{kFull});
  (void)world.order(0, Sleep{});
  world.network.run_until(at(5250ns));
  const power::Ledger ledger = world.network.close_meters();
  EXPECT_EQ(ledger.residency(MeterIndex{2}, kChanging), 600ns + 250ns);
  EXPECT_EQ(ledger.residency(MeterIndex{2}, kAtSlow), 4us);
  // 40 x 0.6 + 10 x 4 + 40 x 0.25
  EXPECT_EQ(text(ledger.energy(MeterIndex{2})), text(microjoules(74)));
  EXPECT_EQ(to_string(ledger.check()), "");
  EXPECT_EQ(ledger.start(), at(400ns));
  EXPECT_EQ(ledger.end(), at(5250ns));

  // The next account goes on where this one ended: 0.75 us of the change, then 1 us at full rate.
  world.network.start_meters();
  world.network.run_until(at(7us));
  const power::Ledger next = world.network.close_meters();
  EXPECT_EQ(text(next.energy(MeterIndex{2})), text(microjoules(70)));
  EXPECT_EQ(next.residency(MeterIndex{2}, kChanging), 750ns);
  EXPECT_EQ(next.residency(MeterIndex{0}, kAsleep), 1750ns);
  EXPECT_EQ(to_string(next.check()), "");
}

// Ordered at 200, it begins at 550: between the two an account still sees the old state.
TEST(TheAccount, CanBeginBeforeAChangeThatHasBeenOrdered) {
  TinyWorld world = one_switch({message({}, kPacket)});
  world.network.run_until(at(200ns));
  (void)world.order(2, SetRateLevel{kSlow});
  world.network.run_until(at(300ns));
  world.network.start_meters();
  world.network.run_until(at(2550ns));
  const power::Ledger ledger = world.network.close_meters();
  EXPECT_EQ(ledger.residency(MeterIndex{2}, kAtFull), 250ns);
  EXPECT_EQ(ledger.residency(MeterIndex{2}, kChanging), 1us);
  EXPECT_EQ(ledger.residency(MeterIndex{2}, kAtSlow), 1us);
  EXPECT_EQ(to_string(ledger.check()), "");
}

TEST(TheAccount, NamesRateTablesAndStates) {
  TinyWorld world(line(1, {{k40G}, {k10G}}), {rates_only({k40G}), rates_only({k10G})},
                  tiny_hardware(), {});
  world.network.start_meters();
  world.network.run_until(at(1us));
  const power::Ledger ledger = world.network.close_meters();
  ASSERT_EQ(ledger.classes().size(), 3U);
  EXPECT_EQ(ledger.classes()[0].states, (std::vector<std::string>{"asleep", "changing", "40Gb/s"}));
  EXPECT_EQ(ledger.classes()[1].states, (std::vector<std::string>{"asleep", "changing", "10Gb/s"}));
  EXPECT_EQ(text(ledger.totals(power::ClassIndex{0}).energy), text(microjoules(80)));
  EXPECT_EQ(text(ledger.totals(power::ClassIndex{1}).energy), text(microjoules(20)));
  EXPECT_EQ(text(ledger.totals(power::ClassIndex{2}).energy), text(microjoules(10)));
}

}  // namespace
}  // namespace ebb::netsim
