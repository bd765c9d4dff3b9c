// SPDX-License-Identifier: Apache-2.0
//
// How many links may sleep at the same time, for every family at three sizes: taken one by one, as
// the controller chooses them, the most that the same tables allow (exact search), and what a tree
// would leave over. Then how many while the tables survive any one further failure, and what a
// network would leave over in which every switch with hosts has two links. Prints a table.
#include "ebb/forwarding/exact_sleepable.hpp"
#include "ebb/forwarding/reachability.hpp"
#include "ebb/forwarding/table.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/recognition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
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
  for (const auto& [ports, hosts] : {std::pair("4", "16"), std::pair("8", "128")})
    all.push_back({"clos", {{"ports", ports}, {"levels", "3"}, {"hosts", hosts}}});
  for (const char* groups : {"3", "4", "5"}) {
    const int others = std::atoi(groups) - 1;
    all.push_back(
        {"dragonfly", {{"p", "1"}, {"a", std::to_string(others)}, {"h", "1"}, {"g", groups}}});
  }
  all.push_back({"dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}});
  for (const char* switches : {"6", "8", "10"})
    all.push_back({"irregular", {{"switches", switches}, {"degree", "3"}, {"hosts", "1"}}});
  return all;
}

std::string text_of(const Network& network) {
  std::string text = network.family;
  for (const auto& [key, value] : network.parameters) text += fmt::format(" {}={}", key, value);
  return text;
}

bool survives_any_failure(const topology::Graph& graph,
                          const forwarding::ReachabilityIndex& reachability) {
  for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
    const topology::LinkId failed{link};
    if (graph.connects_switches(failed) && !reachability.all_reachable_without(failed))
      return false;
  }
  return true;
}

// One by one; nothing: the tables do not survive every failure with all links awake either.
std::optional<std::size_t> surviving(const forwarding::TableWalker& walker,
                                     const std::vector<topology::LinkId>& order) {
  forwarding::ReachabilityIndex reachability(walker);
  if (!survives_any_failure(walker.graph(), reachability)) return std::nullopt;
  std::size_t asleep = 0;
  for (const topology::LinkId link : order) {
    reachability.set(link, true);
    if (survives_any_failure(walker.graph(), reachability)) {
      ++asleep;
    } else {
      reachability.set(link, false);
    }
  }
  return asleep;
}

// Two links for every switch with hosts, of which some may have one in common.
std::size_t least_surviving(const topology::Graph& graph, const forwarding::AddressPlan& plan) {
  const auto access = plan.access_switches();
  const auto has_hosts = [&](topology::NodeId node) {
    return std::binary_search(access.begin(), access.end(), index(node));
  };
  for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
    const topology::ChannelId channel = topology::forward(topology::LinkId{link});
    if (graph.connects_switches(channel) && has_hosts(graph.source(channel)) &&
        has_hosts(graph.target(channel)))
      return access.size();
  }
  return 2 * access.size();
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
  const auto surviving_sleep = surviving(walker, order);
  const std::size_t least = std::min(order.size(), least_surviving(graph, plan));
  fmt::print("| {} | {} | {} | {} | {} | {}{} | {} | {} | {} |\n", text_of(network),
             graph.switch_count(), order.size(), first.count,
             std::count(present.begin(), present.end(), true), best.is_exact ? "" : "at least ",
             best.count, order.size() - topology::fewest_links_that_join_hosts(graph),
             surviving_sleep ? std::to_string(*surviving_sleep) : "not awake either",
             order.size() - least);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t most_looks = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : kMostLooks;
  fmt::print(
      "| network | switches | links | one by one | may sleep | most by these tables | in theory | "
      "surviving a failure | in theory |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (const Network& network : networks()) {
    print_row(network,
              *topology::build(network.family, network.parameters,
                               topology::RateTable{gigabits_per_second(1)}),
              most_looks);
  }
}
