// SPDX-License-Identifier: Apache-2.0
//
// What is done to the ports of one switch, whatever protocol carries it there: OpenFlow, SNMP,
// gNMI. Everything answers later, in the thread of the loop that the driver was made with, and
// nothing is called after the driver has gone. It is asked for its ports before anything else.
//
// What every driver keeps (libs/live/drivers/tests/contract.hpp runs it on all of them):
//   - an order that is answered "ok" has been taken by the switch; that a port came up or went down
//     is seen by `changed`, later: at once, or when counters are read;
//   - orders to one port are carried out in the order in which they were given;
//   - a port that the switch does not have, and what it cannot do, is answered "not ok" in words;
//   - so is an order that the switch does not answer in time; other questions by `error`;
//   - counters never fall while the switch runs, and count at least what was sent before the
//     request.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/forwarding/table.hpp"
#include "ebb/units/data.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>

namespace ebb::drivers {

// How a port is, as the switch tells it.
struct PortStatus {
  bool admin_down = false;  // switched off by configuration (ifAdminStatus, OFPPC_PORT_DOWN)
  bool oper_up = false;     // up, and so is the other end (ifOperStatus, OFPPS_LIVE)

  bool operator==(const PortStatus&) const = default;
};

// Counters of a port since the switch was started.
struct PortTraffic {
  forwarding::PortNumber port = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_bytes = 0;
  std::uint64_t sent_frames = 0;
};

// What a driver can do beside putting ports to sleep and reading their counters.
struct PortAbilities {
  bool rates = false;  // set_rate
  bool pvids = false;  // set_pvid
};

struct PortEvents {
  std::function<void(forwarding::PortNumber, const PortStatus&)> changed = [](auto, const auto&) {};
  std::function<void(std::span<const PortTraffic>)> counted = [](auto) {};
  // Something that the switch did not do, in words.
  std::function<void(const std::string&)> error = [](const auto&) {};
  // Asked when an order leaves the driver, which may be long after it was given. False: another
  // controller leads, and the order is answered with kLeadsNoLonger instead.
  std::function<bool()> leads = [] { return true; };
};

inline constexpr const char* kLeadsNoLonger =
    "was not sent: another controller has taken the lease meanwhile";
// Orders that wait in a driver because its switch takes one at a time. One more is refused.
inline constexpr std::size_t kMostOrders = 1024;
inline constexpr const char* kTooManyOrders = "1024 orders wait for the switch already";

// IEEE 802.1Q: 0 and 4095 are no VLANs.
[[nodiscard]] constexpr bool is_vlan(std::uint16_t vlan) { return vlan >= 1 && vlan <= 4094; }
[[nodiscard]] inline std::string no_vlan(std::uint16_t vlan) {
  return std::to_string(vlan) + " is no VLAN: 1 to 4094";
}

class PortDriver {
 public:
  using Done = std::function<void(bool ok, const std::string& why)>;
  using Found = std::function<void(const std::map<forwarding::PortNumber, PortStatus>&)>;

  PortDriver() = default;
  PortDriver(const PortDriver&) = delete;
  PortDriver& operator=(const PortDriver&) = delete;
  virtual ~PortDriver() = default;

  [[nodiscard]] virtual PortAbilities can() const = 0;
  // Which ports there are; no answer but `error` when the switch does not say.
  virtual void find_ports(const Found& found) = 0;
  // Answered by `counted`, or by `error`.
  virtual void read_counters() = 0;
  virtual void set_port(forwarding::PortNumber port, bool up, const Done& done) = 0;
  virtual void set_rate(forwarding::PortNumber port, DataRate rate, const Done& done) = 0;
  // The VLAN of frames that come in without a tag (IEEE 802.1Q).
  virtual void set_pvid(forwarding::PortNumber port, std::uint16_t vlan, const Done& done) = 0;
};

// Sets the rates of ports where the driver of the ports cannot: beside OpenFlow on a test fabric.
// Answers at once. The loop waits for it, so it must be quick.
struct RateSetter {
  std::function<Result<void>(std::uint32_t device, forwarding::PortNumber port, DataRate rate)> set;
  // As the port was found: a controller that starts takes over what another has set.
  std::function<Result<DataRate>(std::uint32_t device, forwarding::PortNumber port)> read;
};

}  // namespace ebb::drivers
