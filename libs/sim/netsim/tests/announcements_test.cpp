// SPDX-License-Identifier: Apache-2.0
//
// Messages that are announced to the channels of their way: h0 - s0 - s1 - h1 by channels 0, 2 and
// 4, which take 2 us to wake. A packet is 400 ns on the wire; its head is at s0 150 ns after it
// left the host, at s1 150 ns later, and at h1 50 ns after that.
#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;
using policy::active;
using policy::asleep;
using policy::changing;
using policy::RateLevel;
using policy::SleepWhenIdle;
using policy::WakeWhenAnnounced;
using policy::WakeWhenQueued;

constexpr RateLevel kFull{0};

TinyWorld two_switches(const std::vector<traffic::Message>& messages, Fidelity fidelity) {
  return {line(2, {{k40G}}), {sleepy({k40G}, 2us)}, tiny_hardware(), messages, 1, fidelity};
}

void await_messages(TinyWorld& world, std::initializer_list<std::uint32_t> channels,
                    Duration hold = 500ns) {
  for (const std::uint32_t channel : channels) {
    (void)world.order(channel, SleepWhenIdle{.idle = 1ns, .wake = bits(1)});
    (void)world.order(channel, WakeWhenAnnounced{hold});
  }
}

class AnAnnouncedMessage : public testing::TestWithParam<Fidelity> {};

TEST_P(AnAnnouncedMessage, WaitsForOneWakingOnly) {
  TinyWorld world = two_switches({message(10us, kPacket)}, GetParam());
  await_messages(world, {0, 2, 4});
  world.network.run_until(at(50us));
  ASSERT_EQ(world.seen.messages.size(), 1U);
  EXPECT_EQ(world.seen.messages[0].at, at(10us + 2us + 350ns + 400ns));
}

// It takes as much energy as if each had woken for itself: they wake when they must, not before.
TEST_P(AnAnnouncedMessage, WakesEachChannelJustInTime) {
  TinyWorld world = two_switches({message(10us, kPacket)}, GetParam());
  await_messages(world, {0, 2, 4});
  world.network.run_until(at(10'150ns));
  EXPECT_EQ(world.state(0), changing(active(kFull), at(12us)));
  EXPECT_EQ(world.state(2), asleep(kFull));
  world.network.run_until(at(10'301ns));
  EXPECT_EQ(world.state(2), changing(active(kFull), at(12'150ns)));
  EXPECT_EQ(world.state(4), changing(active(kFull), at(12'300ns)));
  world.network.start_meters();
  world.network.run_until(at(50us));
  const power::Ledger ledger = world.network.close_meters();
  EXPECT_EQ(to_string(ledger.check()), "");
  for (const std::uint32_t channel : {0U, 2U, 4U}) {
    const Duration on_the_way = channel * 75ns;
    const Duration expected = 50us - (12us + on_the_way + 400ns) - 1ns;
    EXPECT_EQ(ledger.residency(power::MeterIndex{channel}, power::StateIndex{0}), expected);
  }
}

// The host keeps its message, because less than two packets wait for its channel.
TEST_P(AnAnnouncedMessage, ThatDoesNotComeIsNotWaitedForForEver) {
  TinyWorld world = two_switches({message(10us, kPacket)}, GetParam());
  await_messages(world, {2});
  (void)world.order(0, WakeWhenAnnounced{500ns});
  (void)world.order(0, WakeWhenQueued{2 * kPacket});
  (void)world.order(0, policy::Sleep{});
  world.network.run_until(at(12'649ns));
  EXPECT_EQ(world.state(2), active(kFull));
  world.network.run_until(at(12'651ns));
  EXPECT_EQ(world.state(2), asleep(kFull));
}

TEST_P(AnAnnouncedMessage, IsOneWhoseHostWasTold) {
  TinyWorld world = two_switches({message(10us, kPacket)}, GetParam());
  await_messages(world, {2, 4});
  (void)world.order(0, SleepWhenIdle{.idle = 1ns, .wake = bits(1)});
  world.network.run_until(at(50us));
  ASSERT_EQ(world.seen.messages.size(), 1U);
  EXPECT_EQ(world.seen.messages[0].at, at(10us + 6us + 350ns + 400ns));
}

INSTANTIATE_TEST_SUITE_P(Announcements, AnAnnouncedMessage,
                         testing::Values(Fidelity::packet, Fidelity::flow));

// The first message goes to h1 and takes 4 us. The second, to h3, waits in the host for it, and is
// announced 2 us before it is sent.
TEST(AMessageBehindAnother, IsAnnouncedWhileThatIsSent) {
  Hardware hardware = tiny_hardware();
  hardware.open_messages = 1;
  TinyWorld world(two_by_two(k40G), {sleepy({k40G}, 2us), sleepy({k40G}, 2us)}, hardware,
                  {message(10us, 10 * kPacket, 0, 1), message(11us, kPacket, 0, 3)});
  constexpr std::uint32_t kBetweenSwitches = 0;
  constexpr std::uint32_t kFromH0 = 2;
  constexpr std::uint32_t kToH1 = 5;
  constexpr std::uint32_t kToH3 = 9;
  await_messages(world, {kBetweenSwitches, kFromH0, kToH1, kToH3});
  world.network.run_until(at(14'150ns));
  EXPECT_EQ(world.state(kBetweenSwitches), asleep(kFull));
  world.network.run_until(at(50us));
  ASSERT_EQ(world.seen.messages.size(), 2U);
  EXPECT_EQ(world.seen.messages[1].at, at(10us + 2us + 4us + 350ns + 400ns));
}

}  // namespace
}  // namespace ebb::netsim
