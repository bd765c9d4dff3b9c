// SPDX-License-Identifier: Apache-2.0
#include "kernel_device.hpp"

#include "ebb/core/process.hpp"
#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

namespace ebb::target {

Result<std::vector<gnmi::Interface>> KernelDevice::look() {
  const auto interfaces = netlink::read_interfaces(kernel_);
  if (!interfaces) return fail(interfaces.error());
  std::vector<gnmi::Interface> found;
  for (const netlink::Interface& one : *interfaces) {
    if (one.loopback) continue;
    const Kept& kept = kept_[one.name];
    found.push_back({.name = one.name,
                     .enabled = one.up,
                     .running = one.up && one.running,
                     .in_octets = one.received_bytes,
                     .out_octets = one.sent_bytes,
                     .out_pkts = one.sent_packets,
                     .speed = kept.speed,
                     .access_vlan = kept.access_vlan,
                     .module_enabled = kept.module_enabled});
  }
  return found;
}

Result<void> KernelDevice::set_enabled(const std::string& interface, bool enabled) {
  return netlink::set_up(kernel_, interface, enabled);
}

Result<void> KernelDevice::set_speed(const std::string& interface, DataRate speed) {
  if (auto done = testbed::set_rate_here(interface, speed); !done) return done;
  kept_[interface].speed = speed;
  return {};
}

Result<void> KernelDevice::set_access_vlan(const std::string& interface, std::uint16_t vlan) {
  if (!ovsdb_.empty()) {
    const auto done = run_program({"ovs-vsctl", "--db=" + ovsdb_, "--timeout=5", "set", "port",
                                   interface, fmt::format("tag={}", vlan)});
    if (!done) return fail(done.error());
    if (done->exit_code != 0) return fail(done->stderr_text);
  }
  kept_[interface].access_vlan = vlan;
  return {};
}

Result<void> KernelDevice::set_module(const std::string& interface, bool enabled) {
  kept_[interface].module_enabled = enabled;
  return {};
}

}  // namespace ebb::target
