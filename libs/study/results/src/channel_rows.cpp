// SPDX-License-Identifier: Apache-2.0
#include "channel_rows.hpp"

namespace ebb::results {
namespace {

using power::MeterIndex;
using topology::ChannelId;

void add_meter(const power::Ledger& ledger, MeterIndex meter, Channel& channel) {
  const auto& meter_class = ledger.classes()[static_cast<std::size_t>(ledger.class_of(meter))];
  channel.meter_class = meter_class.name;
  channel.energy_joules = to_joules(ledger.energy(meter));
  channel.transitions = ledger.transitions(meter);
  for (std::size_t s = 0; s < meter_class.states.size(); ++s) {
    channel.state_times.push_back(
        ledger.residency(meter, power::StateIndex{static_cast<std::uint8_t>(s)}));
  }
}

}  // namespace

std::vector<Channel> channel_rows(const topology::Graph& graph, const netsim::Report& report) {
  std::vector<Channel> channels;
  for (std::uint32_t number = 0; number < report.channels.size(); ++number) {
    const ChannelId id{number};
    channels.push_back({.number = number,
                        .from = graph.name(graph.source(id)),
                        .to = graph.name(graph.target(id)),
                        .busy = report.channels[number].busy,
                        .sent = report.channels[number].sent});
  }
  // The classes of channels come first; the rest of the meters are switches.
  const power::Ledger& ledger = report.ledger;
  for (std::uint32_t m = 0; m < ledger.meters(); ++m) {
    const MeterIndex meter{m};
    if (static_cast<std::size_t>(ledger.class_of(meter)) >= netsim::channel_classes(ledger)) break;
    add_meter(ledger, meter, channels[ledger.number(meter)]);
  }
  return channels;
}

}  // namespace ebb::results
