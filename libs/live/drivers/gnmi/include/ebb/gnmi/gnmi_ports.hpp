// SPDX-License-Identifier: Apache-2.0
//
// The ports of a switch by gNMI and OpenConfig: orders are Sets of leaves, one after the other;
// counters are asked for (Get); changes of ports are told by a subscription that is made anew
// whenever it ends. A lost target is connected to again.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/drivers/live_fabric.hpp"
#include "ebb/drivers/port_driver.hpp"
#include "ebb/transport/address.hpp"
#include "ebb/transport/loop.hpp"
#include "ebb/transport/tls.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ebb::gnmi {

// Where the replies of all targets come in: one thread that hands each to the loop. The loop
// outlives it, and it outlives the drivers that use it.
class Exchange {
 public:
  explicit Exchange(transport::Loop& loop);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange();

  struct Impl;
  [[nodiscard]] Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// How values are written. Every target reads one of the two.
enum class ValueForm : std::uint8_t { proto, json_ietf };

struct ClientOptions {
  ValueForm form = ValueForm::proto;
  std::string interfaces = "p";             // before the number of the port: p3
  std::string modules = {};                 // before it in the component of the port's transceiver,
                                            // which is switched with the port; empty: stays on
  transport::Milliseconds timeout{5000};    // for an answer
  transport::Milliseconds heartbeat{2000};  // of the subscription; silent for three of them, it is
                                            // made anew
  int largest_answer = 4 << 20;             // byte
  transport::TlsFiles tls = {};             // for addresses of tls
};

class GnmiPorts final : public drivers::PortDriver {
 public:
  // Nothing is waited for: whether a target answers is seen by what is asked of it.
  [[nodiscard]] static Result<std::unique_ptr<GnmiPorts>> open(Exchange& exchange,
                                                               const transport::Address& target,
                                                               const ClientOptions& options,
                                                               drivers::PortEvents events);
  // For a fabric: switch i at target i. Certificates are read here, once, so that no switch is lost
  // when their files change.
  [[nodiscard]] static Result<drivers::PortsOn> of_fabric(std::vector<transport::Address> targets,
                                                          const ClientOptions& options);
  ~GnmiPorts() override;

  [[nodiscard]] drivers::PortAbilities can() const override { return {true, true}; }
  void find_ports(const Found& found) override;
  void read_counters() override;
  void set_port(forwarding::PortNumber port, bool up, const Done& done) override;
  void set_rate(forwarding::PortNumber port, DataRate rate, const Done& done) override;
  void set_pvid(forwarding::PortNumber port, std::uint16_t vlan, const Done& done) override;

 private:
  struct Impl;
  explicit GnmiPorts(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::gnmi
