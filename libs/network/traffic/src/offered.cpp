// SPDX-License-Identifier: Apache-2.0
#include "ebb/traffic/offered.hpp"

#include "ebb/core/check.hpp"

namespace ebb::traffic {

void Offered::add(const Message& message) {
  EBB_CHECK(message.source < hosts() && message.destination < hosts(),
            "a message of a host that the network does not have");
  sent_[message.source] += message.size;
  received_[message.destination] += message.size;
  total_ += message.size;
  ++messages_;
}

Offered& Offered::operator+=(const Offered& other) {
  EBB_CHECK(hosts() == other.hosts(), "parts of different networks");
  for (std::uint32_t host = 0; host < hosts(); ++host) {
    sent_[host] += other.sent_[host];
    received_[host] += other.received_[host];
  }
  total_ += other.total_;
  messages_ += other.messages_;
  return *this;
}

Offered offered(const Workload& workload, std::uint64_t seed, TimePoint until) {
  Offered sum(workload.hosts());
  const auto source = workload.start({.seed = seed, .until = until});
  for (std::uint32_t host = 0; host < workload.hosts(); ++host) {
    while (const auto message = source->next(host)) sum.add(*message);
  }
  return sum;
}

}  // namespace ebb::traffic
