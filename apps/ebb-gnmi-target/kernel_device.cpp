// SPDX-License-Identifier: Apache-2.0
#include "kernel_device.hpp"

#include "ebb/core/process.hpp"
#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

namespace ebb::target {

Result<std::vector<gnmi::Interface>> KernelDevice::look() {
  const auto links = kernel_.links();
  if (!links) return fail(links.error());
  std::vector<gnmi::Interface> found;
  for (const Link& link : *links) {
    if (link.loopback) continue;
    const Kept& kept = kept_[link.name];
    found.push_back({.name = link.name,
                     .enabled = link.up,
                     .running = link.up && link.running,
                     .in_octets = link.received_bytes,
                     .out_octets = link.sent_bytes,
                     .out_pkts = link.sent_packets,
                     .speed = kept.speed,
                     .access_vlan = kept.access_vlan,
                     .module_enabled = kept.module_enabled});
  }
  return found;
}

Result<void> KernelDevice::set_enabled(const std::string& interface, bool enabled) {
  return kernel_.set_up(interface, enabled);
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
