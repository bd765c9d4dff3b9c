// SPDX-License-Identifier: Apache-2.0
//
// What a gNMI target stands for: a box with interfaces. A Target calls it from one thread at a
// time.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/units/data.hpp"

#include <cstdint>
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

class Box {
 public:
  Box() = default;
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;
  virtual ~Box() = default;

  [[nodiscard]] virtual Result<std::vector<Interface>> look() = 0;
  // Of an interface that there is.
  [[nodiscard]] virtual Result<void> set_enabled(const std::string& interface, bool enabled) = 0;
  [[nodiscard]] virtual Result<void> set_speed(const std::string& interface, DataRate speed) = 0;
  [[nodiscard]] virtual Result<void> set_access_vlan(const std::string& interface,
                                                     std::uint16_t vlan) = 0;
  [[nodiscard]] virtual Result<void> set_module(const std::string& interface, bool enabled) = 0;
};

}  // namespace ebb::gnmi
