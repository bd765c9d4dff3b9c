// SPDX-License-Identifier: Apache-2.0
//
// Rates of the ports of a fabric that is up, read and changed in place while frames flow: nothing
// that waits is lost. By netlink, a socket in the namespace of each switch, because a controller
// cannot wait for a program to start for each change.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/testbed/manifest.hpp"
#include "ebb/units/data.hpp"

#include <cstddef>
#include <map>
#include <memory>

namespace ebb::testbed {

class PortRates {
 public:
  explicit PortRates(Manifest fabric);
  PortRates(PortRates&&) noexcept;
  PortRates& operator=(PortRates&&) noexcept;
  ~PortRates();

  // Ports are counted from 0, as in testbed::set_rate; only what is sent there takes the rate.
  [[nodiscard]] Result<void> set(std::size_t member, std::size_t port, DataRate rate);
  [[nodiscard]] Result<DataRate> read(std::size_t member, std::size_t port);

 private:
  class Socket;
  [[nodiscard]] Result<Socket*> socket_of(std::size_t member);

  Manifest fabric_;
  std::map<std::size_t, std::unique_ptr<Socket>> sockets_;  // by member, when first asked
};

}  // namespace ebb::testbed
