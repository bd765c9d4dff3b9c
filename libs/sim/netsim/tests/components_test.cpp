// SPDX-License-Identifier: Apache-2.0
//
// Energy of components by hand: h0 - s0 - h1 and one packet of 2000 bytes, 16000 bits.
#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

power::Components parts() {
  power::Components result;
  result.buffers = {.cell = bytes(32),
                    .write = {picojoules(2)},
                    .read = {picojoules(1)},
                    .leakage = {microwatts(40)},
                    .gated = power::Sourced<Ratio>{Ratio(1, 8)}};
  result.crossbar_bit = {picojoules(5)};
  result.crossbar_setup = {picojoules(7)};
  result.arbitration = {picojoules(11)};
  result.lookup = {picojoules(13)};
  result.logic = {milliwatts(3)};
  result.nic_bit = {picojoules(17)};
  result.nic_packet = {picojoules(19)};
  result.nic_idle = {milliwatts(5)};
  return result;
}

// The account of 10 us.
power::Ledger account(Hardware hardware, const std::vector<traffic::Message>& messages,
                      Duration start = {}, DataRate to_h1 = k40G) {
  hardware.input_buffer = bytes(6400);  // 200 cells
  const topology::Graph graph = line(1, {{k40G}, {to_h1}});
  const FirstPath routing(graph);
  Script script(messages, 2);
  Watcher watcher;
  Network network({.graph = graph,
                   .routing = routing,
                   .models = {rates_only({k40G}), rates_only({to_h1})},
                   .hardware = hardware,
                   .switch_core = {},
                   .components = parts()},
                  script, watcher);
  network.run_until(at(start));
  network.start_meters();
  network.run_until(at(start + 10us));
  power::Ledger ledger = network.close_meters();
  EXPECT_EQ(to_string(ledger.check()), "");
  return ledger;
}

// Class 0 is the channels, 1 the cores.
Energy of(const power::Ledger& ledger, std::string_view name) {
  for (std::uint8_t i = 0; i < ledger.classes().size(); ++i) {
    if (ledger.classes()[i].name == name) return ledger.totals(power::ClassIndex{i}).energy;
  }
  ADD_FAILURE() << name;
  return {};
}

constexpr std::int64_t kBits = 16'000;

TEST(Components, AreChargedForWhatPassesThem) {
  const power::Ledger ledger = account(tiny_hardware(), {message({}, kPacket)});
  EXPECT_EQ(of(ledger, "crossbar"), picojoules(5 * kBits + 7));
  EXPECT_EQ(of(ledger, "arbiter"), picojoules(11));
  EXPECT_EQ(of(ledger, "tables"), picojoules(13));
  EXPECT_EQ(of(ledger, "logic"), milliwatts(3) * 10us);
  // h0 sends, h1 receives.
  EXPECT_EQ(of(ledger, "nic"), picojoules(2 * (17 * kBits + 19)) + 2 * (milliwatts(5) * 10us));
  Energy sum;
  for (std::uint8_t i = 0; i < ledger.classes().size(); ++i) {
    sum += ledger.totals(power::ClassIndex{i}).energy;
  }
  EXPECT_EQ(sum, ledger.total());
}

// Two input buffers of 200 cells, all powered.
TEST(Components, BuffersLeakInAllTheirCells) {
  EXPECT_EQ(of(account(tiny_hardware(), {}), "buffers"), 400 * microwatts(40) * 10us);
  EXPECT_EQ(of(account(tiny_hardware(), {message({}, kPacket)}), "buffers"),
            400 * microwatts(40) * 10us + picojoules(3 * kBits));
}

// Gated cells leak an eighth; one of each buffer is powered.
TEST(Components, GatedBuffersThatHoldNothingLeakLittle) {
  Hardware hardware = tiny_hardware();
  hardware.gated_buffers = true;
  EXPECT_EQ(of(account(hardware, {}), "buffers"),
            (400 * microwatts(5) + 2 * microwatts(35)) * 10us);
}

// The packet has 63 cells. Its first bit is at s0 at 50, and it arrives and leaves for 400 ns each,
// the latter from 150 on: 63 * 100 + 32 * 400 - 31 * 400 cell-nanoseconds.
TEST(Components, GatedBuffersArePoweredWhereThePacketIs) {
  Hardware hardware = tiny_hardware();
  hardware.gated_buffers = true;
  const Energy empty = of(account(hardware, {}), "buffers");
  EXPECT_EQ(of(account(hardware, {message({}, kPacket)}), "buffers") - empty,
            picojoules(3 * kBits) + microwatts(35) * 6700ns);
  // Stored first, it leaves at 550: 63 * 500 + 400.
  hardware.switching = Switching::store_and_forward;
  EXPECT_EQ(of(account(hardware, {message({}, kPacket)}), "buffers") - empty,
            picojoules(3 * kBits) + microwatts(35) * 31'900ns);
}

// Then through the crossbar at 550 and out of the output buffer, also of 200 cells, at once: n
// (n+1) / 2n * 400 there, and 63 * 500 - 31 * 400 in the input buffer. It is written and read
// twice.
TEST(Components, PacketsPassOutputBuffersToo) {
  Hardware hardware = tiny_hardware();
  hardware.gated_buffers = true;
  hardware.switching = Switching::store_and_forward;
  hardware.output_buffer = bytes(6400);
  const Energy empty = of(account(hardware, {}), "buffers");
  EXPECT_EQ(empty, (800 * microwatts(5) + 4 * microwatts(35)) * 10us);
  EXPECT_EQ(of(account(hardware, {message({}, kPacket)}), "buffers") - empty,
            picojoules(6 * kBits) + microwatts(35) * (63 * 500ns - 31 * 400ns + 32 * 400ns));
}

// The link to h1 takes 6400 for a packet, and the output buffer has room for one. The first is sent
// from 550 on. The second, at s0 from 450 on, waits in the input buffer until 6950, and leaves
// then.
TEST(Components, PacketsThatWaitForRoomPowerCellsOfTheInput) {
  Hardware hardware = tiny_hardware();
  hardware.gated_buffers = true;
  hardware.switching = Switching::store_and_forward;
  hardware.output_buffer = kPacket;
  const auto buffers = [&](const std::vector<traffic::Message>& messages) {
    return of(account(hardware, messages, {}, k2500M), "buffers");
  };
  const Duration inputs = 63 * 500ns + 63 * 6500ns - 2 * (31 * 400ns);
  const Duration outputs = 2 * (32 * 6400ns);
  EXPECT_EQ(buffers({message({}, 2 * kPacket)}) - buffers({}),
            picojoules(2 * 6 * kBits) + microwatts(35) * (inputs + outputs));
}

// What happened before the account began is not in it.
TEST(Components, CountFromTheBeginningOfTheAccount) {
  const power::Ledger ledger = account(tiny_hardware(), {message({}, kPacket)}, 5us);
  EXPECT_EQ(of(ledger, "crossbar"), Energy{});
  EXPECT_EQ(of(ledger, "nic"), 2 * (milliwatts(5) * 10us));
}

// Four flits are one packet for crossbar and tables, and each powers the cells that it is in: flit
// k of 16 cells passes as a small packet would, 16 * 100 + (17 - 15) / 2 * 100.
TEST(Components, SeeAWormAsOnePacket) {
  Hardware hardware = tiny_hardware();
  hardware.switching = Switching::wormhole;
  hardware.flit = bytes(500);
  hardware.gated_buffers = true;
  const power::Ledger ledger = account(hardware, {message({}, kPacket)});
  EXPECT_EQ(of(ledger, "crossbar"), picojoules(5 * kBits + 7));
  EXPECT_EQ(of(ledger, "nic"), picojoules(2 * (17 * kBits + 19)) + 2 * (milliwatts(5) * 10us));
  EXPECT_EQ(of(ledger, "buffers") - of(account(hardware, {}), "buffers"),
            picojoules(3 * kBits) + microwatts(35) * (4 * 1700ns));
}

}  // namespace
}  // namespace ebb::netsim
