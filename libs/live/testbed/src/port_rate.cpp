// SPDX-License-Identifier: Apache-2.0
#include "port_rate.hpp"

#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::testbed {
namespace {

constexpr std::int64_t kBitsPerByte = 8;

// What the rate carries in a time, in bytes, but not less than `least`.
std::int64_t bytes_in_ms(DataRate rate, std::int64_t ms, std::int64_t least) {
  return std::max(rate.count() / kBitsPerByte * ms / 1000, least);
}

}  // namespace

std::string port_name(const Manifest& fabric, std::size_t member, std::size_t port) {
  return member < fabric.switches ? fmt::format("p{}", port + 1) : "eth0";
}

TokenBucket token_bucket(DataRate rate) {
  // Two packets, or 2 ms. A hundred packets, or 100 ms: a software switch stands still for some
  // milliseconds when its ports change, and then sends at once what has come in meanwhile.
  return {bytes_in_ms(rate, 2, 3'200), bytes_in_ms(rate, 100, 150'000)};
}

Step set_port_rate(const std::string& space, const std::string& port, DataRate rate) {
  const auto [bucket, queue] = token_bucket(rate);
  return {{"tc", "qdisc", "replace", "dev", port, "root", "tbf", "rate",
           fmt::format("{}bit", rate.count()), "burst", std::to_string(bucket), "limit",
           std::to_string(queue)},
          {},
          space};
}

Result<void> set_rate_here(const std::string& port, DataRate rate) {
  return run_all({set_port_rate("", port, rate)});
}

}  // namespace ebb::testbed
