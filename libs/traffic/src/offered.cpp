// SPDX-License-Identifier: Apache-2.0
#include "ebb/traffic/offered.hpp"

#include "ebb/core/check.hpp"
#include "ebb/traffic/host_source.hpp"

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

Offered offered(const Pattern& pattern, const Injection& injection, std::uint32_t hosts,
                std::uint64_t seed, TimePoint until) {
  Offered sum(hosts);
  for (std::uint32_t host = 0; host < hosts; ++host) {
    HostSource source(pattern, injection, host, seed, until);
    while (const auto message = source.next()) sum.add(*message);
  }
  return sum;
}

}  // namespace ebb::traffic
