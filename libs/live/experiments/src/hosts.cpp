// SPDX-License-Identifier: Apache-2.0
//
// Hosts of a test fabric that ask for their addresses.
#include "running_fabric.hpp"

#include "ebb/forwarding/dmp_frame.hpp"
#include "ebb/host/interface.hpp"

#include <algorithm>
#include <cstdint>

namespace ebb::experiments {
namespace {

std::uint64_t number_of(const dmp::MacBytes& mac) {
  std::uint64_t number = 0;
  for (const std::uint8_t byte : mac) number = number << 8U | byte;
  return number;
}

Result<dmp::MacBytes> ask_and_take() {
  const auto interface = host::Interface::open("eth0");
  if (!interface) return fail(interface.error());
  auto mac = host::request_address(*interface, {});
  if (!mac) return mac;
  if (auto set = interface->set_mac(*mac); !set) return fail(set.error());
  if (auto set = interface->set_ip(dmp::ip_of(*mac)); !set) return fail(set.error());
  return mac;
}

}  // namespace

Result<std::size_t> RunningFabric::take_addresses() const {
  std::size_t right = 0;
  for (std::size_t host = 0; host < layout_.hosts(); ++host) {
    std::uint64_t told = 0;
    auto done = in_namespace(space(host), [&]() -> Result<void> {
      const auto mac = ask_and_take();
      if (!mac) return fail(mac.error());
      told = number_of(*mac);
      return {};
    });
    if (!done) return fail(done.error());
    right += told == layout_.addresses[host].mac ? 1 : 0;
  }
  return right;
}

}  // namespace ebb::experiments
