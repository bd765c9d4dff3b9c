// SPDX-License-Identifier: Apache-2.0
//
// Networks of about 300,000 hosts must fit on a laptop: seconds, and well under a gigabyte. So do
// two of them in several planes, whose links are as many times more.
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <malloc.h>
#include <string>
#include <vector>

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
  std::uint32_t most_ports = 72;
};

void PrintTo(const Network& network, std::ostream* out) { *out << network.family; }

class Scale : public testing::TestWithParam<Network> {};
class ScaleOfAPlane : public Scale {};

// Of this process: other processes may have the processors meanwhile.
std::chrono::duration<double> processor_time() {
  return std::chrono::duration<double>(static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
}

TEST_P(Scale, BuildsInSecondsAndUnderAGibibyte) {
  const Network& network = GetParam();
  forget_peak();
  const std::int64_t before = process_memory("VmRSS");
  const auto start = processor_time();
  const auto graph = build(network.family, network.parameters, {gigabits_per_second(100)});
  const auto time = processor_time() - start;
  const std::int64_t grown = process_memory("VmHWM") - before;
  ASSERT_TRUE(graph) << to_string(graph.error());
  fmt::print(
      "{}: {} hosts, {} switches, {} links: {:.3f} s, {:.1f} MB in the graph, peak {:.1f}"
      " MB\n",
      network.family, graph->hosts_of_plane(), graph->switch_count(), graph->link_count(),
      time.count(), static_cast<double>(graph->memory_bytes()) / 1e6,
      static_cast<double>(grown) / 1e6);
  EXPECT_EQ(graph->hosts_of_plane(), network.hosts);
  EXPECT_LE(degrees(*graph).most, network.most_ports);
  EXPECT_LT(graph->memory_bytes(), 200'000'000U);
  EXPECT_GT(grown, 0);
  EXPECT_LT(grown, 1LL << 30);
  EXPECT_LT(time.count(), 10.0);
}

TEST_P(ScaleOfAPlane, DistancesAreExact) {
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

// Two levels hold 131,072 hosts on 512 ports, so 300,000 need three; and a HyperX of two
// dimensions.
const ParameterTexts kPlanesOfClos = {
    {"ports", "512"}, {"levels", "3"}, {"hosts", "300032"}, {"planes", "8"}};
const ParameterTexts kPlanesOfGrid = {{"hosts", "30"}, {"dims", "100x100"}, {"planes", "4"}};

const std::vector<Network> kOfAPlane = {
    {"clos", {{"ports", "72"}, {"levels", "4"}, {"hosts", "303264"}}, 303'264},
    {"fbfly", {{"hosts", "15"}, {"dims", "15x15x15x6"}, {"parallel", "1x1x1x3"}}, 303'750},
    {"dragonfly", {{"p", "18"}, {"a", "36"}, {"h", "18"}, {"g", "463"}}, 300'024}};
const std::vector<Network> kOfPlanes = {{"clos", kPlanesOfClos, 300'032, 512},
                                        {"fbfly", kPlanesOfGrid, 300'000, 228}};

std::string name_of(const testing::TestParamInfo<Network>& one) { return one.param.family; }

INSTANTIATE_TEST_SUITE_P(Exascale, Scale, testing::ValuesIn(kOfAPlane), name_of);
INSTANTIATE_TEST_SUITE_P(ExascalePlanes, Scale, testing::ValuesIn(kOfPlanes), name_of);
INSTANTIATE_TEST_SUITE_P(Exascale, ScaleOfAPlane, testing::ValuesIn(kOfAPlane), name_of);

}  // namespace
}  // namespace ebb::topology
