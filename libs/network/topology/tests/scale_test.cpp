// SPDX-License-Identifier: Apache-2.0
//
// The three networks of about 300,000 hosts must fit on a laptop: seconds, and well under a
// gigabyte.
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <malloc.h>
#include <string>

namespace ebb::topology {
namespace {

// A field of /proc/self/status in bytes. VmHWM is the highest resident size so far.
std::int64_t process_memory(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field + ":")) return 1'024 * std::stoll(line.substr(field.size() + 1));
  }
  return 0;
}

// Gives freed memory back, so that it is not used again unseen, and makes VmHWM start from the
// present size. Where that is not allowed the old peak remains and the growth is overstated.
void forget_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}

struct Network {
  std::string family;
  ParameterTexts parameters;
  std::int64_t hosts = 0;
};

void PrintTo(const Network& network, std::ostream* out) { *out << network.family; }

class Scale : public testing::TestWithParam<Network> {};

TEST_P(Scale, BuildsInSecondsAndUnderAGibibyte) {
  const Network& network = GetParam();
  forget_peak();
  const std::int64_t before = process_memory("VmRSS");
  const auto start = std::chrono::steady_clock::now();
  const auto graph = build(network.family, network.parameters, {gigabits_per_second(100)});
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const std::int64_t grown = process_memory("VmHWM") - before;
  ASSERT_TRUE(graph) << to_string(graph.error());
  fmt::print(
      "{}: {} hosts, {} switches, {} links: {:.3f} s, {:.1f} MB in the graph, peak {:.1f}"
      " MB\n",
      network.family, graph->host_count(), graph->switch_count(), graph->link_count(), time.count(),
      static_cast<double>(graph->memory_bytes()) / 1e6, static_cast<double>(grown) / 1e6);
  EXPECT_EQ(graph->host_count(), network.hosts);
  EXPECT_LE(degrees(*graph).most, 72U);
  EXPECT_LT(graph->memory_bytes(), 200'000'000U);
  EXPECT_GT(grown, 0);
  EXPECT_LT(grown, 1LL << 30);
  EXPECT_LT(time.count(), 10.0);
}

TEST_P(Scale, DistancesAreExact) {
  const Network& network = GetParam();
  const auto graph = build(network.family, network.parameters, {gigabits_per_second(100)});
  ASSERT_TRUE(graph);
  const auto d = distances(*graph);
  fmt::print("{}: mean {:.4f} switches, diameter {}, {} searches\n", network.family, d.mean(),
             d.diameter, d.sources);
  EXPECT_TRUE(d.exact);
  EXPECT_EQ(d.pairs, static_cast<std::uint64_t>(network.hosts * network.hosts));
  EXPECT_EQ(d.diameter, properties(network.family, network.parameters)->diameter);
}

INSTANTIATE_TEST_SUITE_P(
    Exascale, Scale,
    testing::Values(
        Network{"clos", {{"ports", "72"}, {"levels", "4"}, {"hosts", "303264"}}, 303'264},
        Network{
            "fbfly", {{"hosts", "15"}, {"dims", "15x15x15x6"}, {"parallel", "1x1x1x3"}}, 303'750},
        Network{"dragonfly", {{"p", "18"}, {"a", "36"}, {"h", "18"}, {"g", "463"}}, 300'024}),
    [](const auto& one) { return one.param.family; });

}  // namespace
}  // namespace ebb::topology
