// SPDX-License-Identifier: Apache-2.0
#include "fabric/layout_json.hpp"

#include "ebb/forwarding/address.hpp"

#include <fmt/format.h>

namespace ebb::cli {
namespace {

using Json = nlohmann::ordered_json;

Json end_json(const testbed::Layout& layout, const testbed::End& end) {
  return {{"node", layout.nodes[end.node].name}, {"port", end.port + 1}};
}

}  // namespace

std::string ipv4_text(std::uint32_t address) {
  return fmt::format("{}.{}.{}.{}", address >> 24U, address >> 16U & 0xffU, address >> 8U & 0xffU,
                     address & 0xffU);
}

Json layout_json(const testbed::Layout& layout) {
  Json switches = Json::array();
  for (std::size_t s = 0; s < layout.switches; ++s)
    switches.push_back({{"name", layout.nodes[s].name}, {"datapath_id", s + 1}});
  Json hosts = Json::array();
  for (std::size_t h = 0; h < layout.hosts(); ++h) {
    const testbed::HostAddress& address = layout.addresses[h];
    hosts.push_back({{"name", layout.nodes[layout.switches + h].name},
                     {"mac", forwarding::to_text(forwarding::Mac{address.mac})},
                     {"address", ipv4_text(address.ipv4) + "/8"}});
  }
  Json cables = Json::array();
  for (const testbed::Cable& cable : layout.cables) {
    const DataRate rate = layout.nodes[cable.a.node].ports[cable.a.port].rate;
    cables.push_back({{"a", end_json(layout, cable.a)},
                      {"b", end_json(layout, cable.b)},
                      {"rate_bit_per_s", rate.count()}});
  }
  return {{"fabric", layout.name}, {"switches", switches}, {"hosts", hosts}, {"cables", cables}};
}

}  // namespace ebb::cli
