// SPDX-License-Identifier: Apache-2.0
// However the switches are spread over threads, the run is the same, bit for bit.

#include "experiment_parts.hpp"
#include "same_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

namespace ebb::netsim {
namespace {

using namespace same_run;

class ThreadsOf : public testing::TestWithParam<Case> {};

TEST_P(ThreadsOf, AnyNumberGivesTheSameRun) {
  const Outcome alone = simulate(GetParam(), 1);
  EXPECT_GT(alone.report.packet_latency.count(), 500U);
  EXPECT_TRUE(alone.report.ledger.check().empty());
  EXPECT_FALSE(alone.report.stall.has_value());
  for (const std::uint32_t threads : {2U, 3U, 4U, 8U}) {
    SCOPED_TRACE(threads);
    expect_same(alone, simulate(GetParam(), threads));
  }
}

class DividedPolicies : public testing::TestWithParam<Case> {};

// Those that are asked on the threads of the links they decide about.
TEST_P(DividedPolicies, DoTheSameOnThreads) {
  const Outcome alone = simulate(GetParam(), 1);
  for (const std::uint32_t threads : {1U, 2U, 5U}) {
    SCOPED_TRACE(threads);
    expect_same(
        alone.report,
        simulate(GetParam(), threads, mpi::serial_communicator(), Policies::divided).report);
  }
}

TEST(Threads, EveryPolicyThatDecidesLinkByLinkIsTried) {
  for (const policy::Entry& entry : policy::policies()) {
    if (!policy::make_policy(entry.name, {})) continue;  // must be given parameters
    if (!policy::make_policy(entry.name, {})->policy->copy_for_part()) continue;
    const auto tried = link_by_link();
    EXPECT_TRUE(std::any_of(tried.begin(), tried.end(), [&](const Case& one) {
      return one.policy == entry.name;
    })) << entry.name;
  }
}

TEST(Threads, MoreThanSwitchesAreNotUsed) {
  const Case one{.name = "complete",
                 .family = "complete",
                 .parameters = {{"switches", "3"}, {"hosts", "4"}},
                 .routing = "shortest-path",
                 .policy = "always-on",
                 .policy_parameters = {},
                 .output_buffer = {}};
  expect_same(simulate(one, 1), simulate(one, 8));
}

INSTANTIATE_TEST_SUITE_P(All, ThreadsOf, testing::ValuesIn(cases()), name_of);
INSTANTIATE_TEST_SUITE_P(All, DividedPolicies, testing::ValuesIn(link_by_link()), name_of);

}  // namespace

// Messages that come after the deadline of their workload.
namespace {

using namespace std::chrono_literals;

// The same messages, of use for a time.
class Due final : public traffic::Workload {
 public:
  Due(const traffic::Workload& messages, std::optional<Duration> deadline)
      : Workload(messages.hosts()), messages_(messages), deadline_(deadline) {}

  [[nodiscard]] std::unique_ptr<traffic::MessageSource> start(
      const traffic::Start& start) const override {
    return messages_.start(start);
  }
  [[nodiscard]] std::optional<Duration> deadline() const override { return deadline_; }

 private:
  const traffic::Workload& messages_;
  std::optional<Duration> deadline_;
};

// h0 and h1 send to each other over two switches, every microsecond a message of one packet that
// takes 400 + 2 x 100 + 3 x 50 = 750 ns.
Report run_due(std::optional<Duration> deadline, std::uint32_t threads = 1,
               Duration tail_limit = 10us) {
  const topology::Graph graph = line(2, {{k10G, k40G}});
  const FirstPath routing(graph);
  const To pattern({1, 0});
  const Every injection(1us);
  const traffic::IndependentHosts messages(pattern, injection, 2);
  const Due workload(messages, deadline);
  Says policy;
  const Schedule schedule{.warm_up = 10us, .measure = 100'200ns, .tail_limit = tail_limit};
  Experiment experiment{graph, routing, workload, policy, {rates_only({k10G, k40G})},
                        {},    {},      schedule};
  experiment.hardware = tiny_hardware();
  experiment.threads = threads;
  return run(experiment);
}

TEST(ADeadline, ThatIsJustMetIsMet) {
  const Report report = run_due(750ns);
  EXPECT_EQ(report.messages, 202U);
  EXPECT_EQ(report.message_latency.most(), 750ns);
  EXPECT_EQ(report.deadline, 750ns);
  EXPECT_EQ(report.lateness.count(), 0U);
  EXPECT_EQ(missed(report), 0U);
}

TEST(ADeadline, ThatIsMissedIsMissedByTheRest) {
  const Report report = run_due(700ns);
  EXPECT_EQ(report.lateness.count(), 202U);
  EXPECT_EQ(report.lateness.least(), 50ns);
  EXPECT_EQ(report.lateness.most(), 50ns);
  EXPECT_EQ(missed(report), 202U);
}

TEST(ADeadline, IsMissedByWhatDidNotArriveButNobodyKnowsByHowMuch) {
  const Report report = run_due(800ns, 1, 0us);
  EXPECT_EQ(report.messages_unfinished, 2U)
      << "created 200 ns before the end, on their way to the last switch";
  EXPECT_EQ(report.lateness.count(), 0U);
  EXPECT_EQ(missed(report), 2U);
}

TEST(ADeadline, IsNotThereWithoutOne) {
  const Report report = run_due(std::nullopt, 1, 0us);
  EXPECT_EQ(report.deadline, std::nullopt);
  EXPECT_EQ(report.messages_unfinished, 2U);
  EXPECT_EQ(missed(report), 0U);
}

TEST(ADeadline, IsMissedTheSameOnTwoThreads) {
  EXPECT_EQ(run_due(700ns, 2).lateness, run_due(700ns).lateness);
}

}  // namespace
}  // namespace ebb::netsim
