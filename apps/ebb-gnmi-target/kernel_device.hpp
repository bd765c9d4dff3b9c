// SPDX-License-Identifier: Apache-2.0
//
// The interfaces of this network namespace as a device: what the kernel has no word for (the speed
// of a virtual cable, VLANs of a port, transceivers) is kept here and shown again. VLANs are passed
// on to Open vSwitch where its ports these are.
#pragma once

#include "ebb/gnmi/target.hpp"
#include "ebb/netlink/interfaces.hpp"

#include <map>
#include <optional>
#include <string>

namespace ebb::target {

class KernelDevice final : public gnmi::Device {
 public:
  // `ovsdb`: where the database of the switch is, as unix:PATH; empty: none.
  KernelDevice(netlink::Netlink kernel, std::string ovsdb)
      : kernel_(std::move(kernel)), ovsdb_(std::move(ovsdb)) {}

  Result<std::vector<gnmi::Interface>> look() override;
  Result<void> set_enabled(const std::string& interface, bool enabled) override;
  // Sends no faster, by a token bucket.
  Result<void> set_speed(const std::string& interface, DataRate speed) override;
  Result<void> set_access_vlan(const std::string& interface, std::uint16_t vlan) override;
  Result<void> set_module(const std::string& interface, bool enabled) override;

 private:
  struct Kept {
    std::optional<DataRate> speed = {};
    std::uint16_t access_vlan = 1;
    bool module_enabled = true;
  };

  netlink::Netlink kernel_;
  std::string ovsdb_;
  std::map<std::string, Kept> kept_;
};

}  // namespace ebb::target
