// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/link_regulation.hpp"

#include "ebb/policy/regulate.hpp"

#include <algorithm>

namespace ebb::controller {
namespace {

using forwarding::Lag;
using topology::Graph;
using topology::LinkId;

// Channel 2b of lag b leads from its first switch to its second.
policy::RegulatedFlow flow_of(const forwarding::VlanNetwork& network, std::uint32_t from,
                              std::uint32_t to, DataSize amount) {
  policy::RegulatedFlow flow{amount, {}};
  const auto tree =
      std::find_if(network.trees.begin(), network.trees.end(),
                   [&](const forwarding::SourceTree& one) { return one.root == from; });
  std::uint32_t here = from;
  for (const std::uint32_t lag : tree->path(network.lags, to)) {
    flow.channels.push_back(2 * lag + (network.lags[lag].a == here ? 0 : 1));
    here = network.lags[lag].other(here);
  }
  return flow;
}

std::vector<int> links_of(const forwarding::VlanNetwork& network) {
  std::vector<int> links;
  for (const Lag& lag : network.lags.all()) links.push_back(static_cast<int>(lag.links.size()));
  return links;
}

// What the busiest link carries while all are open; not nothing, also without traffic.
DataSize present_peak(const std::vector<int>& links, const std::vector<DataSize>& amounts) {
  std::int64_t most = 1;
  for (std::size_t b = 0; b < links.size(); ++b) {
    const std::int64_t busier = std::max(amounts[2 * b], amounts[2 * b + 1]).count();
    most = std::max(most, (busier + links[b] - 1) / links[b]);
  }
  return DataSize::from_count(most);
}

// Shares of the full rate, and none when links may not be slowed.
Result<std::vector<Ratio>> slower_rates(const Graph& graph, const forwarding::VlanNetwork& network,
                                        bool slow) {
  std::vector<Ratio> slower;
  if (!slow || network.lags.all().empty()) return slower;
  const auto rate_table = graph.rate_table(graph.link(network.lags[0].links[0]));
  for (const Lag& lag : network.lags.all()) {
    for (const LinkId link : lag.links) {
      const auto other = graph.rate_table(graph.link(link));
      if (!std::equal(rate_table.begin(), rate_table.end(), other.begin(), other.end()))
        return fail("links between switches have different rates; they cannot be slowed together");
    }
  }
  for (const DataRate rate : rate_table)
    if (rate != rate_table.back()) slower.emplace_back(rate.count(), rate_table.back().count());
  return slower;
}

policy::RateLevel top_of(const Graph& graph, LinkId link) {
  return policy::RateLevel{
      static_cast<std::uint8_t>(graph.rate_table(graph.link(link)).size() - 1)};
}

policy::RateLevel step_for(const Graph& graph, LinkId link, const Ratio& share) {
  const auto rate_table = graph.rate_table(graph.link(link));
  std::uint8_t step = 0;
  while (Ratio(rate_table[step].count(), rate_table.back().count()) < share) ++step;
  return policy::RateLevel{step};
}

}  // namespace

LinkRegulation all_open(const Graph& graph, const forwarding::VlanNetwork& network) {
  LinkRegulation result;
  result.open.assign(graph.link_count(), true);
  for (std::uint32_t link = 0; link < graph.link_count(); ++link)
    result.step.push_back(top_of(graph, LinkId{link}));
  for (const Lag& lag : network.lags.all())
    result.lags.push_back({{}, static_cast<int>(lag.links.size()), false});
  return result;
}

Result<LinkRegulation> regulate_links(const Graph& graph, const forwarding::AddressPlan& plan,
                                      const forwarding::VlanNetwork& network,
                                      std::span<const PairAmount> pairs, const RegulateLinks& by) {
  std::vector<policy::RegulatedFlow> flows;
  for (const PairAmount& pair : pairs) {
    flows.push_back(
        flow_of(network, plan.switch_of(pair.from), plan.switch_of(pair.to), pair.amount));
  }
  const std::vector<int> links = links_of(network);
  const auto amounts = policy::amount_by_channel(links.size(), flows);
  auto slower = slower_rates(graph, network, by.slow);
  if (!slower) return fail(slower.error());
  LinkRegulation result = all_open(graph, network);
  result.peak = by.peak.value_or(present_peak(links, amounts));
  const auto regulation = policy::regulate(links, flows, {result.peak, std::move(*slower)});
  for (std::size_t b = 0; b < links.size(); ++b) {
    result.lags[b] = {std::max(amounts[2 * b], amounts[2 * b + 1]), regulation.links[b], false};
    for (int i = 0; i < links[b]; ++i) {
      const LinkId link = network.lags[static_cast<std::uint32_t>(b)].links[i];
      result.open[index(link)] = i < regulation.links[b];
      result.step[index(link)] = step_for(graph, link, regulation.rate[b]);
    }
  }
  for (const std::uint32_t b : regulation.beyond) result.lags[b].beyond = true;
  return result;
}

}  // namespace ebb::controller
