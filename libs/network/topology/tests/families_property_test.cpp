// SPDX-License-Identifier: Apache-2.0
//
// What holds for every family and every shape: random valid shapes are built and compared with
// their closed forms. A new family is covered without a change here. Generators make only shapes
// that the family accepts, so that no run is wasted.

#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace ebb::topology {
namespace {

// Families declare only whole numbers and lists of them.
Range<std::int64_t> bounds(const Parameter& parameter) {
  if (const auto* list = std::get_if<WholeList>(&parameter.allowed))
    return {list->least, list->most};
  return std::get<Range<std::int64_t>>(parameter.allowed);
}

const RateTable kRateTable = {gigabits_per_second(10), gigabits_per_second(40)};

struct Shape {
  std::string family;
  ParameterTexts parameters;
};

void showValue(const Shape& shape, std::ostream& out) {
  out << shape.family;
  for (const auto& [name, value] : shape.parameters) out << ' ' << name << '=' << value;
}

int in(int least, int most) { return *rc::gen::inRange(least, most + 1); }
std::string text(int value) { return std::to_string(value); }

Shape grid(const std::string& family) {
  const int n = in(1, 4);
  std::vector<int> dims;
  std::vector<int> parallel;
  for (int d = 0; d < n; ++d) {
    dims.push_back(in(1, 6));
    parallel.push_back(in(1, 3));
  }
  return {family,
          {{"hosts", text(in(1, 4))},
           {"dims", fmt::format("{}", fmt::join(dims, "x"))},
           {"parallel", fmt::format("{}", fmt::join(parallel, "x"))}}};
}

Shape clos() {
  const int ports = 2 * in(1, 5);
  const int levels = in(2, 4);
  const int down = in(0, ports - 1);
  const int most = (down == 0 ? ports / 2 : down) * ports * (levels > 2 ? ports / 2 : 1) *
                   (levels > 3 ? ports / 2 : 1);
  Shape shape{"clos", {{"ports", text(ports)}, {"levels", text(levels)}, {"down", text(down)}}};
  // Host counts that leave a partial block out of reach are refused; the next larger one that can
  // be wired exists, because whole blocks always work.
  for (int hosts = in(1, most); hosts <= most; ++hosts) {
    shape.parameters.emplace_back("hosts", text(hosts));
    if (properties(shape.family, shape.parameters)) return shape;
    shape.parameters.pop_back();
  }
  RC_FAIL("the largest clos was refused");
}

Shape clos_chassis() {
  const int ports = 4 * in(1, 4);
  const int chassis = ports * ports / 8;
  return {"clos_chassis",
          {{"hosts", text(in(1, std::min(2 * chassis * chassis, 1'500)))},
           {"chip_ports", text(ports)}}};
}

Shape rail_clos() {
  const int ports = 2 * in(1, 5);
  for (;;) {
    Shape shape{"rail-clos",
                {{"ports", text(ports)},
                 {"pods", text(in(1, 4))},
                 {"servers", text(in(1, std::max(1, ports - 1)))},
                 {"gpus", text(in(1, 3))},
                 {"tors", text(in(1, 2))},
                 {"levels", text(in(2, 4))}}};
    if (properties(shape.family, shape.parameters)) return shape;
  }
}

Shape dragonfly() {
  const int a = in(1, 6);
  const int h = in(1, 5);
  return {"dragonfly",
          {{"p", text(in(1, 3))},
           {"a", text(a)},
           {"h", text(h)},
           {"g", text(in(2, a * h + 1))},
           {"fill", text(in(0, 1))}}};
}

Shape irregular() {
  const int switches = in(2, 40);
  return {"irregular",
          {{"switches", text(switches)},
           {"degree", text(in(switches == 2 ? 1 : 2, 12))},
           {"hosts", text(in(1, 3))},
           {"seed", text(in(0, 1'000'000))}}};
}

Shape dragonfly_plus() {
  const int spines = in(1, 4);
  const int h = in(1, 5);
  return {"dragonfly-plus",
          {{"p", text(in(1, 3))},
           {"leaves", text(in(1, 4))},
           {"spines", text(spines)},
           {"h", text(h)},
           {"g", text(in(2, spines * h + 1))},
           {"fill", text(in(0, 1))}}};
}

// Orders of every kind: primes and prime powers, with the remainders 0, 1 and 3 of a division by 4.
Shape diameter_two(const std::string& family) {
  const int q = *rc::gen::element(3, 4, 5, 7, 8, 9, 11, 13);
  return {family, {{"q", text(q)}, {"p", text(in(0, 3))}}};
}

Shape jellyfish() {
  const int switches = in(4, 40);
  const int degree = in(3, std::min(switches - 1, 12));
  return {"jellyfish",
          {{"switches", text(switches)},
           {"ports", text(degree + in(1, 3))},
           {"degree", text(degree)},
           {"seed", text(in(0, 1'000'000))}}};
}

// For a family that has no generator of its own above: small values from its parameter table, drawn
// again while the family refuses them.
Shape from_table(const Family& family) {
  for (int attempt = 0; attempt < 1'000; ++attempt) {
    Shape shape{family.name, {}};
    for (const Parameter& parameter : family.parameters) {
      const auto least = static_cast<int>(bounds(parameter).least);
      const auto most = static_cast<int>(std::min<std::int64_t>(bounds(parameter).most, least + 8));
      shape.parameters.emplace_back(parameter.name, text(in(least, most)));
    }
    if (properties(shape.family, shape.parameters)) return shape;
  }
  RC_FAIL("no small shape is accepted; give the family a generator here");
}

Shape shape_of(const std::string& family) {
  if (family == "clos") return clos();
  if (family == "clos_chassis") return clos_chassis();
  if (family == "rail-clos") return rail_clos();
  if (family == "dragonfly") return dragonfly();
  if (family == "dragonfly-plus") return dragonfly_plus();
  if (family == "slim-fly" || family == "polarfly") return diameter_two(family);
  if (family == "jellyfish") return jellyfish();
  if (family == "irregular") return irregular();
  if (family == "fbfly" || family == "torus" || family == "mesh") return grid(family);
  return from_table(**find_family(family));
}

bool has_closed_diameter(const Shape& shape, const Properties& known) {
  const bool is_random = shape.family == "irregular" || shape.family == "jellyfish";
  return !is_random || known.diameter > 0;
}

void counts_match(const Graph& graph, const Properties& known) {
  RC_ASSERT(known.hosts == graph.hosts_of_plane());
  RC_ASSERT(known.interfaces == graph.interfaces());
  RC_ASSERT(known.switches == graph.switch_count());
  RC_ASSERT(known.links == graph.link_count());
  RC_ASSERT(known.switch_ports == degrees(graph).most);
  RC_ASSERT(known.groups * known.access_switches_per_group * known.hosts_per_access_switch >=
            known.hosts);
}

void channels_are_consistent(const Graph& graph) {
  for (std::uint32_t c = 0; c < graph.channel_count(); ++c) {
    const ChannelId channel{c};
    RC_ASSERT(reverse(reverse(channel)) == channel);
    RC_ASSERT(graph.source(reverse(channel)) == graph.target(channel));
    RC_ASSERT(link_of(channel) == link_of(reverse(channel)));
  }
  std::vector<bool> seen(graph.channel_count(), false);
  for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
    for (const ChannelId channel : graph.outputs(NodeId{n})) {
      RC_ASSERT(graph.source(channel) == NodeId{n});
      RC_ASSERT(!seen[index(channel)]);
      seen[index(channel)] = true;
    }
  }
  RC_ASSERT(std::all_of(seen.begin(), seen.end(), [](bool one) { return one; }));
}

void hosts_hang_on_one_switch(const Graph& graph) {
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const auto ports = graph.outputs(graph.host_node(h));
    RC_ASSERT(ports.size() == 1U);
    RC_ASSERT(!graph.is_host(graph.target(ports.front())));
  }
}

// The same links without the family's name: distances are then measured from every switch.
Graph anonymous(const Graph& graph) {
  GraphBuilder builder(graph.switch_count(), graph.host_count(), {kRateTable});
  for (const Link& link : graph.links()) builder.connect(link);
  return std::move(builder).build({"imported", {}});
}

void distances_match(const Shape& shape, const Graph& graph, const Properties& known) {
  const auto quick = distances(graph);
  const auto full = distances(anonymous(graph));
  RC_ASSERT(quick.switch_sum == full.switch_sum);
  RC_ASSERT(quick.pairs == full.pairs);
  RC_ASSERT(quick.selves == full.selves);
  RC_ASSERT(quick.diameter == full.diameter);
  if (has_closed_diameter(shape, known)) RC_ASSERT(known.diameter == full.diameter);
}

class Families : public testing::TestWithParam<std::string> {};

void graph_is_what_the_closed_forms_say(const Shape& shape) {
  RC_LOG() << rc::toString(shape);
  const auto known = properties(shape.family, shape.parameters);
  const auto graph = build(shape.family, shape.parameters, kRateTable);
  RC_ASSERT(known.has_value());
  RC_ASSERT(graph.has_value());
  counts_match(*graph, *known);
  channels_are_consistent(*graph);
  hosts_hang_on_one_switch(*graph);
  RC_ASSERT(check(*graph).empty());
  distances_match(shape, *graph, *known);
  RC_ASSERT((*build(shape.family, shape.parameters, kRateTable) == *graph));
}

TEST_P(Families, GraphsAreWhatTheClosedFormsSay) {
  constexpr int kShapesPerRun = 5;  // RapidCheck makes 100 runs
  EXPECT_TRUE(rc::check(GetParam(), [] {
    for (int i = 0; i < kShapesPerRun; ++i)
      graph_is_what_the_closed_forms_say(shape_of(GetParam()));
  }));
}

// Text that a user or a fuzzer might send: any number in the declared range of each parameter,
// the extremes often. Parameters may be refused, and must not overflow (the sanitizers watch).
TEST_P(Families, AbsurdParametersNeverOverflow) {
  const Family& family = *find_family(GetParam()).value();
  EXPECT_TRUE(rc::check(GetParam(), [&family] {
    ParameterTexts parameters;
    for (const Parameter& parameter : family.parameters) {
      const int entries = std::holds_alternative<WholeList>(parameter.allowed) ? in(1, 16) : 1;
      std::vector<std::int64_t> numbers;
      for (int i = 0; i < entries; ++i) {
        numbers.push_back(
            *rc::gen::oneOf(rc::gen::element(bounds(parameter).least, bounds(parameter).most,
                                             bounds(parameter).most / 2),
                            rc::gen::inRange(bounds(parameter).least, bounds(parameter).most)));
        numbers.back() = std::max(numbers.back(), bounds(parameter).least);
      }
      parameters.emplace_back(parameter.name, fmt::format("{}", fmt::join(numbers, "x")));
    }
    const auto known = properties(family.name, parameters);
    if (!known) RC_ASSERT(!known.error().empty());
  }));
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const Family& family : families()) names.push_back(family.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, Families, testing::ValuesIn(family_names()), [](const auto& one) {
  std::string name = one.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

bool proposes(const std::string& family, const Demand& demand, const ParameterTexts& shape) {
  const auto found = find_family(family).value()->designs(demand);
  return std::find(found.begin(), found.end(), shape) != found.end();
}

TEST(Designs, FindTheNetworksOfThePapers) {
  const Demand isca{.hosts = 32'768, .ports = 36};
  EXPECT_TRUE(proposes("fbfly", isca, {{"hosts", "8"}, {"dims", "8x8x8x8"}, {"parallel", "1"}}));
  EXPECT_TRUE(proposes("clos_chassis", isca, {{"hosts", "32768"}, {"chip_ports", "36"}}));
  const Demand exascale{.hosts = 300'000, .ports = 72};
  EXPECT_TRUE(proposes("fbfly", exascale,
                       {{"hosts", "15"}, {"dims", "15x15x15x6"}, {"parallel", "1x1x1x3"}}));
  EXPECT_TRUE(
      proposes("dragonfly", exascale, {{"p", "18"}, {"a", "36"}, {"h", "18"}, {"g", "463"}}));
  const Demand slim{.hosts = 10'830, .ports = 44, .oversubscription = Ratio(11, 10)};
  EXPECT_TRUE(proposes("slim-fly", slim, {{"q", "19"}, {"p", "15"}}));
  const Demand polar{.hosts = 15'888, .ports = 48};
  EXPECT_TRUE(proposes("polarfly", polar, {{"q", "31"}, {"p", "16"}}));
  const Demand plus{.hosts = 105'300, .ports = 36};
  EXPECT_TRUE(
      proposes("dragonfly-plus", plus,
               {{"p", "18"}, {"leaves", "18"}, {"spines", "18"}, {"h", "18"}, {"g", "325"}}));
}

// Whatever a family proposes for a demand is a shape that it builds and that meets the demand.
RC_GTEST_PROP(Designs, MeetTheDemand, ()) {
  const Demand demand{.hosts = *rc::gen::inRange<std::int64_t>(2, 20'000),
                      .ports = *rc::gen::inRange<std::int64_t>(4, 65),
                      .oversubscription = Ratio(*rc::gen::inRange(1, 5), 1)};
  for (const Family& family : families()) {
    if (family.designs == nullptr) continue;
    for (const ParameterTexts& design : family.designs(demand)) {
      const auto known = properties(family.name, design);
      if (family.name == "clos_chassis" && !known) continue;  // takes the demand as it is
      RC_ASSERT(known.has_value());
      RC_ASSERT(known->hosts >= demand.hosts);
      RC_ASSERT(known->switch_ports <= demand.ports);
      RC_ASSERT(known->oversubscription <= demand.oversubscription.to_double());
    }
  }
}

}  // namespace
}  // namespace ebb::topology
