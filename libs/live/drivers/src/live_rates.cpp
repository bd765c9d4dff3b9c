// SPDX-License-Identifier: Apache-2.0
// The part of a live fabric that sets and finds the rates of links.
#include "ebb/drivers/live_fabric.hpp"

#include <algorithm>

namespace ebb::drivers {

using topology::ChannelId;
using topology::LinkId;

void LiveFabric::set_rate(const controller::SetRate& order, PortDriver& driver,
                          const PortDriver::Done& done) {
  const topology::Graph& graph = description_.graph;
  const auto ladder = graph.ladder(graph.link(topology::link_of(order.end)));
  const DataRate rate = ladder[policy::index(order.step)];
  const forwarding::PortNumber port = forwarding::port_of(graph, order.end);
  if (driver.can().rates || !options_.rates.set) return driver.set_rate(port, rate, done);
  const auto set = options_.rates.set(index(graph.source(order.end)), port, rate);
  done(set.has_value(), set ? "" : set.error()[0].message);
}

// A rate that is not on the ladder counts as the fastest that is slower.
void LiveFabric::look_at_rate(LinkId link) {
  const topology::Graph& graph = description_.graph;
  const auto ladder = graph.ladder(graph.link(link));
  const auto step_at = [&](ChannelId end) {
    const auto rate =
        options_.rates.read(index(graph.source(end)), forwarding::port_of(graph, end));
    if (!rate) return policy::RateStep{static_cast<std::uint8_t>(ladder.size() - 1)};
    const auto above = std::upper_bound(ladder.begin(), ladder.end(), *rate);
    return policy::RateStep{
        static_cast<std::uint8_t>(std::max<std::ptrdiff_t>(above - ladder.begin() - 1, 0))};
  };
  const ChannelId forth = topology::forward(link);
  controller_.found_steps(now(), link, step_at(forth), step_at(topology::reverse(forth)));
}

}  // namespace ebb::drivers
