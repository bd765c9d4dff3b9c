// SPDX-License-Identifier: Apache-2.0
//
// Network namespaces that have a name (as `ip netns` keeps them), settings of the interfaces in
// them, and the token buckets that give ports their rates.
#pragma once

#include "processes.hpp"

#include "ebb/core/process.hpp"
#include "ebb/core/result.hpp"
#include "ebb/testbed/layout.hpp"
#include "ebb/testbed/manifest.hpp"
#include "ebb/units/data.hpp"

#include <cstdint>
#include <string>

namespace ebb::testbed {

// While it lives, this thread and what it starts are in another network namespace.
class NamespaceVisit {
 public:
  [[nodiscard]] static Result<NamespaceVisit> enter(const std::string& name);
  NamespaceVisit(NamespaceVisit&&) noexcept = default;
  NamespaceVisit& operator=(NamespaceVisit&&) = delete;
  NamespaceVisit(const NamespaceVisit&) = delete;
  NamespaceVisit& operator=(const NamespaceVisit&) = delete;
  ~NamespaceVisit();

 private:
  explicit NamespaceVisit(UniqueFd home) : home_(std::move(home)) {}

  UniqueFd home_;
};

// This process moves there for good.
[[nodiscard]] Result<void> move_into_namespace(const std::string& name);

[[nodiscard]] bool namespace_exists(const std::string& name);
// Nothing happens when there is none. What still runs inside keeps it alive without its name.
[[nodiscard]] Result<void> delete_namespace(const std::string& name);

// Settings of network interfaces in the namespace that this thread is in, by ioctl: a process for
// each would take longer than all of them.
class Interfaces {
 public:
  [[nodiscard]] static Result<Interfaces> here();

  [[nodiscard]] Result<void> set_up(const std::string& port) const;
  // Its MAC, and its address in 10.0.0.0/8.
  [[nodiscard]] Result<void> set_address(const std::string& port, const HostAddress& address) const;
  // Nobody between two hosts fills in a checksum that the sender left to its network card, and the
  // receiver of a TCP segment throws it away.
  [[nodiscard]] Result<void> make_own_checksums(const std::string& port) const;
  [[nodiscard]] Result<void> add_neighbour(const std::string& port,
                                           const HostAddress& neighbour) const;

 private:
  explicit Interfaces(UniqueFd socket) : socket_(std::move(socket)) {}
  [[nodiscard]] Result<void> ask(unsigned long what, void* request, const std::string& port,
                                 const char* purpose) const;

  UniqueFd socket_;
};

// Of the namespace that this thread is in. Its own solicitations would look like traffic.
void silence_ipv6();

// The rate at which a port sends, by a token bucket. Not by Open vSwitch's own queues: it makes
// them anew whenever a port of the switch changes, and what waits in them is lost.
//
// The name of a port, as layout.hpp names ports, counted from 0.
[[nodiscard]] std::string port_name(const Manifest& fabric, std::size_t member, std::size_t port);

// A token bucket of a rate: how much passes at once, and how much waits at most, in bytes.
struct TokenBucket {
  std::int64_t bucket = 0;
  std::int64_t queue = 0;
};
[[nodiscard]] TokenBucket token_bucket(DataRate rate);

// The first time and later: a change in place loses nothing.
[[nodiscard]] Step set_port_rate(const std::string& space, const std::string& port, DataRate rate);

}  // namespace ebb::testbed
