// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/layout.hpp"

#include "json_values.hpp"

#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/forwarding/address.hpp"

#include <fmt/format.h>

namespace ebb::runtime {
namespace {

Json end_json(const testbed::Layout& layout, const testbed::End& end) {
  return {{"node", layout.nodes[end.node].name}, {"port", end.port + 1}};
}

// 10.x.y.z, where x.y.z are the low bits of the MAC: whoever knows one knows the other, so switches
// can answer ARP by arithmetic.
testbed::HostAddress host_address(const forwarding::AddressPlan& plan, std::uint32_t host) {
  constexpr std::uint32_t kTen = 10U << 24U;
  constexpr std::uint32_t kLow = 0x00ffffff;
  const forwarding::Address address = plan.of_host(host);
  return {static_cast<std::uint64_t>(forwarding::mac_of(address)),
          kTen | (static_cast<std::uint32_t>(address) & kLow)};
}

}  // namespace

std::string ipv4_text(std::uint32_t address) {
  return fmt::format("{}.{}.{}.{}", address >> 24U, address >> 16U & 0xffU, address >> 8U & 0xffU,
                     address & 0xffU);
}

Result<testbed::Layout> layout_of(const std::string& path) {
  constexpr int kMostBits = 24;
  auto file = fabric_config::read_fabric(path);
  if (!file) return fail(file.error());
  const auto plan = forwarding::AddressPlan::make(file->graph);
  if (!plan) return fail(plan.error());
  if (plan->bits() > kMostBits) {
    return fail(
        fmt::format("addresses of {} bits; a test fabric has at most {}", plan->bits(), kMostBits),
        {path});
  }
  std::vector<testbed::HostAddress> addresses;
  for (std::uint32_t host = 0; host < file->graph.host_count(); ++host)
    addresses.push_back(host_address(*plan, host));
  return testbed::lay_out(file->name, file->graph, std::move(addresses));
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

}  // namespace ebb::runtime
