// SPDX-License-Identifier: Apache-2.0
#include "fabric/rates.hpp"

#include "ebb/testbed/port_rates.hpp"

#include <memory>

namespace ebb::cli {

drivers::RateSetter rates_of(const fabric_config::FabricFile& file,
                             const testbed::StateFolder& state) {
  auto manifest = testbed::read_manifest(file.name, state);
  if (!manifest) return {};
  const auto rates = std::make_shared<testbed::PortRates>(std::move(*manifest));
  // Port numbers of OpenFlow begin at 1.
  return {.set = [rates](std::uint32_t device, forwarding::PortNumber port,
                         DataRate rate) { return rates->set(device, port - 1, rate); },
          .read = [rates](std::uint32_t device,
                          forwarding::PortNumber port) { return rates->read(device, port - 1); }};
}

Power saved_by_rates(const topology::Graph& graph, const controller::Controller& controller,
                     const controller::PortWatts& port) {
  Power saved;
  for (std::uint32_t which = 0; which < graph.link_count(); ++which) {
    const topology::LinkId link{which};
    const controller::LinkRate& rate = controller.rate(link);
    if (rate.step() == rate.top()) continue;
    if (controller.link(link).state() == controller::LinkState::asleep) continue;
    const std::vector<Power> watts = port.at(graph.ladder(graph.link(link)));
    saved += (watts[index(rate.top())] - watts[index(rate.step())]) * 2;
  }
  return saved;
}

}  // namespace ebb::cli
