// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/summary.hpp"

#include "ebb/units/text.hpp"

#include <algorithm>
#include <numeric>

namespace ebb::results {
namespace {

using netsim::channel_classes;
using power::ClassIndex;
using topology::ChannelId;

const power::Ledger::ClassTotals& totals(const power::Ledger& ledger, std::size_t which) {
  return ledger.totals(ClassIndex{static_cast<std::uint8_t>(which)});
}

double to_double(power::MeterTime time) { return static_cast<double>(time.count()); }

// Words before rates, rates ascending: networks of several ladders have a class for each.
bool stands_before(const StateShare& a, const StateShare& b) {
  const auto rate = [](const StateShare& share) {
    return parse<DataRate>(share.state).value_or(DataRate{});
  };
  return rate(a) < rate(b);
}

std::vector<StateShare> state_shares(const power::Ledger& ledger) {
  std::vector<StateShare> shares;
  double all = 0;
  for (std::size_t i = 0; i < channel_classes(ledger); ++i) {
    const auto& residency = totals(ledger, i).residency;
    for (std::size_t s = 0; s < residency.size(); ++s) {
      const std::string& name = ledger.classes()[i].states[s];
      auto at = std::find_if(shares.begin(), shares.end(),
                             [&](const StateShare& known) { return known.state == name; });
      if (at == shares.end()) at = shares.insert(at, {name, 0});
      at->share += to_double(residency[s]);
      all += to_double(residency[s]);
    }
  }
  for (StateShare& share : shares) share.share = all == 0 ? 0 : share.share / all;
  std::stable_sort(shares.begin(), shares.end(), stands_before);
  return shares;
}

BusyChannel busy_channel(const topology::Graph& graph, ChannelId id, const netsim::ChannelUse& use,
                         Duration window) {
  const DataRate full = graph.full_rate(graph.link(topology::link_of(id)));
  const double time = static_cast<double>(window.count());
  return {graph.name(graph.source(id)), graph.name(graph.target(id)),
          static_cast<double>(use.busy.count()) / time,
          static_cast<double>(serialization_time(use.sent, full).count()) / time};
}

// By the time they were busy, then by what they carried, then by number.
std::vector<BusyChannel> busiest_channels(const topology::Graph& graph,
                                          const std::vector<netsim::ChannelUse>& uses,
                                          Duration window) {
  std::vector<std::uint32_t> order(uses.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto last =
      order.begin() + static_cast<std::ptrdiff_t>(std::min(kBusiestShown, uses.size()));
  std::partial_sort(order.begin(), last, order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (uses[a].busy != uses[b].busy) return uses[a].busy > uses[b].busy;
    if (uses[a].sent != uses[b].sent) return uses[a].sent > uses[b].sent;
    return a < b;
  });
  std::vector<BusyChannel> busiest;
  for (auto at = order.begin(); at != last; ++at)
    busiest.push_back(busy_channel(graph, ChannelId{*at}, uses[*at], window));
  return busiest;
}

std::vector<ComponentUse> component_uses(const power::Ledger& ledger, Duration window) {
  std::vector<ComponentUse> uses;
  for (std::size_t i = channel_classes(ledger) + 1; i < ledger.classes().size(); ++i) {
    const Energy energy = totals(ledger, i).energy;
    uses.push_back({ledger.classes()[i].name, energy, mean_power(energy, window)});
  }
  return uses;
}

}  // namespace

Summary::Summary(const config::Simulation& of, const netsim::Report& measured_report)
    : simulation(of), report(measured_report) {
  const Duration window = report.to - report.from;
  measured = window > Duration{};
  if (!measured) return;
  const power::Ledger& ledger = report.ledger;
  offered_load = netsim::load(report, report.offered, of.host_rate, of.sending_hosts);
  accepted_load = netsim::load(report, report.delivered, of.host_rate, of.sending_hosts);
  if (report.messages > 0) {
    missed_share =
        static_cast<double>(netsim::missed(report)) / static_cast<double>(report.messages);
  }
  for (std::size_t i = 0; i < channel_classes(ledger); ++i) {
    changes += totals(ledger, i).transitions;
  }
  channels = mean_power(netsim::channel_energy(ledger), window);
  core_energy = totals(ledger, channel_classes(ledger)).energy;
  cores = mean_power(core_energy, window);
  components = component_uses(ledger, window);
  if (report.delivered > DataSize{}) {
    energy_per_bit = to_joules(ledger.total()) / static_cast<double>(report.delivered.count());
  }
  always_on = mean_power(report.always_on, window);
  ideal = mean_power(report.ideal, window);
  states = state_shares(ledger);
  busiest = busiest_channels(*of.graph, report.channels, window);
}

}  // namespace ebb::results
