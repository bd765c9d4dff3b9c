// SPDX-License-Identifier: Apache-2.0
//
// The phases of a run: warm-up, measurement, tail.
#include "experiment_parts.hpp"

#include "ebb/policy/policy.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/traffic/workload.hpp"

#include <string>

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

const topology::RateTable kRates = {k2500M, gigabits_per_second(5), k10G, gigabits_per_second(20),
                                    k40G};

// h0 and h1 each send to the other through one switch.
Report run_pair(Duration gap, policy::Policy& policy, const Schedule& schedule) {
  const topology::Graph graph = line(1, {{k10G, k40G}});
  const FirstPath routing(graph);
  const To pattern({1, 0});
  const Every injection(gap);
  const traffic::IndependentHosts workload(pattern, injection, 2);
  return run({graph,
              routing,
              workload,
              policy,
              {rates_only({k10G, k40G})},
              {},
              tiny_hardware(),
              schedule});
}

TEST(AGivenWarmUp, IsAsLongAsGiven) {
  Says policy;
  const Report report = run_pair(1us, policy, {.warm_up = 123us, .measure = 200us});
  EXPECT_FALSE(report.warm_up.found);
  EXPECT_EQ(report.warm_up.end, at(123us));
  EXPECT_EQ(report.from, at(123us));
  EXPECT_EQ(report.to, at(323us));
  // Of both hosts those at 123 us to 322 us.
  EXPECT_EQ(report.messages, 400U);
  EXPECT_EQ(report.offered, 400 * kPacket);
  EXPECT_EQ(report.delivered, 400 * kPacket);
  EXPECT_EQ(report.messages_unfinished, 0U);
  // 400 + 100 + 2 x 50
  EXPECT_EQ(report.message_latency.least(), 600ns);
  EXPECT_EQ(report.message_latency.most(), 600ns);
  EXPECT_EQ(report.packet_latency.count(), 400U);
  EXPECT_EQ(report.packets_unfinished, 0U);
}

TEST(AGivenWarmUp, CanBeNone) {
  Says policy;
  const Report report = run_pair(1us, policy, {.warm_up = 0us, .measure = 100us});
  EXPECT_EQ(report.from, at(0us));
  EXPECT_EQ(report.messages, 200U);
  EXPECT_EQ(report.messages_unfinished, 0U);
}

// Four batches of a tenth of the measured time are the least that can be compared.
TEST(AFoundWarmUp, EndsAsSoonAsPowerAndThroughputAreSteady) {
  Says policy;
  const Report report = run_pair(1us, policy, {.warm_up = {}, .measure = 500us});
  EXPECT_TRUE(report.warm_up.found);
  EXPECT_TRUE(report.warm_up.settled);
  EXPECT_EQ(report.warm_up.end, at(200us));
  EXPECT_TRUE(steady(report));
}

// Full rate until 350 us, then the slow one: the batches around that time differ.
TEST(AFoundWarmUp, WaitsForAChangeOfPower) {
  Says policy(
      [](const policy::Sample& sample) {
        std::vector<policy::Action> actions;
        for (const auto& channel : sample.channels) {
          const bool slow = sample.at >= at(350us);
          actions.push_back({channel.id, policy::SetRateLevel{
                                             policy::RateLevel{static_cast<std::uint8_t>(!slow)}}});
        }
        return actions;
      },
      10us);
  // Ten messages of each host in a batch of 100 us are few, so power may differ by a tenth. Mean
  // power of the batches: 40, 40, 40, 25, 10, 10, 10, 10 W; only the last four are two equal pairs.
  const Report report = run_pair(10us, policy, {.warm_up = {}, .measure = 1ms});
  EXPECT_TRUE(report.warm_up.settled);
  EXPECT_EQ(report.warm_up.end, at(800us));
}

TEST(AFoundWarmUp, EndsAtItsLimitWhenNothingSettles) {
  // A step down each 100 us, from 40 Gb/s by 3 Gb/s: two batches draw at least a tenth less than
  // the two before.
  topology::RateTable rates;
  for (int i = 1; i <= 13; ++i) rates.push_back(gigabits_per_second(3 * i));
  const topology::Graph graph = line(1, {rates});
  const FirstPath routing(graph);
  const To pattern({1, 0});
  const Every injection(10us);
  const traffic::IndependentHosts workload(pattern, injection, 2);
  Says policy([](const policy::Sample& sample) {
    const auto step = 12 - (sample.at - TimePoint{}) / 100us;
    std::vector<policy::Action> actions;
    for (const auto& channel : sample.channels) {
      actions.push_back(
          {channel.id, policy::SetRateLevel{policy::RateLevel{static_cast<std::uint8_t>(step)}}});
    }
    return actions;
  });
  const Report report = run({graph,
                             routing,
                             workload,
                             policy,
                             {rates_only(rates)},
                             {},
                             tiny_hardware(),
                             {.warm_up = {}, .warm_up_limit = 700us, .measure = 1ms}});
  EXPECT_TRUE(report.warm_up.found);
  EXPECT_FALSE(report.warm_up.settled);
  EXPECT_EQ(report.warm_up.end, at(700us));
}

// A flattened butterfly under the epoch policy.
Report run_epochs(const std::string& load, const Schedule& schedule) {
  const topology::Graph graph =
      topology::build("fbfly", {{"hosts", "4"}, {"dims", "4"}}, kRates).value();
  const auto routing = routing::make_routing("minimal-adaptive", graph).value();
  const auto pattern =
      traffic::make_pattern("uniform", {.hosts = 16, .hosts_per_switch = 4}, {}, 1).value();
  const auto injection =
      traffic::make_injection("poisson", k40G, {{"load", load}, {"size", "8000B"}}).value();
  const traffic::IndependentHosts workload(*pattern, *injection, 16);
  const auto policy = policy::make_policy("epoch", {}).value();
  return run({graph,
              *routing,
              workload,
              *policy.policy,
              {rates_only(kRates, 1us)},
              {},
              tiny_hardware(),
              schedule});
}

TEST(AFoundWarmUp, OfAnEpochPolicySettles) {
  const Report report = run_epochs("10%", {.warm_up = {}, .warm_up_limit = 5ms, .measure = 1ms});
  EXPECT_TRUE(report.warm_up.settled);
  EXPECT_GE(report.warm_up.end, at(400us));
  EXPECT_LT(report.warm_up.end, at(5ms));
  EXPECT_EQ((report.warm_up.end - TimePoint{}) % Duration(100us), 0us);
  EXPECT_TRUE(steady(report));
  EXPECT_FALSE(saturated(report));
  EXPECT_GT(report.outcomes_done, 0U);
  EXPECT_EQ(to_string(report.ledger.check()), "");
  // It began with all channels at full rate; a tenth of the load needs far less.
  EXPECT_LT(relative_power(report), 0.6);
  EXPECT_GE(relative_power(report), ideal_relative_power(report));
}

TEST(ARun, IsTheSameTheSecondTime) {
  const Schedule schedule{.warm_up = 100us, .measure = 200us};
  const Report a = run_epochs("40%", schedule);
  const Report b = run_epochs("40%", schedule);
  EXPECT_TRUE(a.message_latency == b.message_latency);
  EXPECT_TRUE(a.packet_latency == b.packet_latency);
  EXPECT_TRUE(a.ledger == b.ledger);
  EXPECT_TRUE(a.channels == b.channels);
  EXPECT_EQ(a.events, b.events);
}

TEST(AReport, ComparesWithAlwaysOnAndIdealPower) {
  Says policy;
  const Report report = run_pair(1us, policy, {.warm_up = 100us, .measure = 100us});
  // All four channels at 40 W for 100 us; each sends 400 ns in every us.
  EXPECT_TRUE(report.always_on == watts(4 * 40) * 100us);
  EXPECT_TRUE(report.ideal == watts(4 * 40) * 40us);
  EXPECT_DOUBLE_EQ(relative_power(report), 1.0);
  EXPECT_DOUBLE_EQ(ideal_relative_power(report), 0.4);
  for (const ChannelUse& use : report.channels) EXPECT_EQ(use, (ChannelUse{40us, 100 * kPacket}));
}

// h0 sends to h1 at these times; measured for 100 us from the start.
class AtTimes final : public traffic::Workload {
 public:
  explicit AtTimes(std::vector<Duration> times) : Workload(2), times_(std::move(times)) {}
  [[nodiscard]] std::unique_ptr<traffic::MessageSource> start(
      const traffic::Start& /*start*/) const override {
    std::vector<traffic::Message> messages;
    for (const Duration time : times_) messages.push_back({at(time), 0, 1, kPacket});
    return std::make_unique<Script>(messages, 2);
  }

 private:
  std::vector<Duration> times_;
};

Report run_pair_script(std::vector<Duration> times) {
  const topology::Graph graph = line(1, {{k40G}});
  const FirstPath routing(graph);
  const AtTimes workload(std::move(times));
  Says policy;
  return run({graph,
              routing,
              workload,
              policy,
              {rates_only({k40G})},
              {},
              tiny_hardware(),
              {.warm_up = 0us, .measure = 100us}});
}

// h0 and h1 on one switch send to h2.
Report run_two_to_one(Duration gap, const Schedule& schedule) {
  topology::GraphBuilder builder(1, 3, {{k40G}});
  for (std::uint32_t h = 0; h < 3; ++h) {
    builder.connect(builder.host_node(h), builder.switch_node(0));
  }
  const topology::Graph graph = std::move(builder).build({});
  const FirstPath routing(graph);
  const To pattern({2, 2, 2});
  const Every injection(gap);
  const traffic::IndependentHosts workload(pattern, injection, 3);
  Says policy;
  return run(
      {graph, routing, workload, policy, {rates_only({k40G})}, {}, tiny_hardware(), schedule});
}

// 2 x 400 ns each 500 ns: five eighths can be delivered, and the backlog of 1 ms is gone after less
// than the tail. That all arrived in the end does not make it less saturated.
TEST(AnOverloadedNetwork, IsSaturatedThoughItsTailIsLongEnough) {
  const Report report = run_two_to_one(500ns, {.warm_up = 0us, .measure = 1ms, .tail_limit = 3ms});
  EXPECT_EQ(report.messages, 4'000U);
  EXPECT_EQ(report.messages_unfinished, 0U);
  EXPECT_TRUE(saturated(report));
}

TEST(AnOverloadedNetwork, IsSaturatedWhenItCannotFinish) {
  const Report report = run_two_to_one(500ns, {.warm_up = 1ms, .measure = 1ms, .tail_limit = 10us});
  EXPECT_GT(report.messages_unfinished, 0U);
  EXPECT_TRUE(saturated(report));
}

// 2 x 400 ns each 1 us.
TEST(ABusyNetwork, IsNotSaturated) {
  const Report report = run_two_to_one(1us, {.warm_up = 1ms, .measure = 1ms});
  EXPECT_FALSE(saturated(report));
}

// Six messages in the first half and two in the second: all arrive, though the second half has less
// than half of the data.
TEST(ABurstyNetwork, IsNotSaturatedBecauseItCalmsDown) {
  const Report report = run_pair_script({10us, 12us, 14us, 16us, 18us, 20us, 70us, 80us});
  EXPECT_EQ(report.offered, 8 * kPacket);
  EXPECT_EQ(report.offered_second_half, 2 * kPacket);
  EXPECT_FALSE(saturated(report));
}

// A message of 4 MB takes 800 us on its link, and 400 us are left of it on average. Every half of
// the measured time cuts one, so 1 ms says nothing; ten times 400 us do.
TEST(ARun, ThatItsMessagesOutlastIsTooShortToTell) {
  const topology::Graph graph = line(1, {{k40G}});
  const FirstPath routing(graph);
  const To pattern({1, 0});
  const Every injection(1ms, bytes(4'000'000));
  const traffic::IndependentHosts workload(pattern, injection, 2);
  Says policy;
  const auto measured = [&](Duration warm_up, Duration measure) {
    return run({graph,
                routing,
                workload,
                policy,
                {rates_only({k40G})},
                {},
                tiny_hardware(),
                {.warm_up = warm_up, .measure = measure}});
  };
  const Report brief = measured(0us, 1ms);
  EXPECT_EQ(brief.longest_message, 800us);
  EXPECT_EQ(brief.mean_residual, 400us);
  EXPECT_EQ(least_measure(brief), 4ms);
  EXPECT_TRUE(too_short(brief));
  EXPECT_FALSE(saturated(brief));
  const Report longer = measured(1ms, 4ms);
  EXPECT_FALSE(too_short(longer));
  EXPECT_FALSE(saturated(longer));
  // In the second half, from 3 to 5 ms, each host can send two messages.
  EXPECT_EQ(longer.sendable_second_half, bytes(4 * 4'000'000));
}

// A host whose link carries 4000 bytes in 800 ns has as many to send every 300 ns.
TEST(AnOverloadedHost, IsSaturatedThoughItsLinkIsFull) {
  const topology::Graph graph = line(1, {{k40G}});
  const FirstPath routing(graph);
  const To pattern({1, 0});
  const Every injection(300ns, bytes(4000));
  const traffic::IndependentHosts workload(pattern, injection, 2);
  Says policy;
  const Report report = run({graph,
                             routing,
                             workload,
                             policy,
                             {rates_only({k40G})},
                             {},
                             tiny_hardware(),
                             {.warm_up = 50us, .measure = 100us}});
  EXPECT_EQ(report.offered_by_overloaded, report.offered);
  EXPECT_TRUE(saturated(report));
}

// 59.9 % offered and 60.1 % accepted: whatever the second half says, no less arrived.
TEST(AReport, IsNotSaturatedWhenAsMuchArrivedAsWasOffered) {
  Report report;
  report.to = at(1ms);
  report.offered = bits(599);
  report.delivered = bits(601);
  report.sendable_second_half = report.offered_second_half = bits(300);
  report.second_half.delivered = bits(280);  // below 95 %
  EXPECT_FALSE(saturated(report));
  report.delivered = bits(590);
  EXPECT_TRUE(saturated(report));
  report.longest_message = 2ms;
  EXPECT_FALSE(saturated(report)) << "too short to tell";
}

// Ten hosts each offered one message of 100 us in 1 ms and could send all of it in the second half:
// rho = 0.1, variance = 10 * 100^3 / 3 / 1000 * 0.1 / 0.9 us^2 = 370 us^2, so that two standard
// deviations of a difference are 2 * sqrt(2 * 370) = 54.4 us of 1000 us.
TEST(AReport, TellsAShortfallFromChance) {
  Report report;
  report.to = at(1ms);
  report.link_times = {1000us, 1000us, Int128{10} * 100'000 * 100'000 * 100'000, 10};
  report.offered = report.offered_second_half = report.sendable_second_half = bits(1000);
  EXPECT_NEAR(shortfall_by_chance(report), 0.0544, 0.0001);
  report.delivered = report.second_half.delivered = bits(880);  // 12 % is beyond 5 % + 5.44 %
  EXPECT_TRUE(saturated(report));
  EXPECT_FALSE(too_short(report));
  report.delivered = report.second_half.delivered = bits(910);  // 9 % is not
  EXPECT_FALSE(saturated(report));
  EXPECT_TRUE(too_short(report));
  EXPECT_EQ(least_measure(report), 2ms);  // 1.09 times as long were enough for chance; twice
  report.delivered = report.second_half.delivered = bits(960);
  EXPECT_FALSE(saturated(report) || too_short(report));
}

// Two digits, rounded up: what a person writes into the file.
TEST(TheLeastMeasure, IsTheLongestMessageOrTenResiduals) {
  EXPECT_EQ(least_measure(6ms, 500us), 6ms);
  EXPECT_EQ(least_measure(6ms, 1'090'446ns), 11ms);
  EXPECT_EQ(least_measure(104'858ns, 52'429ns), 530us);
  EXPECT_EQ(least_measure(Duration{}, Duration{}), Duration{});
}

// What traffic::offered() counts before `to` and not before `from`.
void offers_what_traffic_says(const traffic::Pattern& pattern, const traffic::Injection& injection,
                              const Schedule& schedule) {
  const traffic::IndependentHosts workload(pattern, injection, 2);
  const topology::Graph graph = line(1, {{k40G}});
  const FirstPath routing(graph);
  Says policy;
  const Report report = run(
      {graph, routing, workload, policy, {rates_only({k40G})}, {}, tiny_hardware(), schedule, 7});
  const traffic::Offered until = traffic::offered(workload, 7, report.to);
  const traffic::Offered before = traffic::offered(workload, 7, report.from);
  EXPECT_EQ(static_cast<std::int64_t>(report.messages), until.messages() - before.messages());
  EXPECT_EQ(report.offered, until.total() - before.total());
}

TEST(TheOffer, IsWhatTheTrafficHasInTheMeasuredTime) {
  const To pattern({1, 0});
  for (const Duration warm_up : {0us, 50us, 333us}) {
    const Schedule schedule{.warm_up = warm_up, .measure = 300us};
    offers_what_traffic_says(pattern, Every(1us), schedule);
    offers_what_traffic_says(
        pattern,
        *traffic::make_injection("poisson", k40G, {{"load", "60%"}, {"size", "700B"}}).value(),
        schedule);
  }
}

// A message of 4000 bytes takes 800 ns and comes each 300 ns: most stay in the source.
TEST(TheOffer, CountsWhatHostsCannotSendInTime) {
  const To pattern({1, 0});
  for (const Duration warm_up : {0us, 50us, 333us}) {
    offers_what_traffic_says(pattern, Every(300ns, bytes(4000)),
                             {.warm_up = warm_up, .measure = 100us, .tail_limit = 50us});
  }
}

// Hosts take the messages that were fetched for the count in their order.
TEST(TheOffer, LosesNothingForTheHosts) {
  Says policy;
  const topology::Graph graph = line(1, {{k40G}});
  const FirstPath routing(graph);
  const To pattern({1, 0});
  const Every injection(300ns);  // 400 ns each
  const traffic::IndependentHosts workload(pattern, injection, 2);
  const Report report = run({graph,
                             routing,
                             workload,
                             policy,
                             {rates_only({k40G})},
                             {},
                             tiny_hardware(),
                             {.warm_up = 30us, .measure = 90us, .tail_limit = 1ms}});
  // Message n of a host is created at 300 n and sent at 400 n: of those at 30 us to 119.7 us the
  // first waits 10 us and the last, n = 399, 39.9 us.
  EXPECT_EQ(report.messages, 600U);
  EXPECT_EQ(report.messages_unfinished, 0U);
  EXPECT_EQ(report.message_latency.least(), 10us + 600ns);
  EXPECT_EQ(report.message_latency.most(), 39'900ns + 600ns);
}

}  // namespace
}  // namespace ebb::netsim
