// SPDX-License-Identifier: Apache-2.0
//
// Pause frames by hand. On a link of 40 Gb/s and 50 ns, packets of 2000 bytes:
//
//   a pause is heard of after    400 (a packet on its wire) + 12.8 (64 bytes) + 50 ns
//   a packet is counted after    50 + 100 ns (cut-through), and 400 more where it is stored
//   headroom                     40 Gb/s x (2 x 50 + 100 + 412.8 ns) + 2000 bytes = 5064 bytes
#include "random_world.hpp"
#include "tiny_network.hpp"

#include "ebb/netsim/hardware.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

constexpr PausedLink kLink{k40G, 50ns};
constexpr Duration kHeardAfter(462'800);

Hardware pausing(DataSize buffer) {
  Hardware hardware = tiny_hardware();
  hardware.flow_control = FlowControl::pause;
  hardware.input_buffer = buffer;
  return hardware;
}

TEST(Headroom, IsWhatComesUntilThePauseIsHeard) {
  EXPECT_EQ(pause_delay(pausing({}), kLink), kHeardAfter);
  // 5 bytes a nanosecond, and a byte for what was rounded off.
  EXPECT_EQ(headroom(pausing({}), kLink), bytes(3065 + 2000));
}

TEST(Headroom, IsAPacketMoreWhereASwitchWaitsForTheWhole) {
  Hardware hardware = pausing({});
  hardware.switching = Switching::store_and_forward;
  EXPECT_EQ(headroom(hardware, kLink), bytes(5065 + 2000));
}

TEST(PauseLevels, LeaveTheHeadroomAndTwoPackets) {
  const PauseLevels levels = pause_levels(pausing(bytes(20'000)), kLink);
  EXPECT_EQ(levels.xoff, bytes(20'000 - 5065));
  EXPECT_EQ(levels.xon, levels.xoff - 2 * kPacket);
}

TEST(PauseMistakes, NameTheArithmetic) {
  const Errors errors = validate_pause(pausing(bytes(9064)), line(1, {{k40G}}));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].where.path, "input_buffer");
  EXPECT_NE(errors[0].message.find("2 x link 50ns, switch 100ns"), std::string::npos)
      << errors[0].message;
  EXPECT_TRUE(validate_pause(pausing(bytes(9065)), line(1, {{k40G}})).empty());
  Hardware late = pausing(bytes(20'000));
  late.xoff = bytes(14'936);
  EXPECT_EQ(validate_pause(late, line(1, {{k40G}}))[0].where.path, "xoff");
}

TEST(PauseMistakes, LookAtTheLongestLink) {
  Hardware hardware = pausing(bytes(10'000));
  hardware.delay_per_metre = 5ns;
  EXPECT_TRUE(validate_pause(hardware, line(1, {{k40G}})).empty());
  EXPECT_FALSE(validate_pause(hardware, line(1, {{k40G}}, {0, 100'000})).empty());
}

// The way on is asleep. With xoff at 3 packets, the third is counted at 800 + 150; the host hears
// of it at 950 + 462.8, and begins none after the one of 1200.
class APause : public testing::Test {
 protected:
  static TinyWorld stopped(Hardware hardware) {
    hardware.xoff = 3 * kPacket;
    hardware.xon = kPacket;
    return {line(1, {{k40G}}), sleepy({k40G}, {}), hardware, {message({}, 7 * kPacket)}};
  }
  static constexpr std::uint32_t kWayOn = 2;
};

TEST_F(APause, StopsTheHostAfterThePacketOnTheWire) {
  TinyWorld world = stopped(pausing(bytes(20'000)));
  ASSERT_EQ(world.order(kWayOn, policy::Sleep{}).reason, policy::Reason::done);
  world.network.run_until(at(50us));
  EXPECT_EQ(world.use(0).sent, 4 * kPacket);
}

// Awake from 10 us on: packets leave at 10, 10.4, 10.8 us. At 11.2 us one is left, xon: the host
// hears of it 462.8 ns later. Its packet would have come too late to follow at once: the buffer ran
// dry at 11.6 us.
TEST_F(APause, IsLiftedAtXon) {
  TinyWorld world = stopped(pausing(bytes(20'000)));
  world.order(kWayOn, policy::Sleep{});
  world.network.run_until(at(10us));
  world.order(kWayOn, policy::Wake{});
  world.network.run_until_idle();
  EXPECT_EQ(to_string(world.network.check_conservation()), "");
  const std::vector<TimePoint> sent = world.seen.sent();
  ASSERT_EQ(sent.size(), 7U);
  EXPECT_EQ(sent[3], at(1200ns));
  EXPECT_EQ(sent[4], at(11'200ns + kHeardAfter));
  EXPECT_EQ(sent[5], at(11'600ns + kHeardAfter));
}

TEST_F(APause, DoesNotHoldUpOtherClasses) {
  // Two hosts on a switch, to one on the next; each its own class between switches.
  topology::GraphBuilder builder(2, 4, {{k40G}});
  for (std::uint32_t h = 0; h < 4; ++h) {
    builder.connect({.a = builder.switch_node(h / 2), .b = builder.host_node(h)});
  }
  builder.connect({.a = builder.switch_node(0), .b = builder.switch_node(1)});
  Hardware hardware = pausing(bytes(20'000));
  hardware.xoff = 3 * kPacket;
  hardware.xon = kPacket;
  TinyWorld world(std::move(builder).build({}), sleepy({k40G}, {}), hardware,
                  {message({}, 40 * kPacket, 0, 2), message({}, 10 * kPacket, 1, 3)}, 2);
  world.order(4, policy::Sleep{});  // to host 2
  world.network.run_until(at(100us));
  EXPECT_EQ(world.seen.messages.size(), 1U);
  // Host 0 has filled the buffer of its class at the second switch, and its own at the first.
  EXPECT_LT(world.use(1).sent, 40 * kPacket);
}

// Three hosts send to one: it receives without a gap however often they are paused.
TEST(Pauses, KeepAnOverloadedOutputBusy) {
  topology::GraphBuilder builder(1, 4, {{k40G}});
  for (std::uint32_t h = 0; h < 4; ++h) {
    builder.connect({.a = builder.host_node(h), .b = builder.switch_node(0)});
  }
  const Deliveries seen =
      delivered(std::move(builder).build({}), pausing(bytes(16'000)),
                {message({}, 100 * kPacket, 1, 0), message({}, 100 * kPacket, 2, 0),
                 message({}, 100 * kPacket, 3, 0)});
  ASSERT_EQ(seen.packets.size(), 300U);
  EXPECT_EQ(seen.packets.back().at, at(200ns + 300 * 400ns));
}

TEST(Pauses, AreForPacketsAndHaveNoCredits) {
  Hardware worms = pausing(bytes(20'000));
  worms.switching = Switching::wormhole;
  EXPECT_EQ(validate(worms)[0].where.path, "flow_control");
  Hardware choice = pausing(bytes(20'000));
  choice.output_selection = OutputSelection::credits;
  EXPECT_EQ(validate(choice)[0].where.path, "output_selection");
  Hardware credits = tiny_hardware();
  credits.xoff = kPacket;
  EXPECT_EQ(validate(credits)[0].where.path, "xoff");
}

}  // namespace
}  // namespace ebb::netsim
