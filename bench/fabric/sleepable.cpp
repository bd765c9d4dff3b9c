// SPDX-License-Identifier: Apache-2.0
//
// How many links may sleep at the same time, for every family at three sizes: taken one by one, as
// the controller chooses them, the most that the same tables allow (exact search), and what a tree
// would leave over. Prints a table.
#include "ebb/forwarding/exact_sleepable.hpp"
#include "ebb/forwarding/table.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/recognition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace ebb;

constexpr std::uint64_t kMostLooks = 3'000'000;  // unless an argument says fewer

struct Network {
  std::string family;
  ParameterTexts parameters;
};

std::vector<Network> networks() {
  std::vector<Network> all;
  const auto grid = [&](const std::string& family, std::vector<std::string> sizes) {
    for (const std::string& dims : sizes) all.push_back({family, {{"hosts", "1"}, {"dims", dims}}});
  };
  grid("fbfly", {"2x2", "3x3", "4x4"});
  grid("torus", {"3x3", "4x3", "4x4"});
  grid("mesh", {"3x3", "4x3", "4x4"});
  for (const char* switches : {"3", "5", "7"})
    all.push_back({"complete", {{"switches", switches}, {"hosts", "1"}}});
  all.push_back({"clos", {{"ports", "4"}, {"levels", "2"}, {"hosts", "4"}}});
  all.push_back({"clos", {{"ports", "6"}, {"levels", "2"}, {"hosts", "12"}}});
  all.push_back({"clos", {{"ports", "4"}, {"levels", "3"}, {"hosts", "16"}}});
  for (const char* groups : {"3", "4", "5"}) {
    const int others = std::atoi(groups) - 1;
    all.push_back(
        {"dragonfly", {{"p", "1"}, {"a", std::to_string(others)}, {"h", "1"}, {"g", groups}}});
  }
  for (const char* switches : {"6", "8", "10"})
    all.push_back({"irregular", {{"switches", switches}, {"degree", "3"}, {"hosts", "1"}}});
  return all;
}

std::string text_of(const Network& network) {
  std::string text = network.family;
  for (const auto& [key, value] : network.parameters) text += fmt::format(" {}={}", key, value);
  return text;
}

void print_row(const Network& network, const topology::Graph& graph, std::uint64_t most_looks) {
  const auto plan = *forwarding::AddressPlan::make(graph);
  const auto made = forwarding::fabric_tables(graph, plan);
  if (!made) {
    fmt::print("| {} | no tables: {} |\n", text_of(network), made.error().front().message);
    return;
  }
  const std::vector<forwarding::Table>& tables = *made;
  const auto present = forwarding::sleepable_links(graph, plan, tables).may_sleep;
  const forwarding::TableWalker walker(graph, plan, tables);
  const auto order = forwarding::sleep_order(graph, tables);
  // The first set that the search comes to takes each link that it can.
  const auto first = forwarding::exact_sleepable(walker, order, order.size());
  const auto best = forwarding::exact_sleepable(walker, order, most_looks);
  fmt::print("| {} | {} | {} | {} | {} | {}{} | {} |\n", text_of(network), graph.switch_count(),
             order.size(), first.count, std::count(present.begin(), present.end(), true),
             best.is_exact ? "" : "at least ", best.count,
             order.size() - topology::fewest_links_that_join_hosts(graph));
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t most_looks = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : kMostLooks;
  fmt::print(
      "| network | switches | links | one by one | may sleep | most by these tables | in theory |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const Network& network : networks()) {
    print_row(network,
              *topology::build(network.family, network.parameters,
                               topology::RateTable{gigabits_per_second(1)}),
              most_looks);
  }
}
