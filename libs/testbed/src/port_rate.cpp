// SPDX-License-Identifier: Apache-2.0
#include "port_rate.hpp"

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

Step set_port_rate(const std::string& space, const std::string& port, DataRate rate) {
  const std::int64_t bucket = bytes_in_ms(rate, 2, 3'200);  // two packets, or 2 ms
  // A hundred packets, or 100 ms: a software switch stands still for some milliseconds when its
  // ports change, and then sends at once what has come in meanwhile.
  const std::int64_t queue = bytes_in_ms(rate, 100, 150'000);
  return {{"tc", "qdisc", "replace", "dev", port, "root", "tbf", "rate",
           fmt::format("{}bit", rate.count()), "burst", std::to_string(bucket), "limit",
           std::to_string(queue)},
          {},
          space};
}

}  // namespace ebb::testbed
