// SPDX-License-Identifier: Apache-2.0
#include "fabric_rates.hpp"

#include "ebb/testbed/port_rates.hpp"

#include <memory>

namespace ebb::cli {

drivers::RateSetter rates_of(const config::FabricFile& file, const testbed::StateFolder& state) {
  auto manifest = testbed::read_manifest(file.name, state);
  if (!manifest) return {};
  const auto rates = std::make_shared<testbed::PortRates>(std::move(*manifest));
  // Port numbers of OpenFlow begin at 1.
  return {.set = [rates](std::uint32_t device, fabric::PortNumber port,
                         DataRate rate) { return rates->set(device, port - 1, rate); },
          .read = [rates](std::uint32_t device,
                          fabric::PortNumber port) { return rates->read(device, port - 1); }};
}

Power saved_by_rates(const topology::Graph& graph, const fabric::Controller& controller,
                     const fabric::PortWatts& port) {
  Power saved;
  for (std::uint32_t which = 0; which < graph.link_count(); ++which) {
    const topology::LinkId link{which};
    const fabric::LinkRate& rate = controller.rate(link);
    if (rate.step() == rate.top()) continue;
    if (controller.link(link).state() == fabric::LinkState::asleep) continue;
    const std::vector<Power> watts = port.at(graph.ladder(graph.link(link)));
    saved += (watts[index(rate.top())] - watts[index(rate.step())]) * 2;
  }
  return saved;
}

}  // namespace ebb::cli
