// SPDX-License-Identifier: Apache-2.0
//
// The queues of the interfaces of this network namespace: token buckets (tbf), which say their rate
// and what waits in them.
#pragma once

#include "netlink.hpp"

#include "ebb/units/data.hpp"

namespace ebb::agent {

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

}  // namespace ebb::agent
