// SPDX-License-Identifier: Apache-2.0
#include "ebb/routing/worst_case.hpp"

#include "networks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numeric>

namespace ebb::routing {
namespace {

WorstCase worst_of(const Case& one) {
  const auto cases = worst_cases(one.family, one.parameters);
  if (!cases) ADD_FAILURE() << text_of(one) << ": " << to_string(cases.error());
  const auto found = std::find_if(cases->begin(), cases->end(), [&](const WorstCase& worst) {
    return worst.routing == one.scheme;
  });
  if (found == cases->end()) ADD_FAILURE() << text_of(one) << ": no worst case";
  return found == cases->end() ? WorstCase{} : *found;
}

void expect(const Case& one, const std::string& permutation, Ratio capacity) {
  const WorstCase worst = worst_of(one);
  EXPECT_EQ(worst.permutation, permutation) << text_of(one);
  EXPECT_NEAR(worst.capacity, capacity.to_double(), 1e-9) << text_of(one);
}

TEST(WorstCase, OfAFlattenedButterfly) {
  // Eight hosts of a switch share the one link to the next switch.
  const Case line{"minimal-adaptive", "fbfly", {{"hosts", "8"}, {"dims", "8"}}};
  expect(line, "shift by=8", Ratio(1, 8));
  // By one of six others, in and out over six links each: 2 x 8 / 6.
  expect({"valiant", line.family, line.parameters}, "shift by=8", Ratio(3, 8));
  // A quarter directly: 2 on that link, and 2 x 6 / 6 on the others.
  expect({"ugal", line.family, line.parameters}, "shift by=8", Ratio(1, 2));
  // Dimension 2 has the fewest links, and with 4 of 2 x 8 the smallest k m as well.
  const ParameterTexts uneven = {{"hosts", "6"}, {"dims", "8x4"}, {"parallel", "2x1"}};
  expect({"minimal-adaptive", "fbfly", uneven}, "shift by=48", Ratio(1, 6));
  expect({"ugal", "fbfly", uneven}, "shift by=48", Ratio(4, 12));
  // Published: the worst case of minimal routing on a k-ary 2-flat is 1/k.
  expect({"minimal-adaptive", "fbfly", {{"hosts", "32"}, {"dims", "32"}}}, "shift by=32",
         Ratio(1, 32));
}

TEST(WorstCase, OfDimensionOrder) {
  // Over one link of the middle dimension all k sources of a line to all k of another: 3 x 2 hosts.
  expect({"dimension-order", "fbfly", {{"hosts", "2"}, {"dims", "3x3x3"}}}, "one-link",
         Ratio(1, 6));
  expect({"dimension-order", "fbfly", {{"hosts", "2"}, {"dims", "3x3"}}}, "shift by=2",
         Ratio(1, 2));
  expect({"dimension-order", "torus", {{"hosts", "1"}, {"dims", "8"}}}, "tornado", Ratio(1, 3));
  expect({"dimension-order", "torus", {{"hosts", "1"}, {"dims", "5x5"}}}, "tornado", Ratio(1, 2));
  // Three switches of a row to the fourth, over two links.
  expect({"dimension-order", "torus", {{"hosts", "1"}, {"dims", "4x4"}}}, "one-link", Ratio(2, 3));
  expect({"dimension-order", "mesh", {{"hosts", "2"}, {"dims", "8"}}}, "bit-complement",
         Ratio(1, 8));
  // Row 3 of a 4 x 4 mesh: three of its four go to column 3.
  expect({"dimension-order", "mesh", {{"hosts", "1"}, {"dims", "4x4"}}}, "transpose", Ratio(1, 3));
}

TEST(WorstCase, OfADragonfly) {
  const Case groups{"minimal", "dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}};
  expect(groups, "shift by=8", Ratio(1, 8));
  // A local link of the group between: 2 ports x 8 hosts, 2 x 2 hosts of its own group and 2 x 2 of
  // the last, each by one of 7 groups: 24 / 7.
  expect({"valiant", groups.family, groups.parameters}, "shift by=16", Ratio(7, 24));
  expect({"ugal", groups.family, groups.parameters}, "shift by=16", Ratio(10, 24));
  // Five groups: two links between any two, on two of four switches. 8 hosts share them, and 2 x 2
  // can be made to share one.
  const ParameterTexts twice = {{"p", "2"}, {"a", "4"}, {"h", "2"}, {"g", "5"}};
  expect({"minimal", "dragonfly", twice}, "shift by=8", Ratio(1, 4));
  // Four links between any two groups of six switches: 6 x 2 / 4 = 3 over each, but 2 x 2 hosts can
  // be made to share one.
  expect({"minimal", "dragonfly", {{"p", "2"}, {"a", "6"}, {"h", "2"}, {"g", "4"}}}, "one-link",
         Ratio(1, 4));
  // Every switch has a link to the other group; 2 hosts share a local link.
  expect({"minimal", "dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}, {"g", "2"}}}, "shift by=2",
         Ratio(1, 2));
}

// 2,000 ports of a group to one other: a link to look at for each of them, from each of 1,000
// switches.
TEST(WorstCase, OfAVeryLargeDragonflyIsLeftToMinimalRouting) {
  const auto cases = worst_cases("dragonfly", {{"p", "1"}, {"a", "1000"}, {"h", "4"}, {"g", "3"}});
  ASSERT_TRUE(cases);
  EXPECT_NE(best_of(*cases, Paths::minimal), nullptr);
  EXPECT_EQ(best_of(*cases, Paths::non_minimal), nullptr);
}

TEST(WorstCase, OfFoldedCloses) {
  const auto clos = [](const char* levels, const char* hosts, const char* down) {
    return Case{
        "up-down", "clos", {{"ports", "8"}, {"levels", levels}, {"hosts", hosts}, {"down", down}}};
  };
  expect(clos("2", "32", "0"), "shift by=4", Ratio(1, 1));
  expect(clos("2", "48", "6"), "shift by=6", Ratio(1, 3));
  // Six leaves of four uplinks on three spines: each leaf has a second link to one spine, the next
  // leaf to the next spine. Of the four links of a leaf three lead on to the next.
  expect(clos("2", "24", "0"), "shift by=4", Ratio(3, 4));
  // Three pods of 16 uplinks on six spines: three links to four of them, two to the others, the
  // next pod four spines on. 2 + 2 + 2 + 2 + 3 + 3.
  expect(clos("3", "48", "0"), "shift by=16", Ratio(14, 16));
  expect(clos("2", "4", "0"), "any", Ratio(1, 1));
  // Six chassis of 8 uplinks on three: 3, 3, 2 and 3, 2, 3. Three chips share two links.
  expect({"up-down", "clos_chassis", {{"hosts", "48"}, {"chip_ports", "8"}}}, "shift by=8",
         Ratio(2, 3));
  expect({"up-down", "clos_chassis", {{"hosts", "64"}, {"chip_ports", "8"}}}, "shift by=8",
         Ratio(1, 1));
}

TEST(WorstCase, OfSmallFamilies) {
  expect({"shortest-path", "complete", {{"switches", "5"}, {"hosts", "4"}}}, "shift by=4",
         Ratio(1, 4));
  expect({"shortest-path", "tree", {{"switches", "5"}, {"hosts", "4"}, {"parallel", "2"}}},
         "shift by=4", Ratio(1, 2));
  expect({"shortest-path", "complete", {{"switches", "1"}, {"hosts", "4"}}}, "any", Ratio(1, 1));
  const auto irregular =
      worst_cases("irregular", {{"switches", "9"}, {"degree", "3"}, {"hosts", "1"}});
  ASSERT_TRUE(irregular);
  EXPECT_TRUE(irregular->empty());
  EXPECT_EQ(best_of(*irregular, Paths::minimal), nullptr);
  EXPECT_FALSE(worst_cases("clos", {{"ports", "7"}, {"hosts", "24"}}));
  EXPECT_FALSE(worst_cases("colos", {}));
}

// Towles and Dally: the load of a channel under a permutation is a sum over its pairs of source and
// destination, so the worst permutation for a channel is a matching of greatest weight. Switches
// stand for their hosts: all have the same number.
class Loads {
 public:
  Loads(const Graph& graph, const Routing& routing)
      : graph_(graph), routing_(routing), hosts_(graph.host_count() / switches()) {
    const std::size_t pairs = std::size_t{switches()} * switches();
    shares_.assign(graph.channel_count(), std::vector<double>(pairs, 0));
    for (std::uint32_t s = 0; s < switches(); ++s) {
      for (std::uint32_t d = 0; d < switches(); ++d) {
        if (s != d) start(s, d);
      }
    }
  }

  // Of all permutations, on the busiest channel.
  [[nodiscard]] double worst() const {
    double most = 0;
    for (const auto& shares : shares_) most = std::max(most, heaviest_matching(shares));
    return most * hosts_;
  }
  // When every host sends `by` hosts on, a multiple of the hosts of a switch.
  [[nodiscard]] double of_shift(std::uint32_t by) const {
    double most = 0;
    for (const auto& shares : shares_) {
      double sum = 0;
      for (std::uint32_t s = 0; s < switches(); ++s)
        sum += shares[s * switches() + (s + by / hosts_) % switches()];
      most = std::max(most, sum);
    }
    return most * hosts_;
  }

 private:
  [[nodiscard]] std::uint32_t switches() const { return graph_.switch_count(); }

  void start(std::uint32_t s, std::uint32_t d) {
    const NodeId from = graph_.host_node(s * hosts_);
    const NodeId to = graph_.host_node(d * hosts_);
    const auto starts = routing_.all_starts(from, to);
    for (const RouteState& state : starts)
      follow(switch_of(graph_, from), to, state, 1.0 / static_cast<double>(starts.size()),
             s * switches() + d);
  }

  // Spread evenly over the candidates of each step.
  void follow(NodeId at, NodeId to, RouteState state, double weight, std::size_t pair) {
    Candidates outputs;
    routing_.candidates(at, to, state, outputs);
    for (const Candidate& output : outputs) {
      const NodeId next = graph_.target(output.channel);
      if (graph_.is_host(next)) continue;
      const double part = weight / static_cast<double>(outputs.size());
      shares_[index(output.channel)][pair] += part;
      follow(next, to, routing_.advance(at, output, state), part, pair);
    }
  }

  // The Hungarian method, on costs 1 - weight; rows and columns from 1.
  [[nodiscard]] double heaviest_matching(const std::vector<double>& weights) const {
    const std::size_t n = switches();
    std::vector<double> u(n + 1, 0);
    std::vector<double> v(n + 1, 0);
    std::vector<std::size_t> row_of(n + 1, 0);
    for (std::size_t row = 1; row <= n; ++row) {
      std::vector<double> least(n + 1, std::numeric_limits<double>::max());
      std::vector<std::size_t> before(n + 1, 0);
      std::vector<bool> used(n + 1, false);
      std::size_t column = 0;
      row_of[0] = row;
      do {
        used[column] = true;
        double delta = std::numeric_limits<double>::max();
        std::size_t next = 0;
        for (std::size_t j = 1; j <= n; ++j) {
          if (used[j]) continue;
          const std::size_t i = row_of[column];
          const double cost = 1 - weights[(i - 1) * n + j - 1] - u[i] - v[j];
          if (cost < least[j]) {
            least[j] = cost;
            before[j] = column;
          }
          if (least[j] < delta) {
            delta = least[j];
            next = j;
          }
        }
        for (std::size_t j = 0; j <= n; ++j) {
          if (used[j]) {
            u[row_of[j]] += delta;
            v[j] -= delta;
          } else {
            least[j] -= delta;
          }
        }
        column = next;
      } while (row_of[column] != 0);
      for (; column != 0; column = before[column]) row_of[column] = row_of[before[column]];
    }
    double sum = 0;
    for (std::size_t j = 1; j <= n; ++j) sum += weights[(row_of[j] - 1) * n + j - 1];
    return sum;
  }

  const Graph& graph_;
  const Routing& routing_;
  std::uint32_t hosts_;
  std::vector<std::vector<double>> shares_;  // by channel, then by pair of switches
};

class EveryPermutation : public testing::TestWithParam<Case> {};

TEST_P(EveryPermutation, CarriesTheDerivedShareAtLeast) {
  const Case& one = GetParam();
  const Graph graph = build(one);
  const auto routing = route(one, graph);
  const Loads loads(graph, *routing);
  const WorstCase worst = worst_of(one);
  EXPECT_NEAR(worst.capacity, std::min(1.0, 1 / loads.worst()), 1e-9);
  constexpr std::string_view kShift = "shift by=";
  if (!worst.permutation.starts_with(kShift)) return;
  std::uint32_t by = 0;
  const char* const end = worst.permutation.data() + worst.permutation.size();
  std::from_chars(worst.permutation.data() + kShift.size(), end, by);
  EXPECT_NEAR(worst.capacity, std::min(1.0, 1 / loads.of_shift(by)), 1e-9);
}

// Where several links join two groups, or some groups are joined by more than others, Valiant has
// worse permutations than shifts by whole groups; of those the derived one is the worst.
TEST(WorstCase, OfValiantOnADragonflyIsThatOfTheWorstShift) {
  for (const auto& [p, a, h, g] : std::vector<std::array<const char*, 4>>{{"2", "4", "2", "5"},
                                                                          {"2", "6", "2", "4"},
                                                                          {"3", "6", "3", "10"},
                                                                          {"2", "4", "2", "7"}}) {
    const Case one{"valiant", "dragonfly", {{"p", p}, {"a", a}, {"h", h}, {"g", g}}};
    const Graph graph = build(one);
    const auto routing = route(one, graph);
    const Loads loads(graph, *routing);
    const auto known = topology::properties(one.family, one.parameters);
    const auto group = static_cast<std::uint32_t>(known->hosts / known->groups);
    double worst = 0;
    for (std::uint32_t on = 1; on < known->groups; ++on)
      worst = std::max(worst, loads.of_shift(on * group));
    EXPECT_NEAR(worst_of(one).capacity, std::min(1.0, 1 / worst), 1e-9) << text_of(one);
  }
}

// Routings that do not look at queues.
std::vector<Case> oblivious() {
  std::vector<Case> cases;
  for (const char* dims : {"8", "2", "3x4", "2x4", "3x3x3", "2x3x4", "4x2x3"}) {
    for (const char* scheme : {"dimension-order", "valiant"})
      cases.push_back({scheme, "fbfly", {{"hosts", "4"}, {"dims", dims}}});
    for (const char* family : {"torus", "mesh"})
      cases.push_back({"dimension-order", family, {{"hosts", "3"}, {"dims", dims}}});
  }
  for (const char* dims : {"7", "6", "5x5", "4x4", "6x3", "3x6", "3x3x4", "4x4x2"}) {
    for (const char* family : {"torus", "mesh"})
      cases.push_back({"dimension-order", family, {{"hosts", "1"}, {"dims", dims}}});
  }
  cases.push_back(
      {"dimension-order", "fbfly", {{"hosts", "9"}, {"dims", "4x3"}, {"parallel", "2x3"}}});
  cases.push_back({"valiant", "fbfly", {{"hosts", "9"}, {"dims", "4x3"}, {"parallel", "2x3"}}});
  for (const char* scheme : {"minimal", "valiant"}) {
    cases.push_back({scheme, "dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}});
    cases.push_back({scheme, "dragonfly", {{"p", "3"}, {"a", "3"}, {"h", "1"}}});
    cases.push_back({scheme, "dragonfly", {{"p", "1"}, {"a", "3"}, {"h", "3"}}});
  }
  cases.push_back({"shortest-path", "complete", {{"switches", "6"}, {"hosts", "4"}}});
  cases.push_back(
      {"shortest-path", "tree", {{"switches", "6"}, {"hosts", "4"}, {"parallel", "3"}}});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Oblivious, EveryPermutation, testing::ValuesIn(oblivious()),
                         [](const auto& one) {
                           std::string name = text_of(one.param);
                           std::replace_if(
                               name.begin(), name.end(),
                               [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace ebb::routing
