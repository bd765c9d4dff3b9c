// SPDX-License-Identifier: Apache-2.0
//
// The rate at which a port sends, by a token bucket. Not by Open vSwitch's own queues: it makes
// them anew whenever a port of the switch changes, and what waits in them is lost.
#pragma once

#include "steps.hpp"

#include "ebb/testbed/manifest.hpp"
#include "ebb/units/data.hpp"

#include <cstdint>
#include <string>

namespace ebb::testbed {

// As layout.hpp names ports, counted from 0.
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
