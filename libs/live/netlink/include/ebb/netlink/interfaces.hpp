// SPDX-License-Identifier: Apache-2.0
//
// The interfaces of this network namespace: what they are like, switching them, hearing of changes,
// and the queues that limit their rates (token buckets, tbf).
#pragma once

#include "ebb/netlink/netlink.hpp"
#include "ebb/transport/loop.hpp"
#include "ebb/units/data.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ebb::netlink {

struct Interface {
  int index = 0;  // as the kernel numbers them
  std::string name;
  bool loopback = false;
  bool up = false;        // administratively
  bool running = false;   // operational state (RFC 2863)
  bool lower_up = false;  // there is a carrier: the other end is up, too
  std::uint64_t received_bytes = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t sent_packets = 0;
};

// By a socket for requests.
[[nodiscard]] Result<std::vector<Interface>> read_interfaces(Netlink& kernel);
// Needs CAP_NET_ADMIN.
[[nodiscard]] Result<void> set_up(Netlink& kernel, const std::string& name, bool up);
// A socket that hears changes of interfaces.
[[nodiscard]] Result<Netlink> open_for_changes();

// Reports every interface that changes, in the thread of the loop. One that was deleted is neither
// up nor has a carrier.
class InterfaceWatcher {
 public:
  using Report = std::function<void(const Interface& interface)>;

  // The loop outlives it.
  [[nodiscard]] static Result<std::unique_ptr<InterfaceWatcher>> open(transport::Loop& loop,
                                                                      Report report);
  InterfaceWatcher(transport::Loop& loop, Netlink kernel, Report report);
  InterfaceWatcher(const InterfaceWatcher&) = delete;
  InterfaceWatcher& operator=(const InterfaceWatcher&) = delete;
  ~InterfaceWatcher();

  // All of them, now.
  [[nodiscard]] Result<void> report_all();

 private:
  void receive();

  transport::Loop& loop_;
  Netlink kernel_;
  Report report_;
};

// A token bucket says its rate and what waits in it.
struct Queue {
  int interface = 0;  // as the kernel numbers them
  DataSize waiting{};
  DataRate rate{};
};

class Queues {
 public:
  [[nodiscard]] static Result<Queues> open();
  [[nodiscard]] Result<std::vector<Queue>> read();

 private:
  explicit Queues(Netlink kernel) : kernel_(std::move(kernel)) {}
  Netlink kernel_;
};

}  // namespace ebb::netlink
