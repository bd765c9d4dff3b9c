// SPDX-License-Identifier: Apache-2.0
//
// The keys `traffic.program` and `traffic.jobs`: programs and the hosts of their ranks.
#include "prepared.hpp"
#include "support/temporary_folder.hpp"

#include "ebb/config/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <set>
#include <string>

namespace ebb::config {
namespace {

// Eight switches with four hosts each, and a program of two ranks beside the file.
class JobsTest : public testing::Test {
 protected:
  JobsTest() {
    write("pair.goal", "num_ranks 2\nrank 0 { send 8b to 1\n}\nrank 1 { recv 8b from 0\n}\n");
    std::string ring = "num_ranks 8\n";
    for (int rank = 0; rank < 8; ++rank)
      ring += "rank " + std::to_string(rank) + " { calc " + std::to_string(rank) + "\n}\n";
    write("eight.goal", ring);
  }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.file(name)) << text;
  }
  Result<Simulation> with(const std::string& traffic, const std::string& more = "") {
    const auto file = read_sim_text(
        "schema_version: 1\ntopology: {family: fbfly, hosts: 4, dims: 8}\n"
        "routing: minimal-adaptive\ntraffic: " +
            traffic +
            "\npolicy: always-on\nparts: {switch: isca10-chip, rate_table: ideal-link}\n" + more,
        folder_.file("sim.yaml"), library(), {});
    if (!file) return fail(file.error());
    return prepare(*file, library());
  }
  std::string mistakes(const std::string& traffic, const std::string& more = "") {
    const auto made = with(traffic, more);
    return made ? "accepted" : to_string(made.error());
  }
  std::vector<std::uint32_t> hosts_of(const std::string& traffic, std::size_t job = 0) {
    const auto made = with(traffic);
    EXPECT_TRUE(made) << to_string(made.error());
    return made ? made->jobs->jobs()[job].hosts : std::vector<std::uint32_t>{};
  }

  test::TemporaryFolder folder_;
};

using Jobs = JobsTest;

TEST_F(Jobs, OfAFileStandBesideIt) {
  const auto made = with("{program: pair.goal}");
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->jobs->jobs()[0].name, "job");
  EXPECT_EQ(made->jobs->jobs()[0].hosts, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(made->sending_hosts, 2U);
  EXPECT_EQ(made->experiment().jobs, made->jobs.get());
}

TEST_F(Jobs, TakeTheHostsThatAreLeft) {
  const std::string both = "{jobs: [{program: pair.goal}, {program: eight.goal}]}";
  EXPECT_EQ(hosts_of(both, 1).front(), 2U);
  EXPECT_EQ(hosts_of(both, 1).back(), 9U);
}

TEST_F(Jobs, AreDrawnByTheSeed) {
  const auto random = hosts_of("{program: eight.goal, hosts: random}");
  EXPECT_EQ(std::set<std::uint32_t>(random.begin(), random.end()).size(), 8U);
  EXPECT_FALSE(std::is_sorted(random.begin(), random.end()));
  EXPECT_EQ(random, hosts_of("{program: eight.goal, hosts: random}"));
}

TEST_F(Jobs, ByRackHaveWholeSwitches) {
  const auto hosts = hosts_of("{program: eight.goal, hosts: by-rack}");
  for (std::size_t rank = 0; rank < 8; ++rank)
    EXPECT_EQ(hosts[rank], hosts[rank / 4 * 4] + rank % 4);
  EXPECT_EQ(hosts[0] % 4, 0U);
}

TEST_F(Jobs, MayHaveHostsOfAFile) {
  write("hosts.txt", "# by rank\n7\nh3\n");
  EXPECT_EQ(hosts_of("{program: pair.goal, hosts: hosts.txt}"), (std::vector<std::uint32_t>{7, 3}));
  write("wrong.txt", "99\nmoon\n");
  const std::string said = mistakes("{program: pair.goal, hosts: wrong.txt}");
  EXPECT_NE(said.find("wrong.txt:1: error: '99' is no host"), std::string::npos) << said;
  EXPECT_NE(said.find("wrong.txt:2: error: 'moon' is no host"), std::string::npos) << said;
  write("few.txt", "1\n");
  EXPECT_NE(mistakes("{program: pair.goal, hosts: few.txt}").find("names 1 hosts"),
            std::string::npos);
}

TEST_F(Jobs, AreWrittenWithEveryDefault) {
  const auto made = with(
      "{jobs: [{program: pair.goal, start: 1us, hosts: random}], send_overhead: 5ns, reference: "
      "none}");
  ASSERT_TRUE(made) << to_string(made.error());
  const std::string text = resolved_text(made->spec);
  const auto again = prepared_from(text, {});
  ASSERT_TRUE(again) << text << to_string(again.error());
  EXPECT_EQ(again->spec, made->spec) << text;
  EXPECT_EQ(again->jobs->jobs()[0].hosts, made->jobs->jobs()[0].hosts);
}

TEST_F(Jobs, MayBeApplications) {
  const auto made = with("{program: {name: nas-cg, class: A, ranks: 16, iterations: 1}}");
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->jobs->jobs()[0].program.ranks(), 16U);
  const std::string text = resolved_text(made->spec);
  EXPECT_NE(text.find("program: {name: nas-cg, class: A, ranks: 16, iterations: 1, flops: "),
            std::string::npos)
      << text;
  const auto again = prepared_from(text, {});
  ASSERT_TRUE(again) << text << to_string(again.error());
  EXPECT_EQ(again->spec, made->spec) << text;
}

TEST_F(Jobs, OfApplicationsAreRefusedWithAllTheirMistakes) {
  EXPECT_NE(mistakes("{program: {name: nas-cgs}}").find("did you mean 'nas-cg'?"),
            std::string::npos);
  const std::string said = mistakes(
      "{jobs: [{program: {name: nas-cg, clas: A, ranks: 0}, format: goal}, {program: {ranks: "
      "4}}]}");
  EXPECT_NE(said.find("did you mean 'class'?"), std::string::npos) << said;
  EXPECT_NE(said.find("'ranks' must be between"), std::string::npos) << said;
  EXPECT_NE(said.find("'format' is of traces"), std::string::npos) << said;
  EXPECT_NE(said.find("name"), std::string::npos) << said;
  EXPECT_NE(mistakes("{program: {name: nas-bt, ranks: 15}}")
                .find("job: nas-bt: needs a square number of ranks"),
            std::string::npos)
      << mistakes("{program: {name: nas-bt, ranks: 15}}");
}

TEST_F(Jobs, AreRefusedWithTheirMistakes) {
  write("wrong.goal", "num_ranks 2\nrank 0 { send 8b to 1\n}\nrank 1 { }\n");
  EXPECT_NE(mistakes("{program: wrong.goal}").find("rank 1 never receives this message"),
            std::string::npos);
  EXPECT_NE(mistakes("{program: none.goal}").find("none.goal: No such file"), std::string::npos);
  EXPECT_NE(mistakes("{jobs: []}").find("needs a job or more"), std::string::npos);
  EXPECT_NE(mistakes("{program: pair.goal, format: gaol}").find("did you mean 'goal'?"),
            std::string::npos);
  EXPECT_NE(mistakes("{program: pair.goal, pattern: uniform}").find("pattern"), std::string::npos);
  EXPECT_NE(mistakes("{program: pair.goal, start: -1us}").find("must be between"),
            std::string::npos);
  EXPECT_NE(mistakes("{jobs: [{name: a, program: pair.goal}, {name: a, program: pair.goal}]}")
                .find("two jobs have the name 'a'"),
            std::string::npos);
  EXPECT_NE(mistakes("{program: pair.goal}", "schedule: {warm_up: 1ms}\n").find("has no effect"),
            std::string::npos);
  EXPECT_NE(mistakes("{program: pair.goal, control_size: 4KiB}").find("at most a packet"),
            std::string::npos);
}

TEST_F(Jobs, NeedEnoughHosts) {
  const std::string said = mistakes(
      "{jobs: [{program: eight.goal}, {program: eight.goal}, {program: eight.goal}, {program: "
      "eight.goal}, {program: pair.goal}]}");
  EXPECT_NE(said.find("job4: has 2 ranks, and 0 hosts are left"), std::string::npos) << said;
}

}  // namespace
}  // namespace ebb::config
