// SPDX-License-Identifier: Apache-2.0
//
// What switches whole switches on and off, whatever it is: an outlet that is managed over SNMP, the
// power of a component by gNMI, the daemons of a software switch. Everything answers later, in the
// thread of the loop that the driver was made with, and nothing is called after the driver has
// gone.
//
// What every driver keeps (libs/live/drivers/tests/power_contract.hpp runs it on all of them):
//   - an order that is answered "ok" has been taken, and read_power() then says so;
//   - to order what is so already is no mistake;
//   - switches are told apart; one that has no outlet is answered "not ok" in words;
//   - so is an outlet that does not answer in time.
#pragma once

#include "ebb/transport/loop.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ebb::drivers {

class PowerDriver {
 public:
  using Done = std::function<void(bool ok, const std::string& why)>;
  // Nothing: it did not say, and why.
  using Found = std::function<void(std::optional<bool> on, const std::string& why)>;

  PowerDriver() = default;
  PowerDriver(const PowerDriver&) = delete;
  PowerDriver& operator=(const PowerDriver&) = delete;
  virtual ~PowerDriver() = default;

  virtual void set_power(std::uint32_t device, bool on, const Done& done) = 0;
  virtual void read_power(std::uint32_t device, const Found& found) = 0;
};

inline constexpr const char* kNoOutlet = "there is no outlet of this switch";

// Each term of a controller has its own; empty: there is none.
using PowerOn = std::function<std::unique_ptr<PowerDriver>(transport::Loop&)>;

}  // namespace ebb::drivers
