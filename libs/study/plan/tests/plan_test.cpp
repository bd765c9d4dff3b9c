// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/design.hpp"
#include "ebb/plan/power.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ebb::plan {
namespace {

using power::Sourced;

template <class T>
Sourced<T> known(T value) {
  return {value, 0};
}

// A chip whose links draw 80 % of 36 W, a rate table down to a quarter, a box, a module and a NIC.
power::Library library() {
  power::Library parts;
  parts.add_source({"test", "hand-made", "2026", power::Evidence::assumed, "for this test"});
  power::RateTable rate_table;
  rate_table.steps = {{gigabits_per_second(10), 1, known(Ratio(1, 4))},
                      {gigabits_per_second(40), 4, known(Ratio(1, 1))}};
  parts.add_part({"rate_table", "", rate_table});
  parts.add_part({"chip", "",
                  power::Chip{36, gigabits_per_second(40), known(watts(36)), known(Ratio(8, 10)),
                              "rate_table"}});
  power::PortSetup copper{"DAC",
                          "electrical",
                          gigabits_per_second(40),
                          known(watts(1)),
                          known(watts(2)),
                          known(watts(0)),
                          {},
                          {}};
  copper.energy_per_bit = known(picojoules(10));
  power::PortSetup fibre = copper;
  fibre.name = "LR";
  fibre.medium = "optical";
  fibre.plugged = known(watts(4));
  // 1,000 b at 0.5 fJ are 0.5 pJ an entry; leakage 1 mW an entry.
  const power::ForwardingTable tcam{"TCAM", known(bits(1'000)), known(attojoules(500)),
                                    known(attojoules(0)), known(watts(1))};
  parts.add_part({"box", "", power::Box{36, known(watts(100)), {copper, fibre}, {tcam}}});
  parts.add_part({"optics", "",
                  power::Module{"optical", {}, {{gigabits_per_second(40), known(watts(3))}}, {}}});
  parts.add_part({"nic", "", power::Nic{gigabits_per_second(40), known(watts(10))}});
  return parts;
}

Inputs inputs_for(std::int64_t hosts, std::string part) {
  Inputs inputs;
  inputs.hosts = hosts;
  inputs.parts.switch_part = std::move(part);
  return inputs;
}

// 4 switches of 2 hosts, all joined: 8 host links and 6 links between switches. One switch per rack
// and copper up to 5 m make the six optical.
Inputs small_inputs(std::string part) {
  Inputs inputs = inputs_for(8, std::move(part));
  inputs.floor.switches_per_rack = 1;
  return inputs;
}

const Candidate kSmall{"small", "complete", {{"switches", "4"}, {"hosts", "2"}}};

TEST(EnergyCost, IsPowerTimesPueTimesTimeTimesPrice) {
  // 1 MW x 1.5 x 2 x 8,760 h x $0.10/kWh
  EXPECT_EQ(energy_cost(watts(1'000'000), {cents_per_kwh(10), Ratio(3, 2), 2}), dollars(2'628'000));
}

TEST(CountParts, CountsCablesPortsAndWhatIsFree) {
  const auto design = evaluate(kSmall, small_inputs("chip"), library());
  ASSERT_TRUE(design) << to_string(design.error());
  const PartsCount& parts = design->parts;
  EXPECT_EQ(parts.chips, 4);
  EXPECT_EQ(parts.boxes, 4);
  EXPECT_EQ(parts.electrical_links, 8);
  EXPECT_EQ(parts.optical_links, 6);
  EXPECT_EQ(parts.electrical_ports, 8);
  EXPECT_EQ(parts.optical_ports, 12);
  EXPECT_EQ(parts.lit_ports, 20);
  EXPECT_EQ(parts.unused_ports, 4 * 36 - 20);
}

TEST(CountParts, LeavesOutHostsBeyondThePlan) {
  Inputs inputs = small_inputs("chip");
  inputs.hosts = 5;
  const auto design = evaluate(kSmall, inputs, library());
  ASSERT_TRUE(design);
  EXPECT_EQ(design->parts.hosts, 5);
  EXPECT_EQ(design->parts.electrical_links, 5);
  EXPECT_EQ(design->parts.unused_ports, 4 * 36 - 17);
}

// One host of each two sits in the rack beside, 5.6 m away: its cable is optical.
TEST(CountParts, HostsInOtherRacksNeedLongerCables) {
  Inputs inputs = small_inputs("chip");
  inputs.floor.hosts_per_rack = 1;
  const auto design = evaluate(kSmall, inputs, library());
  ASSERT_TRUE(design) << to_string(design.error());
  EXPECT_EQ(design->parts.racks, (topology::Racks{8, 4}));
  EXPECT_EQ(design->parts.electrical_links, 4);
  EXPECT_EQ(design->parts.optical_links, 6 + 4);
}

// A chassis lights three chip ports per cabled port: the outer one and two of the backplane.
TEST(CountParts, AChassisLightsTheBackplaneItNeeds) {
  const auto graph =
      topology::build("clos_chassis", {{"hosts", "1000"}}, {gigabits_per_second(40)});
  ASSERT_TRUE(graph);
  const PartsCount parts = count_parts(*graph, 1000, 36);
  EXPECT_EQ(parts.lit_ports, 3 * (parts.electrical_ports + parts.optical_ports));
  EXPECT_EQ(parts.electrical_ports + parts.optical_ports, 3 * 1000);
  EXPECT_EQ(parts.boxes, (1000 + 161) / 162 + (1000 + 323) / 324);
}

TEST(NetworkPower, OfChipsFollowsLitPortsAndRateTable) {
  Inputs inputs = small_inputs("chip");
  inputs.parts.nic = "nic";
  inputs.parts.optical = "optics";
  const auto design = evaluate(kSmall, inputs, library());
  ASSERT_TRUE(design) << to_string(design.error());
  // Cores 4 x 7.2 W; links 20 lit ports x 0.8 W; 12 optical ends x 3 W; 8 NICs x 10 W.
  const Power constant = watts(12 * 3 + 8 * 10);
  EXPECT_EQ(design->watts.idle, milliwatts(28'800 + 16'000) + constant);
  EXPECT_EQ(design->watts.at_load, design->watts.idle);
  EXPECT_EQ(design->watts.slowest, milliwatts(28'800 + 4'000) + constant);
  EXPECT_EQ(design->watts.ideal, scale(design->watts.idle, Ratio(15, 100)));
}

// 2,000 hosts at 400 Gb/s on 64 ports of 800 Gb/s, each broken out into two: 128 ports a switch.
// 64 hosts a leaf make 32 leaves, whose 32 x 64 uplinks fill 16 spines of 128 ports: 48 chips, 95
// when a port had one rate. 48 cores of 225 W are 10,800 W; 2,000 host ports and 2 x 2,048 ports
// between switches, each 225 W / 128, are 10,715.625 W.
TEST(NetworkPower, OfChipsBreaksPortsOut) {
  power::Library parts;
  parts.add_source({"test", "hand-made", "2026", power::Evidence::assumed, "for this test"});
  power::Chip chip{64, gigabits_per_second(800), known(watts(450)), known(Ratio(1, 2)), {}};
  chip.lanes = 8;
  chip.breakout = {{2, gigabits_per_second(400)}};
  parts.add_part({"chip", "", chip});
  Inputs inputs = inputs_for(2'000, "chip");
  inputs.rate = gigabits_per_second(400);
  const auto offer = switch_offer(inputs, parts);
  ASSERT_TRUE(offer);
  EXPECT_EQ(offer->ports, 128);
  const auto design = evaluate(
      {"clos", "clos", {{"levels", "2"}, {"ports", "128"}, {"hosts", "2000"}, {"down", "64"}}},
      inputs, parts);
  ASSERT_TRUE(design) << to_string(design.error());
  EXPECT_EQ(design->parts.chips, 32 + 16);
  EXPECT_EQ(design->parts.lit_ports, 2'000 + 2 * 32 * 64);
  EXPECT_EQ(design->watts.idle, watts(10'800) + milliwatts(10'715'625));
  inputs.rate = gigabits_per_second(800);
  EXPECT_EQ(switch_offer(inputs, parts)->ports, 64);
}

TEST(NetworkPower, OfBoxesIsBasePortsModulesAndTraffic) {
  Inputs inputs = small_inputs("box");
  inputs.load = Ratio(1, 2);
  const auto design = evaluate(kSmall, inputs, library());
  ASSERT_TRUE(design) << to_string(design.error());
  // 4 x 100 W; 8 copper ports x 3 W; 12 fibre ports x 5 W; 10 pJ/b x 40 Gb/s = 0.4 W per busy port.
  EXPECT_EQ(design->watts.idle, watts(400 + 24 + 60));
  EXPECT_EQ(design->watts.at_load, watts(484) + milliwatts(20 * 200));
  EXPECT_EQ(design->watts.peak, watts(484) + milliwatts(20 * 400));
  EXPECT_EQ(design->watts.slowest, design->watts.idle);
}

// Each of the 4 switches has 5 cabled ports and, by switch, 3 rules for others and 2 for its hosts.
TEST(NetworkPower, OfTablesFollowsEntriesPortsAndPackets) {
  Inputs inputs = small_inputs("box");
  inputs.load = Ratio(1, 2);
  inputs.packet = bytes(125);
  const auto bare = evaluate(kSmall, inputs, library());
  inputs.tables = TableChoice{"TCAM", forwarding::Detail::per_switch};
  const auto design = evaluate(kSmall, inputs, library());
  ASSERT_TRUE(design) << to_string(design.error());
  EXPECT_EQ(design->parts.tables, (TableCount{4 * 5, 4 * 5 * 5, 5}));
  // 20 Gb/s in packets of 1,000 b: 20 M searches/s x 0.5 pJ = 10 uW for each entry and port.
  const Power leakage = milliwatts(20);
  EXPECT_EQ(design->breakdown.tables, leakage + microwatts(100 * 10));
  EXPECT_EQ(design->watts.idle - bare->watts.idle, leakage);
  EXPECT_EQ(design->watts.at_load - bare->watts.at_load, leakage + microwatts(100 * 10));
  EXPECT_EQ(design->watts.peak - bare->watts.peak, leakage + microwatts(100 * 20));
}

TEST(NetworkPower, RefusesTablesThatTheSwitchDoesNotHave) {
  const auto refusal = [](const std::string& part, const TableChoice& choice) {
    Inputs inputs = small_inputs(part);
    inputs.tables = choice;
    const auto design = evaluate(kSmall, inputs, library());
    return design ? "accepted" : design.error().front().message;
  };
  EXPECT_EQ(refusal("box", {"CAM", forwarding::Detail::flat}), "'box' says nothing of a CAM");
  EXPECT_EQ(refusal("chip", {"TCAM", forwarding::Detail::flat}), "'chip' says nothing of a TCAM");
  EXPECT_EQ(refusal("box", {"CAM", forwarding::Detail::compact}),
            "a CAM matches whole addresses: its tables are 'flat'");
}

TEST(Breakdown, AddsUpToThePowerAtLoad) {
  for (const char* part : {"chip", "box"}) {
    Inputs inputs = small_inputs(part);
    inputs.parts.nic = "nic";
    inputs.parts.optical = "optics";
    const auto design = evaluate(kSmall, inputs, library());
    ASSERT_TRUE(design) << to_string(design.error());
    EXPECT_EQ(design->breakdown.sum(), design->watts.at_load);
    EXPECT_EQ(design->breakdown.modules, watts(12 * 3));
    EXPECT_EQ(design->breakdown.nics, watts(8 * 10));
    EXPECT_EQ(design->breakdown.base, part == std::string("box") ? watts(400) : milliwatts(28'800));
  }
}

// Against every table, where there are more switches than are looked at: the sample is near.
TEST(CountTables, OfManySwitchesIsASample) {
  const auto graph =
      topology::build("dragonfly", {{"p", "3"}, {"a", "6"}, {"h", "3"}}, {gigabits_per_second(40)});
  ASSERT_TRUE(graph);
  ASSERT_GT(graph->switch_count(), kMostTables);
  const auto plan = forwarding::AddressPlan::make(*graph);
  const auto maker = forwarding::TableMaker::make(*graph, *plan);
  for (const auto detail : {forwarding::Detail::flat, forwarding::Detail::per_switch,
                            forwarding::Detail::per_group, forwarding::Detail::compact}) {
    std::int64_t every = 0;
    for (std::uint32_t s = 0; s < graph->switch_count(); ++s)
      every += static_cast<std::int64_t>(maker->table(s, detail).rules.size());
    const auto counted = count_tables(*graph, detail);
    ASSERT_TRUE(counted);
    const bool alike = detail != forwarding::Detail::compact;  // then all tables are as long
    EXPECT_NEAR(static_cast<double>(counted->entries) / static_cast<double>(every), 1,
                alike ? 0 : 0.02);
    EXPECT_EQ(counted->entries_by_port / counted->entries, 11) << "ports of a switch";
  }
}

TEST(NetworkPower, RefusesPartsThatDoNotFit) {
  const auto refusal = [](Inputs inputs) {
    const auto design = evaluate(kSmall, inputs, library());
    return design ? "accepted" : design.error().front().message;
  };
  EXPECT_EQ(refusal(small_inputs("nic")), "'nic' is a nic, not a switch");
  Inputs fast = small_inputs("box");
  fast.rate = gigabits_per_second(100);
  EXPECT_EQ(refusal(fast), "'box' has no electrical port setup for 100Gb/s");
  fast.parts.switch_part = "chip";
  EXPECT_EQ(refusal(fast), "'chip' has ports of 40Gb/s, slower than 100Gb/s");
  Inputs no_optics = small_inputs("chip");
  no_optics.parts.optical = "nic";
  EXPECT_EQ(refusal(no_optics), "'nic' is a nic, which does not fit here");
  Inputs many = small_inputs("chip");
  many.hosts = 9;
  EXPECT_EQ(refusal(many), "design 'small' holds 8 hosts, fewer than the 9 planned");
}

// 8 host links of copper and 6 fibres between switches: ends of 14 cables and 8 cards.
TEST(NotCounted, IsEveryComponentWithoutAPart) {
  const auto missing = [](const Inputs& inputs) {
    return evaluate(kSmall, inputs, library())->not_counted;
  };
  Inputs inputs = small_inputs("chip");
  const power::Source source = library().source(0);
  const NotCounted cards{"network cards", "nic", 8, Proposal{"nic", watts(10), source}};
  const NotCounted fibres{"modules at ends of optical cables", "optical", 12,
                          Proposal{"optics", watts(3), source}};
  const NotCounted copper{"ends of electrical cables", "electrical", 16, {}};
  EXPECT_EQ(missing(inputs), (std::vector<NotCounted>{cards, fibres, copper}));
  EXPECT_EQ(cards.proposed() + fibres.proposed(), watts(80 + 36));
  inputs.parts.nic = "nic";
  inputs.parts.optical = "optics";
  EXPECT_EQ(missing(inputs), (std::vector<NotCounted>{copper}));
  inputs.rate = gigabits_per_second(10);
  inputs.parts.nic.reset();
  EXPECT_FALSE(missing(inputs).front().proposal) << "no card of 10 Gb/s in the library";
}

// The box has the modules of its own ports in its numbers: left are the ends at the 8 hosts.
TEST(NotCounted, LeavesOutWhatABoxBrings) {
  Inputs inputs = small_inputs("box");
  inputs.parts.nic = "nic";
  const auto design = evaluate(kSmall, inputs, library());
  ASSERT_TRUE(design);
  const NotCounted copper{"ends of electrical cables", "electrical", 8, {}};
  EXPECT_EQ(design->not_counted, (std::vector<NotCounted>{copper}));
}

TEST(Purchase, IsLeftOutWithoutPrices) {
  Inputs inputs = small_inputs("chip");
  EXPECT_FALSE(evaluate(kSmall, inputs, library())->purchase);
  inputs.prices.switch_box = dollars(1000);
  inputs.prices.optical_cable = dollars(10);
  EXPECT_EQ(evaluate(kSmall, inputs, library())->purchase, dollars(4 * 1000 + 6 * 10));
}

// A part has a price of its own: a chip each, a module for each end of 6 fibres. A price of the
// user takes the place of it.
TEST(Purchase, TakesThePricesOfParts) {
  const power::Library parts = library();
  power::Library priced;
  priced.add_source(parts.source(0));
  for (power::Part part : parts.parts()) {
    if (part.name == "chip") part.price = known(dollars(500));
    if (part.name == "optics") part.price = known(dollars(7));
    priced.add_part(std::move(part));
  }
  Inputs inputs = small_inputs("chip");
  inputs.parts.optical = "optics";
  EXPECT_EQ(evaluate(kSmall, inputs, priced)->purchase, dollars(4 * 500 + 6 * 2 * 7));
  inputs.prices.switch_box = dollars(1000);
  EXPECT_EQ(evaluate(kSmall, inputs, priced)->purchase, dollars(4 * 1000 + 6 * 2 * 7));
}

// Equation (1) against the groups, switches and hosts of a generated network.
TEST(CountRules, MatchesTheNetwork) {
  const auto properties = topology::properties("dragonfly", {{"p", "4"}, {"a", "8"}, {"h", "4"}});
  ASSERT_TRUE(properties);
  const RuleCount rules = count_rules(*properties);
  EXPECT_EQ(rules.flat, 33 * 8 * 4);
  EXPECT_EQ(rules.per_switch, 33 * 8 - 1 + 4);
  EXPECT_EQ(rules.per_group, 32 + 7 + 4);
}

TEST(Propose, CoversFamiliesMeetsTheDemandAndIsRanked) {
  const Inputs inputs = inputs_for(1000, "chip");
  auto designs = propose(inputs, library());
  ASSERT_TRUE(designs);
  rank(*designs, RankBy::watts);
  std::set<std::string> families;
  for (const Design& design : *designs) {
    families.insert(design.candidate.family);
    EXPECT_EQ(design.parts.hosts, 1000);
    EXPECT_LE(design.properties.switch_ports, 36);
    EXPECT_GE(design.parts.unused_ports, 0);
  }
  EXPECT_GE(designs->size(), 6U);
  for (const char* family :
       {"fbfly", "clos", "dragonfly", "dragonfly-plus", "slim-fly", "polarfly", "jellyfish"})
    EXPECT_TRUE(families.contains(family)) << family;
  EXPECT_TRUE(std::is_sorted(
      designs->begin(), designs->end(),
      [](const Design& a, const Design& b) { return a.watts.at_load < b.watts.at_load; }));
}

// 64 hosts: 8 switches, all joined, or 8 leaves and 4 spines of 16 ports. A chip draws 7.2 W and
// each of its ports in use 0.8 W: 8 chips with 64 + 56 ports 153.6 W, 12 with 64 + 128 ports 240 W.
TEST(Rank, ByTheWorstCaseIsByBandwidthOfTheWorstPermutation) {
  const Candidate flat{"flat", "fbfly", {{"hosts", "8"}, {"dims", "8"}}};
  const Candidate clos{"clos", "clos", {{"ports", "16"}, {"levels", "2"}, {"hosts", "64"}}};
  const Inputs inputs = inputs_for(64, "chip");
  std::vector<Design> designs;
  for (const Candidate& one : {flat, clos}) designs.push_back(*evaluate(one, inputs, library()));
  const auto first = [&](RankBy by) {
    rank(designs, by);
    return designs.front();
  };
  // 8 hosts over one link, or half of the traffic by detours; 64 x 40 Gb/s of hosts.
  const Design by_watts = first(RankBy::watts);
  EXPECT_EQ(by_watts.candidate.name, "flat");
  EXPECT_DOUBLE_EQ(by_watts.worst_case(routing::Paths::minimal)->capacity, 0.125);
  EXPECT_DOUBLE_EQ(by_watts.worst_case()->capacity, 0.5);
  EXPECT_NEAR(by_watts.watts_per_gigabit(*by_watts.worst_case()), 153.6 / 1280, 1e-9);
  EXPECT_DOUBLE_EQ(by_watts.cut_per_host(), 16.0 / 32);  // 4 x 4 links for 32 hosts
  // A Clos carries everything up and down; it has no other paths.
  const Design by_worst_case = first(RankBy::worst_case);
  EXPECT_EQ(by_worst_case.candidate.name, "clos");
  EXPECT_EQ(by_worst_case.worst_case(routing::Paths::non_minimal), nullptr);
  EXPECT_NEAR(by_worst_case.watts_per_gigabit(*by_worst_case.worst_case()), 240.0 / 2560, 1e-9);
  EXPECT_DOUBLE_EQ(by_worst_case.cut_per_host(), 1);
  EXPECT_EQ(first(RankBy::worst_case_minimal).candidate.name, "clos");
}

// The worst case of an irregular network is not known: it comes last, whatever it draws.
TEST(Rank, PutsUnknownWorstCasesLast) {
  const Inputs inputs = inputs_for(16, "chip");
  const Candidate few{"few", "irregular", {{"switches", "4"}, {"degree", "3"}, {"hosts", "4"}}};
  const Candidate many{"many", "fbfly", {{"hosts", "1"}, {"dims", "16"}}};
  std::vector<Design> designs;
  for (const Candidate& one : {few, many}) designs.push_back(*evaluate(one, inputs, library()));
  rank(designs, RankBy::watts);
  EXPECT_EQ(designs.front().candidate.name, "few");
  rank(designs, RankBy::worst_case);
  EXPECT_EQ(designs.front().candidate.name, "many");
  EXPECT_EQ(designs.back().worst_case(), nullptr);
}

// Of 40 Gb/s one chip has 36 ports, and of 10 Gb/s 144.
power::Library with_breakout() {
  power::Library parts = library();
  power::Chip chip{36, gigabits_per_second(40), known(watts(36)), known(Ratio(8, 10)), {}};
  chip.breakout = {{4, gigabits_per_second(10)}};
  parts.add_part({"splits", "", chip});
  return parts;
}

// A quarter of the rate on each of four interfaces: the ports that a plane lights draw a quarter.
TEST(Planes, SendTheRateOfAHostOverAllInterfaces) {
  const Inputs inputs = small_inputs("splits");
  Candidate planes = kSmall;
  planes.parameters.emplace_back("planes", "4");
  const auto one = evaluate(kSmall, inputs, with_breakout());
  const auto four = evaluate(planes, inputs, with_breakout());
  ASSERT_TRUE(one && four) << to_string(four.error());
  EXPECT_EQ(four->parts.hosts, one->parts.hosts);
  EXPECT_EQ(four->parts.chips, 4 * one->parts.chips);
  EXPECT_EQ(four->parts.ports_per_chip, 144);
  EXPECT_EQ(four->parts.electrical_links, 4 * one->parts.electrical_links);
  EXPECT_EQ(four->parts.optical_links, 4 * one->parts.optical_links);
  EXPECT_EQ(four->breakdown.ports, one->breakdown.ports);
  EXPECT_EQ(four->bisection, one->bisection);
  EXPECT_EQ(four->host_links, one->host_links);
  EXPECT_EQ(four->cut_per_host(), one->cut_per_host());
  EXPECT_EQ(four->worst_case()->capacity, one->worst_case()->capacity);
}

// Cables of hosts beyond the planned number are left out in every plane.
TEST(Planes, CableTheSameHosts) {
  Inputs inputs = small_inputs("splits");
  inputs.hosts = 5;
  Candidate planes = kSmall;
  planes.parameters.emplace_back("planes", "4");
  const auto design = evaluate(planes, inputs, with_breakout());
  ASSERT_TRUE(design);
  EXPECT_EQ(design->parts.hosts, 5);
  EXPECT_EQ(design->parts.electrical_links + design->parts.optical_links, 4 * (5 + 6));
}

TEST(Planes, HaveTheTablesOfOne) {
  Inputs inputs = small_inputs("box");
  inputs.tables = TableChoice{"TCAM", forwarding::Detail::compact};
  Candidate planes = kSmall;
  planes.parameters.emplace_back("planes", "2");
  const auto one = evaluate(kSmall, inputs, library());
  inputs.rate = inputs.rate * 2;
  const auto two = evaluate(planes, inputs, library());
  ASSERT_TRUE(one && two) << to_string(two.error());
  EXPECT_EQ(two->parts.tables->entries, 2 * one->parts.tables->entries);
  EXPECT_EQ(two->parts.tables->most, one->parts.tables->most);
}

TEST(Planes, AreProposedWithMorePorts) {
  Inputs inputs = inputs_for(1000, "splits");
  inputs.planes = 4;
  const auto designs = propose(inputs, with_breakout());
  ASSERT_TRUE(designs) << to_string(designs.error());
  ASSERT_FALSE(designs->empty());
  for (const Design& design : *designs) {
    EXPECT_EQ(design.properties.interfaces, 4);
    EXPECT_LE(design.properties.switch_ports, 144);
  }
}

// 2 x 2 blocks of 3 x 3: 3 + 3 circuit switches, each with two ports for a block.
TEST(CircuitSwitches, DrawTheirBaseAndAreNoSwitches) {
  const Candidate plain{"plain", "torus", {{"hosts", "1"}, {"dims", "6x6"}}};
  Candidate blocks = plain;
  blocks.parameters.emplace_back("block", "3");
  Inputs inputs = inputs_for(36, "chip");
  const auto without = evaluate(blocks, inputs, library());
  ASSERT_TRUE(without);
  EXPECT_EQ(without->parts.chips, 36);
  EXPECT_EQ(without->not_counted.back().component, "optical circuit switches");
  EXPECT_EQ(without->not_counted.back().count, 6);
  inputs.parts.circuit_switch = "box";
  const auto with = evaluate(blocks, inputs, library());
  ASSERT_TRUE(with);
  EXPECT_EQ(with->breakdown.circuit_switches, watts(600));
  EXPECT_EQ(with->watts.idle, without->watts.idle + watts(600));
  EXPECT_EQ(evaluate(plain, inputs, library())->breakdown.circuit_switches, watts(0));
  blocks.parameters.emplace_back("blocks", "19");
  const auto many = evaluate(blocks, inputs, library());
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().front().message, "circuit switches need 38 ports; box has 36");
}

TEST(Sensitivity, RanksInputsByTheirEffect) {
  Inputs inputs = small_inputs("box");
  inputs.parts.nic = "nic";
  const auto design = evaluate(kSmall, inputs, library());
  const auto swings = sensitivity(*design, inputs, library());
  ASSERT_TRUE(swings);
  ASSERT_GE(swings->size(), 4U);
  EXPECT_EQ(swings->front().input, "electricity price");
  EXPECT_TRUE(std::is_sorted(swings->begin(), swings->end(), [](const Swing& a, const Swing& b) {
    return a.spread() > b.spread();
  }));
  // A fifth more on the price is a fifth more on the bill.
  const double ratio = to_dollars(swings->front().high) / to_dollars(design->energy_cost);
  EXPECT_NEAR(ratio, 1.2, 1e-6);
}

}  // namespace
}  // namespace ebb::plan
