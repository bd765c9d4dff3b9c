// SPDX-License-Identifier: Apache-2.0
//
// A gNMI target: serves a device by Capabilities, Get, Set and Subscribe, in threads of its own. It
// calls the device from one thread at a time.
//
//   const auto at = *transport::parse_address("unix:/run/s0.sock");
//   const auto target = Target::open(device, {.at = at});
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/transport/address.hpp"
#include "ebb/transport/tls.hpp"
#include "ebb/units/data.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ebb::gnmi {

struct Interface {
  std::string name;
  bool enabled = false;
  bool running = false;  // enabled, and so is the other end
  std::uint64_t in_octets = 0;
  std::uint64_t out_octets = 0;
  std::uint64_t out_pkts = 0;
  std::optional<DataRate> speed = {};  // that was set
  std::uint16_t access_vlan = 1;
  bool module_enabled = true;
};

// Something whose power is switched, as a line card.
struct Component {
  std::string name;
  bool has_power = true;
};

// What a target stands for: a device with interfaces, and perhaps components.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  [[nodiscard]] virtual Result<std::vector<Interface>> look() = 0;
  // Of an interface that there is.
  [[nodiscard]] virtual Result<void> set_enabled(const std::string& interface, bool enabled) = 0;
  [[nodiscard]] virtual Result<void> set_speed(const std::string& interface, DataRate speed) = 0;
  [[nodiscard]] virtual Result<void> set_access_vlan(const std::string& interface,
                                                     std::uint16_t vlan) = 0;
  [[nodiscard]] virtual Result<void> set_module(const std::string& interface, bool enabled) = 0;
  [[nodiscard]] virtual std::vector<Component> components() { return {}; }
  [[nodiscard]] virtual Result<void> set_power(const std::string& component, bool /*on*/) {
    return fail("the power of " + component + " cannot be switched");
  }
};

struct TargetOptions {
  transport::Address at;          // of tls: needs `tls`
  transport::TlsFiles tls = {};   // clients show a certificate of the same authority
  bool other_machines = false;    // may connect; only by TLS
  int largest_request = 1 << 20;  // byte
};

class Target {
 public:
  // The device outlives the target.
  [[nodiscard]] static Result<std::unique_ptr<Target>> open(Device& device,
                                                            const TargetOptions& options);
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  // Ends what is under way.
  ~Target();

  // The port of TCP or TLS that it listens at.
  [[nodiscard]] std::uint16_t port() const;
  // From any thread: the device has changed without being asked by us. Subscribers are told.
  void changed();

 private:
  struct Impl;
  explicit Target(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::gnmi
