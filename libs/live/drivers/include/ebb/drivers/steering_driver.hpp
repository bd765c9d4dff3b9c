// SPDX-License-Identifier: Apache-2.0
//
// What moves the traffic of one switch off a port and back, whatever does it there: the groups of
// an OpenFlow switch; the cost of an interface or a graceful shutdown where OSPF or BGP routes.
// Everything answers later, in the thread of the loop that the driver was made with, and nothing is
// called after the driver has gone.
//
// What every driver keeps (libs/live/drivers/tests/steering_contract.hpp runs it on all of them):
//   - an order that is answered "ok" has been carried out, without loss: where frames have another
//     next hop, what the switch forwards by does not use a diverted port any more. Where they have
//     none the port stays in use, and look() says so;
//   - look() asks what the switch really forwards by, and never answers from memory;
//   - orders to one port are carried out in the order in which they were given, and to order what
//     is so already is no mistake;
//   - a port that the switch does not have is answered "not ok" in words. So is an order that the
//     switch does not answer in time, and one of a controller that does not lead any more, which
//     changes nothing.
#pragma once

#include "ebb/forwarding/table.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::drivers {

class SteeringDriver {
 public:
  using Done = std::function<void(bool ok, const std::string& why)>;
  // Whether frames leave by the port as the switch forwards now. Nothing: it did not say, and why.
  using Looked = std::function<void(std::optional<bool> in_use, const std::string& why)>;

  SteeringDriver() = default;
  SteeringDriver(const SteeringDriver&) = delete;
  SteeringDriver& operator=(const SteeringDriver&) = delete;
  virtual ~SteeringDriver() = default;

  // By what it moves traffic, in the words of the protocol.
  [[nodiscard]] virtual std::string_view means() const = 0;
  virtual void divert(forwarding::PortNumber port, bool away, const Done& done) = 0;
  virtual void look(forwarding::PortNumber port, const Looked& looked) = 0;
};

}  // namespace ebb::drivers
