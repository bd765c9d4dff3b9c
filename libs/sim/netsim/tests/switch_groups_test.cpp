// SPDX-License-Identifier: Apache-2.0
// Switches that sleep with their outputs: h0 - s0 - s1 - h1. Channels wake in 1 us. Channels 1 and
// 2 are the outputs of s0, 3 and 4 those of s1. Either a whole core sleeps, of 10 W, 2 W asleep,
// which wakes in 5 us; or the groups of a switch do.

#include "tiny_network.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

std::vector<SwitchGroup> whole_core() { return core_as_group(watts(10), {watts(2), 5us}); }

class SleepingSwitches : public testing::Test {
 protected:
  explicit SleepingSwitches(const std::vector<traffic::Message>& messages = {},
                            Power core = watts(10), std::vector<SwitchGroup> groups = whole_core())
      : graph_(line(2, {{k40G}})),
        routing_(graph_),
        script_(messages, 2),
        network_({.graph = graph_,
                  .routing = routing_,
                  .models = {sleepy({k40G}, 1us)},
                  .hardware = tiny_hardware(),
                  .switch_core = core,
                  .switch_groups = std::move(groups)},
                 script_, watcher_) {
    network_.start_meters();
  }

  void order(std::uint32_t channel, policy::Order what) {
    EXPECT_EQ(network_.apply({policy::ChannelId{channel}, std::move(what)}).reason,
              policy::Reason::done);
  }
  void sleep(std::vector<std::uint32_t> channels) {
    for (const std::uint32_t channel : channels) order(channel, policy::Sleep{});
  }
  // Of both switches, until now.
  Energy cores() {
    const power::Ledger ledger = network_.close_meters();
    EXPECT_EQ(to_string(ledger.check()), "");
    EXPECT_EQ(ledger.classes()[1].name, kSwitchCores);
    return ledger.totals(power::ClassIndex{1}).energy;
  }

  topology::Graph graph_;
  FirstPath routing_;
  Script script_;
  Watcher watcher_;
  Network network_;
};

TEST_F(SleepingSwitches, SleepAsLongAsAllTheirOutputsDo) {
  network_.run_until(at(1us));
  sleep({1});
  network_.run_until(at(2us));
  sleep({2});
  network_.run_until(at(10us));
  EXPECT_EQ(cores(), watts(10) * 12us + watts(2) * 8us);
}

TEST_F(SleepingSwitches, WakeBeforeTheirOutputs) {
  network_.run_until(at(1us));
  sleep({1, 2});
  network_.run_until(at(10us));
  order(2, policy::Wake{});
  EXPECT_EQ(network_.state(topology::ChannelId{2}).until, at(15us));
  network_.run_until(at(14500ns));
  order(1, policy::Wake{});
  EXPECT_EQ(network_.state(topology::ChannelId{1}).until, at(15500ns));
  network_.run_until(at(20us));
  EXPECT_EQ(cores(), watts(10) * 31us + watts(2) * 9us);
}

// s0 is awake until 1 us and from 10 us to 20 us.
TEST_F(SleepingSwitches, AreMeteredEachTimeTheySleep) {
  network_.run_until(at(1us));
  sleep({1, 2});
  network_.run_until(at(10us));
  order(2, policy::Wake{});
  network_.run_until(at(20us));
  sleep({2});
  network_.run_until(at(30us));
  EXPECT_EQ(cores(), watts(10) * (11us + 30us) + watts(2) * 19us);
}

// The account begins while a switch sleeps, and ends so.
TEST_F(SleepingSwitches, AreMeteredAsTheyAre) {
  sleep({1, 2});
  network_.run_until(at(5us));
  network_.start_meters();
  network_.run_until(at(7us));
  EXPECT_EQ(cores(), watts(10) * 2us + watts(2) * 2us);
}

class WokenSwitches : public SleepingSwitches {
 protected:
  WokenSwitches() : SleepingSwitches({message(10us, kPacket)}) {}
};

// s0 sleeps; h0 sends to it at 10 us. The head is there at 10.05 us and is switched at 10.15 us; 5
// us later the output can send.
TEST_F(WokenSwitches, AreWokenByAPacket) {
  for (const std::uint32_t channel : {1U, 2U}) {
    order(channel, policy::WakeWhenQueued{bytes(1)});
    order(channel, policy::Sleep{});
  }
  network_.run_until_idle();
  ASSERT_EQ(watcher_.seen.messages.size(), 1U);
  EXPECT_EQ(watcher_.seen.messages[0].at, at(10us + 150ns + 5us + 150ns + 50ns + 400ns));
}

// A part of so many ports: line cards of one port, 4 W, 1 W asleep, which wake in 2 us after the
// chip; the chip of 3 W, nothing asleep, wakes in 5 us. Beside them a switch draws 5 W.
std::vector<power::PowerGroup> cards_and_chip(int ports_of_card = 1,
                                              std::optional<int> ports_of_chip = std::nullopt) {
  return {{.name = "card",
           .ports = ports_of_card,
           .power = {watts(4)},
           .asleep = power::Sourced<Power>{watts(1)},
           .wake = power::Sourced<Duration>{2us},
           .after = "chip"},
          {.name = "chip",
           .ports = ports_of_chip,
           .power = {watts(3)},
           .asleep = power::Sourced<Power>{},
           .wake = power::Sourced<Duration>{5us},
           .after = {}}};
}

std::vector<SwitchGroup> groups_of_part(int ports) {
  return switch_groups(cards_and_chip(), ports, line(2, {{k40G}})).value();
}

class SleepingGroups : public SleepingSwitches {
 protected:
  explicit SleepingGroups(int ports = 2)
      : SleepingSwitches({}, watts(5 + 3) + watts(4) * ports, groups_of_part(ports)) {}
  // Of a part with two ports, while h0 sends to h1 at 10 us: s0 sends from 10.15 us to 10.55 us.
  SleepingGroups(Power core, const std::vector<power::PowerGroup>& groups)
      : SleepingSwitches({message(10us, kPacket)}, core,
                         switch_groups(groups, 2, line(2, {{k40G}})).value()) {}

  struct Energies {
    Energy rest, cards, chips;  // of both switches
  };
  Energies groups() {
    const power::Ledger ledger = network_.close_meters();
    EXPECT_EQ(to_string(ledger.check()), "");
    EXPECT_EQ(ledger.classes()[1].name, kSwitchCores);
    EXPECT_EQ(ledger.classes()[2].name, "switch card");
    EXPECT_EQ(ledger.classes()[3].name, "switch chip");
    EXPECT_EQ(switch_classes(ledger), 3U);
    const auto of = [&](std::uint8_t one) { return ledger.totals(power::ClassIndex{one}).energy; };
    EXPECT_EQ(ledger.total(), of(0) + of(1) + of(2) + of(3));
    return {of(1), of(2), of(3)};
  }
};

// s0's first card sleeps from 1 us on, its second card and the chip from 2 us on. At 10 us the chip
// begins to wake, from 15 us to 17 us the second card. Until 20 us:
//   first card   4 W x 1 us + 1 W x 19 us                  = 23 uJ
//   second card  4 W x 2 us + 1 W x 13 us + 4 W x 5 us     = 41 uJ
//   chip         3 W x 2 us               + 3 W x 10 us    = 36 uJ
// s1 is awake: two cards of 4 W and a chip of 3 W for 20 us.
TEST_F(SleepingGroups, SleepWithTheirPortsAndWakeInOrder) {
  network_.run_until(at(1us));
  sleep({1});
  network_.run_until(at(2us));
  sleep({2});
  network_.run_until(at(10us));
  order(2, policy::Wake{});
  EXPECT_EQ(network_.state(topology::ChannelId{2}).until, at(17us));
  network_.run_until(at(20us));
  const Energies all = groups();
  EXPECT_EQ(all.rest, watts(2 * 5) * 20us);
  EXPECT_EQ(all.cards, watts(23 + 41 + 160) * 1us);
  EXPECT_EQ(all.chips, watts(36 + 60) * 1us);
}

// The second card wakes by 10 + 5 + 2 us. While the chip wakes the first card waits for it too;
// once it is awake, its own 2 us are all.
TEST_F(SleepingGroups, WaitForTheGroupBeforeThemAsLongAsItWakes) {
  sleep({1, 2});
  network_.run_until(at(10us));
  order(2, policy::Wake{});
  network_.run_until(at(12us));
  order(1, policy::Wake{});
  EXPECT_EQ(network_.state(topology::ChannelId{1}).until, at(17us));
  network_.run_until(at(20us));
  sleep({1});
  network_.run_until(at(30us));
  order(1, policy::Wake{});
  EXPECT_EQ(network_.state(topology::ChannelId{1}).until, at(32us));
}

// The account that begins at 12 us sees the second card asleep until 15 us:
//   s0: first card 1 W x 8 us, second card 1 W x 3 us + 4 W x 5 us; s1: 2 x 4 W x 8 us
TEST_F(SleepingGroups, AreMeteredAsTheyAreWhileTheyWake) {
  sleep({1, 2});
  network_.run_until(at(10us));
  order(2, policy::Wake{});
  network_.run_until(at(12us));
  network_.start_meters();
  network_.run_until(at(20us));
  const Energies all = groups();
  EXPECT_EQ(all.cards, watts(8 + 23 + 64) * 1us);
  EXPECT_EQ(all.chips, watts(2 * 3) * 8us);
}

class UnusedCards : public SleepingGroups {
 protected:
  UnusedCards() : SleepingGroups(4) {}
};

// Ports 3 and 4 have no cable: their cards sleep from the beginning, 1 W each, and the chip does
// not wait for them. s0 sleeps as a whole from 1 us on.
TEST_F(UnusedCards, SleepAllTheTime) {
  network_.run_until(at(1us));
  sleep({1, 2});
  network_.run_until(at(10us));
  const Energies all = groups();
  EXPECT_EQ(all.cards, 2 * (watts(2) * 10us) + watts(8) * 1us + watts(2) * 9us + watts(8) * 10us);
  EXPECT_EQ(all.chips, watts(3) * 1us + watts(3) * 10us);
}

// A card of 4 W for both ports, behind a chip of 3 W.
class SharedCard : public SleepingGroups {
 protected:
  SharedCard() : SleepingGroups(watts(5 + 3 + 4), cards_and_chip(2)) {}
};

// Output 2 falls asleep when it has sent its packet, at 10.55 us, after output 1. The card sleeps
// from then on, and the chip with it.
TEST_F(SharedCard, SleepsWithTheLastOfItsPorts) {
  network_.run_until(at(10300ns));
  sleep({2, 1});
  network_.run_until(at(20us));
  const Energies all = groups();
  EXPECT_EQ(all.cards, watts(4) * 10550ns + watts(1) * 9450ns + watts(4) * 20us);
  EXPECT_EQ(all.chips, watts(3) * 10550ns + watts(3) * 20us);
}

// At 10.4 us both are about to sleep but still awake: output 1 needs its own 1 us and nothing else.
TEST_F(SharedCard, StaysAwakeForAPortThatWakesBeforeTheLastOneSleeps) {
  network_.run_until(at(10300ns));
  sleep({2, 1});
  network_.run_until(at(10400ns));
  order(1, policy::Wake{});
  EXPECT_EQ(network_.state(topology::ChannelId{1}).until, at(11400ns));
  network_.run_until(at(20us));
  const Energies all = groups();
  EXPECT_EQ(all.cards, watts(2 * 4) * 20us);
  EXPECT_EQ(all.chips, watts(2 * 3) * 20us);
}

class ChipOfEachPort : public SleepingGroups {
 protected:
  ChipOfEachPort() : SleepingGroups(watts(5 + 2 * (3 + 4)), cards_and_chip(1, 1)) {}
};

// s0's second card and the chip that serves the same port sleep from 1 us on.
TEST_F(ChipOfEachPort, SleepsWithTheCardOfThatPort) {
  network_.run_until(at(1us));
  sleep({2});
  network_.run_until(at(9us));
  const Energies all = groups();
  EXPECT_EQ(all.cards, watts(4) * 1us + watts(1) * 8us + watts(3 * 4) * 9us);
  EXPECT_EQ(all.chips, watts(3) * 1us + watts(3 * 3) * 9us);
}

TEST(SwitchGroupsOfAPart, ServeEveryLinkOfTheSwitch) {
  const auto made = switch_groups(cards_and_chip(), 1, line(2, {{k40G}}));
  ASSERT_FALSE(made);
  EXPECT_NE(
      to_string(made.error()).find("has 2 links, more than the 1 ports that the groups serve"),
      std::string::npos);
}

}  // namespace
}  // namespace ebb::netsim
