// SPDX-License-Identifier: Apache-2.0
//
// A run as a timeline: that it has what happened, that its watts are the energy of the ledger, and
// that looking changes nothing.
#include "experiment_parts.hpp"

#include "ebb/policy/policy.hpp"
#include "ebb/program/goal.hpp"
#include "ebb/program/job.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/timeline/timeline.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/traffic/message_list.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;
using timeline::Form;

struct Heard {
  Report report;
  std::string text;
};

Heard told_run(const std::string& policy_name, const ParameterTexts& parameters, Form form,
               std::uint32_t threads = 1, bool watched = true) {
  const topology::RateTable rates = {k10G, k40G};
  const auto graph = topology::build("fbfly", {{"hosts", "3"}, {"dims", "4"}}, rates).value();
  const auto routing = routing::make_routing("minimal-adaptive", graph).value();
  const auto pattern =
      traffic::make_pattern("uniform", {.hosts = graph.host_count()}, {}, 7).value();
  const auto injection =
      traffic::make_injection("poisson", k40G, {{"load", "20%"}, {"size", "9KiB"}}).value();
  const traffic::IndependentHosts workload(*pattern, *injection, graph.host_count());
  const auto made = policy::make_policy(policy_name, parameters).value();
  ChannelModel model = rates_only(rates);
  model.rate_levels[0].power = watts(1);
  model.rate_levels[1].power = watts(3);
  model.rate_change = 1us;
  model.sleep = ChannelModel::Sleep{milliwatts(1), Duration(700'123)};
  const auto out = std::make_shared<std::ostringstream>();
  const auto timeline = timeline::make_timeline(form, out, {});
  Experiment experiment{graph, *routing, workload, *made.policy, {model}, watts(3), {}};
  experiment.schedule = {.warm_up = 20us, .measure = 100us, .tail_limit = 100us};
  experiment.seed = 3;
  experiment.threads = threads;
  experiment.timeline = watched ? timeline.get() : nullptr;
  Report report = run(experiment);
  EXPECT_TRUE(timeline->finish());
  return {std::move(report), out->str()};
}

// Attojoules of the counter `total` between two nanoseconds.
std::int64_t energy_between(const std::string& text, std::int64_t from, std::int64_t to) {
  std::map<std::int64_t, std::int64_t> values;
  const auto all = nlohmann::json::parse(text);
  for (const auto& event : all["traceEvents"]) {
    if (event["ph"] == "C" && event["name"] == "total")
      values[std::llround(event["ts"].get<double>() * 1e3)] =
          std::llround(event["args"]["W"].get<double>() * 1e9);
  }
  std::int64_t sum = 0;
  for (auto at = values.begin(); at != values.end(); ++at) {
    const auto next = std::next(at);
    const std::int64_t end = std::min(to, next == values.end() ? to : next->first);
    sum += at->second * std::max<std::int64_t>(0, end - std::max(from, at->first));
  }
  return sum;
}

class TimelineOf : public testing::TestWithParam<std::pair<std::string, ParameterTexts>> {};

TEST_P(TimelineOf, HasTheEnergyOfTheLedgerAndDisturbsNothing) {
  const auto& [name, parameters] = GetParam();
  const Heard with = told_run(name, parameters, Form::chrome);
  const Heard without = told_run(name, parameters, Form::chrome, 1, false);
  EXPECT_EQ(with.report.ledger, without.report.ledger);
  EXPECT_EQ(with.report.message_latency, without.report.message_latency);
  EXPECT_EQ(with.report.events, without.report.events);
  EXPECT_EQ(energy_between(with.text, 20'000, 120'000),
            static_cast<std::int64_t>(with.report.ledger.total().count()));
}

TEST_P(TimelineOf, IsTheSameOnThreads) {
  const auto& [name, parameters] = GetParam();
  for (const Form form : {Form::chrome, Form::perfetto})
    EXPECT_EQ(told_run(name, parameters, form, 3).text, told_run(name, parameters, form).text);
}

INSTANTIATE_TEST_SUITE_P(Policies, TimelineOf,
                         testing::Values(std::pair("epoch", ParameterTexts{{"epoch", "5us"}}),
                                         std::pair("on-demand", ParameterTexts{{"idle", "1us"}})));

// One packet of 400 ns from h0 to h1, created at 0, through one switch.
TEST(ATimeline, LeadsAMessageFromItsSenderToItsReceiver) {
  const topology::Graph graph = line(1, {{k10G, k40G}});
  const FirstPath routing(graph);
  const To pattern({1, 1});
  const Every injection(10us);
  const traffic::IndependentHosts workload(pattern, injection, 2);
  Says policy;
  const auto out = std::make_shared<std::ostringstream>();
  const auto timeline = timeline::make_timeline(Form::chrome, out, {});
  Experiment experiment{graph, routing,        workload, policy, {rates_only({k10G, k40G})},
                        {},    tiny_hardware()};
  experiment.schedule = {.warm_up = 0us, .measure = 5us};
  experiment.timeline = timeline.get();
  const Report report = run(experiment);
  ASSERT_TRUE(timeline->finish());
  const auto all = nlohmann::json::parse(out->str());
  std::map<std::string, nlohmann::json> ends;
  for (const auto& event : all["traceEvents"]) {
    if (event.contains("flow_out")) ends["out"] = event;
    if (event.contains("flow_in")) ends["in"] = event;
  }
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_EQ(ends["out"]["name"], "to h1");
  EXPECT_EQ(ends["out"]["ts"], 0.0);
  EXPECT_EQ(ends["in"]["name"], "from h0");
  EXPECT_EQ(ends["in"]["bind_id"], ends["out"]["bind_id"]);
  const double latency = ends["in"]["ts"].get<double>() + ends["in"]["dur"].get<double>();
  EXPECT_EQ(Duration(std::llround(latency * 1e6)), report.message_latency.most());
}

// Rank 0 sends a packet to rank 1 and waits for the answer; rank 1 computes for 100 ns in between.
// A packet takes 750 ns: 400 ns for its bits, 3 x 50 ns for cables and 2 x 100 ns for switches.
TEST(ATimeline, ShowsWhatRanksDo) {
  const auto program =
      program::read_goal_text(
          "num_ranks 2\nrank 0 {\na: send 2000b to 1\nb: recv 2000b from 1\n}\n"
          "rank 1 {\na: recv 2000b from 0\nc: calc 100\nc requires a\nb: send 2000b to 0\n"
          "b requires c\n}\n",
          "test.goal")
          .value();
  program::Jobs jobs(2, {{program, {0, 1}, {}, "there and back"}}, {});
  const topology::Graph graph = line(2, {{k10G, k40G}});
  const FirstPath routing(graph);
  const traffic::MessageList nothing(2, {});
  Says policy;
  const auto out = std::make_shared<std::ostringstream>();
  const auto timeline = timeline::make_timeline(Form::chrome, out, {});
  const Report report = run({.graph = graph,
                             .routing = routing,
                             .workload = nothing,
                             .policy = policy,
                             .models = {sleepy({k10G, k40G}, 2us, 1us)},
                             .switch_core = watts(10),
                             .hardware = tiny_hardware(),
                             .schedule = {.measure = 1ms},
                             .jobs = &jobs,
                             .timeline = timeline.get()});
  ASSERT_TRUE(timeline->finish());
  const auto all = nlohmann::json::parse(out->str());
  std::map<nlohmann::json, std::string> tracks;
  std::vector<std::tuple<std::string, std::string, double, double>> works;
  for (const auto& event : all["traceEvents"]) {
    if (event["name"] == "thread_name") tracks[event["tid"]] = event["args"]["name"];
    if (event["ph"] != "X" || !tracks[event["tid"]].starts_with("rank")) continue;
    works.emplace_back(tracks[event["tid"]], event["name"], event["ts"], event["dur"]);
  }
  EXPECT_EQ(works,
            (std::vector<std::tuple<std::string, std::string, double, double>>{
                {"rank 1 on h1", "computes", 0.75, 0.1}, {"rank 0 on h0", "waits", 0.0, 1.6}}));
  const std::int64_t end = (report.to.time_since_epoch().count() + 999) / 1000;
  EXPECT_EQ(energy_between(out->str(), 0, end),
            static_cast<std::int64_t>(report.ledger.total().count()));
}

}  // namespace
}  // namespace ebb::netsim
