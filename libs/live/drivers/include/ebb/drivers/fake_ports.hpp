// SPDX-License-Identifier: Apache-2.0
//
// A switch that is only a table in memory, and the driver of its ports: for tests of what uses
// drivers. It does all that a driver can be asked, at once, and answers through the loop as the
// others do.
#pragma once

#include "ebb/drivers/port_driver.hpp"
#include "ebb/transport/loop.hpp"

#include <functional>
#include <map>
#include <memory>

namespace ebb::drivers {

struct FakePort {
  bool up = true;     // administratively
  bool cable = true;  // leads to someone who is up
  DataRate rate;      // zero until it is set
  std::uint16_t pvid = 1;
  PortTraffic traffic;

  [[nodiscard]] PortStatus found() const { return {!up, up && cable}; }
};

// Ports are numbered from 1.
class FakeSwitch {
 public:
  explicit FakeSwitch(forwarding::PortNumber ports);

  // Changes what is said of the port, and tells the driver.
  void cable(forwarding::PortNumber port, bool whole);
  void send(forwarding::PortNumber port, std::uint64_t frames, std::uint64_t bytes);

  std::map<forwarding::PortNumber, FakePort> ports;
  bool answers = true;
  // Who hears of changes: a driver.
  std::function<void(forwarding::PortNumber)> changed = [](auto) {};
};

class FakePorts final : public PortDriver {
 public:
  // The switch outlives the driver, and has one at a time.
  FakePorts(transport::Loop& loop, FakeSwitch& machine, PortEvents events);
  FakePorts(const FakePorts&) = delete;
  FakePorts& operator=(const FakePorts&) = delete;
  ~FakePorts() override;

  [[nodiscard]] PortAbilities can() const override { return {.rates = true, .pvids = true}; }
  void find_ports(const Found& found) override;
  void read_counters() override;
  void set_port(forwarding::PortNumber port, bool up, const Done& done) override;
  void set_rate(forwarding::PortNumber port, DataRate rate, const Done& done) override;
  void set_pvid(forwarding::PortNumber port, std::uint16_t vlan, const Done& done) override;

 private:
  void later(std::function<void()> what);
  void order(forwarding::PortNumber port, const Done& done, std::function<void(FakePort&)> change);

  transport::Loop& loop_;
  FakeSwitch& machine_;
  PortEvents events_;
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);
};

}  // namespace ebb::drivers
