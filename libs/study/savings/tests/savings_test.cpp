// SPDX-License-Identifier: Apache-2.0
#include "ebb/savings/savings.hpp"

#include "ebb/plan/design.hpp"
#include "ebb/power/library.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

namespace ebb::savings {
namespace {

using namespace std::chrono_literals;

template <class T>
power::Sourced<T> known(T value) {
  return {value, 0};
}

// A chip whose links draw 80 % of 36 W, a rate table that sleeps at a tenth, one that cannot sleep,
// and a box of whose links nothing is known.
power::Library library() {
  power::Library parts;
  parts.add_source({"test", "hand-made", "2026", power::Evidence::assumed, "for this test"});
  power::RateTable table;
  table.steps = {{gigabits_per_second(10), 1, known(Ratio(1, 4))},
                 {gigabits_per_second(40), 4, known(Ratio(1, 1))}};
  table.lane_change = known(Duration(1us));
  parts.add_part({"no-sleep", "", table});
  table.sleep = known(Ratio(1, 10));
  table.wake = known(Duration(1us));
  parts.add_part({"sleeps", "", table});
  power::Chip chip{36, gigabits_per_second(40), known(watts(36)), known(Ratio(8, 10)), "sleeps"};
  parts.add_part({"chip", "", chip});
  chip.rate_table.reset();
  parts.add_part({"fixed", "", chip});
  power::PortSetup copper{.name = "DAC", .medium = "electrical", .rate = gigabits_per_second(40)};
  power::PortSetup fibre{.name = "LR", .medium = "optical", .rate = gigabits_per_second(40)};
  parts.add_part({"box", "", power::Box{36, known(watts(100)), {copper, fibre}, {}}});
  return parts;
}

plan::Inputs inputs_of(std::string part) {
  plan::Inputs inputs;
  inputs.hosts = 8;
  inputs.parts.switch_part = std::move(part);
  inputs.tariff = {cents_per_kwh(10), Ratio(3, 2), 4, grams_per_kwh(400)};
  return inputs;
}

// 4 switches of 2 hosts, all joined: 8 + 12 lit ports.
plan::Design design_of(const plan::Inputs& inputs) {
  return plan::evaluate({"small", "complete", {{"switches", "4"}, {"hosts", "2"}}}, inputs,
                        library())
      .value();
}

Result<LinkSaving> saving_of(const Question& question, const plan::Inputs& inputs) {
  return link_saving(question, design_of(inputs), inputs, library());
}

std::string refusal(const Question& question, const plan::Inputs& inputs) {
  const auto saving = saving_of(question, inputs);
  return saving ? "accepted" : saving.error().front().message;
}

const files::Named kPoisson{"poisson", {{"load", "10%"}, {"size", "50kB"}}};

// 20 ports of 0.8 W are 16 W, half of it 8 W, with PUE 12 W: 105.12 kWh in 8,760 h.
TEST(Year, IsPowerTimesPueTimesHours) {
  const plan::Inputs inputs = inputs_of("chip");
  const auto year = year_of(design_of(inputs), inputs, library(), {.workload = "", .saved = 0.5});
  ASSERT_TRUE(year) << to_string(year.error());
  EXPECT_EQ(year->links, watts(16));
  EXPECT_EQ(year->saved, watts(8));
  EXPECT_DOUBLE_EQ(to_kwh(year->energy), 105.12);
  EXPECT_DOUBLE_EQ(to_dollars(year->money), 10.512);
  EXPECT_DOUBLE_EQ(to_kilograms(year->carbon), 42.048);
}

TEST(BreakEven, ClosedFormsOfTheTwoConstantPolicies) {
  const plan::Inputs inputs = inputs_of("chip");
  const auto on = saving_of({.policy = {"always-on", {}}, .workload = kPoisson}, inputs);
  ASSERT_TRUE(on) << to_string(on.error());
  EXPECT_EQ(on->saved, 0);
  const auto slowest = saving_of({.policy = {"always-slowest", {}}, .workload = kPoisson}, inputs);
  ASSERT_TRUE(slowest) << to_string(slowest.error());
  EXPECT_EQ(slowest->saved, 0.75);
  EXPECT_EQ(slowest->basis, Basis::breakeven);
}

// Messages of 10 us at random times, 10,000 a second: a channel that sleeps at once and wakes in 1
// us is asleep (1 - 0.1) / (1 + 0.01) of the time, where it draws a tenth. Each message that finds
// it asleep waits 1 us, and those behind it.
TEST(BreakEven, OnDemandOnRandomMessages) {
  const auto saving =
      saving_of({.policy = {"on-demand", {}}, .workload = kPoisson, .time = Duration(200ms)},
                inputs_of("chip"));
  ASSERT_TRUE(saving) << to_string(saving.error());
  EXPECT_NEAR(saving->saved, 0.9 / 1.01 * 0.9, 0.01);
  EXPECT_NEAR(saving->load, 0.1, 0.005);
  ASSERT_TRUE(saving->delay);
  EXPECT_NEAR(static_cast<double>(saving->delay->count()), 1e6, 0.03e6);
}

// After 1 s without a message nobody sleeps: messages come every 100 us.
TEST(BreakEven, OnDemandWaitsAsLongAsItsIdleTime) {
  const auto saving = saving_of(
      {.policy = {"on-demand", {{"idle", "1s"}}}, .workload = kPoisson, .time = Duration(20ms)},
      inputs_of("chip"));
  ASSERT_TRUE(saving) << to_string(saving.error());
  EXPECT_EQ(saving->saved, 0);
}

TEST(Packet, SimulatesTheDesign) {
  const auto saving = saving_of({.policy = {"always-slowest", {}},
                                 .workload = {"poisson", {{"load", "1%"}, {"size", "2KiB"}}},
                                 .basis = Basis::packet},
                                inputs_of("chip"));
  ASSERT_TRUE(saving) << to_string(saving.error());
  EXPECT_EQ(saving->basis, Basis::packet);
  EXPECT_NEAR(saving->saved, 0.75, 1e-9);
  EXPECT_FALSE(saving->delay);
}

// Both look at the same: one switch has no channels but those of its hosts. The simulated ones
// sleep a little less, since packets of two messages alternate at an output and buffers hold
// messages back.
TEST(Packet, AgreesWithBreakEvenWhereThereAreOnlyHosts) {
  const plan::Inputs inputs = inputs_of("chip");
  const auto star =
      plan::evaluate({"star", "complete", {{"switches", "1"}, {"hosts", "16"}}}, inputs, library());
  ASSERT_TRUE(star) << to_string(star.error());
  Question question{
      .policy = {"on-demand", {{"idle", "1us"}}}, .workload = kPoisson, .time = Duration(5ms)};
  const auto by_gaps = link_saving(question, *star, inputs, library());
  question.basis = Basis::packet;
  const auto by_packets = link_saving(question, *star, inputs, library());
  ASSERT_TRUE(by_gaps && by_packets);
  EXPECT_NEAR(by_gaps->saved, by_packets->saved, 0.03);
}

// 10 MB take 2 ms on a link of 40 Gb/s, and on average 1 ms is left of one: 10 ms hold them.
TEST(Packet, SaysHowLongItShouldHaveBeen) {
  const Question question{.policy = {"always-slowest", {}},
                          .workload = {"poisson", {{"load", "1%"}, {"size", "10MB"}}},
                          .basis = Basis::packet};
  const auto saving = saving_of(question, inputs_of("chip"));
  ASSERT_TRUE(saving) << to_string(saving.error());
  ASSERT_TRUE(saving->needed);
  EXPECT_EQ(*saving->needed, Duration(10ms));
  Question longer = question;
  longer.workload.parameters.back().second = "2KiB";
  EXPECT_FALSE(saving_of(longer, inputs_of("chip"))->needed);
}

TEST(Basis, IsPacketForPoliciesThatLookAtMoreThanOneChannel) {
  EXPECT_TRUE(known_to_breakeven({"on-demand", {{"idle", "10us"}}}));
  EXPECT_FALSE(known_to_breakeven({"on-demand", {{"queued", "10kB"}}}));
  EXPECT_FALSE(known_to_breakeven({"epoch", {}}));
  const auto saving = saving_of({.policy = {"epoch", {}}, .workload = kPoisson}, inputs_of("chip"));
  ASSERT_TRUE(saving) << to_string(saving.error());
  EXPECT_EQ(saving->basis, Basis::packet);
  EXPECT_GT(saving->saved, 0.1);
}

TEST(LinkSaving, RefusesWhatCannotSave) {
  const Question on_demand{.policy = {"on-demand", {}}, .workload = kPoisson};
  EXPECT_EQ(refusal(on_demand, inputs_of("fixed")),
            "'fixed' has no rate table for links of 40Gb/s, so no policy can act; name one with "
            "--rate-table: no-sleep, sleeps");
  plan::Inputs box = inputs_of("box");
  EXPECT_NE(refusal(on_demand, box).find("'box' has no rate table"), std::string::npos);
  plan::Inputs no_sleep = inputs_of("fixed");
  no_sleep.parts.rate_table = "no-sleep";
  EXPECT_EQ(refusal(on_demand, no_sleep),
            "the rate table has no state 'sleep' with the time that it takes, so the policy cannot "
            "act");
  EXPECT_EQ(refusal({.policy = {"on-demnd", {}}, .workload = kPoisson}, inputs_of("chip")),
            "unknown policy 'on-demnd'; did you mean 'on-demand'?");
  EXPECT_EQ(refusal({.policy = {"epoch", {}}, .workload = kPoisson, .basis = Basis::breakeven},
                    inputs_of("chip")),
            "break-even has no rule for 'epoch' with these parameters; take a packet simulation, "
            "--basis packet");
  EXPECT_EQ(
      refusal({.policy = {"always-on", {}}, .workload = kPoisson, .threads = 2}, inputs_of("chip")),
      "break-even simulates nothing, so --threads has no effect; take a packet simulation, "
      "--basis packet");
}

}  // namespace
}  // namespace ebb::savings
